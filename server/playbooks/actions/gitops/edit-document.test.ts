/** Edits of files by gitops actions: what was meant changes, and nothing else of the text. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { editDocument } from './edit-document.ts';

const by = (expression: string) => ({ expression, variables: {} });

const DEPLOYMENT = `# the shop
apiVersion: apps/v1
kind: Deployment
metadata:
  name: shop # its name
  labels:
    tier: "1"

spec:
  # how many
  replicas: 2
  template:
    containers:
    # the app
    - name: app
      image: shop:1.0 # pinned
    - name: side
      image: 'side:1'
  8080: port
---
kind: Service
`;

describe('yaml', () => {
  it('changes the one value, and keeps comments, quotes, empty lines and indentation', async () => {
    const edited = await editDocument(
      'a.yaml',
      DEPLOYMENT,
      by(
        'if .kind == "Deployment" then (.spec.template.containers[] | select(.name == "app") | .image) = "shop:2.0" else . end',
      ),
    );
    expect(edited).toBe(DEPLOYMENT.replace('shop:1.0', 'shop:2.0'));
  });

  it('a key that is a number is the same key', async () => {
    const edited = await editDocument(
      'a.yaml',
      DEPLOYMENT,
      by('if .spec then .spec["8080"] = "door" else . end'),
    );
    expect(edited).toBe(DEPLOYMENT.replace('8080: port', '8080: door'));
  });

  it('takes out and adds entries of lists without touching their neighbours', async () => {
    const list = 'items:\n  - a # first\n  - b # second\n  - c # third\n';
    expect(await editDocument('a.yml', list, by('del(.items[1])'))).toBe(
      'items:\n  - a # first\n  - c # third\n',
    );
    expect(await editDocument('a.yml', list, by('.items += ["d"]'))).toBe(`${list}  - d\n`);
  });

  it('what nothing changes in is the same text, byte by byte', async () => {
    const odd = 'a:   1\n\n\n\nb: {x: 1,   y: 2}\n';
    expect(await editDocument('a.yaml', odd, by('.a = 1'))).toBe(odd);
  });

  it('an anchor is left alone when the place that refers to it changes', async () => {
    const text = 'base: &b\n  x: 1\nuse: *b\n';
    expect(parse(await editDocument('a.yaml', text, by('.use = {"x": 2}')))).toEqual({
      base: { x: 1 },
      use: { x: 2 },
    });
  });

  it('says what is wrong with the file or the expression', async () => {
    await expect(editDocument('a.yaml', 'a: [', by('.'))).rejects.toThrow('is not YAML');
    await expect(editDocument('a.yaml', 'a: 1', by('.a =='))).rejects.toThrow('fails: jq: error');
    await expect(editDocument('a.yaml', 'a: [1, 2]', by('.a[]'))).rejects.toThrow(
      'gives 2 documents, not one',
    );
  });

  it('whatever the document and whatever it becomes, it reads as that afterwards', async () => {
    const keys = fc.constantFrom('a', 'b', 'c', '1', 'x y');
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 3 },
        fc.oneof(fc.integer(), fc.boolean(), fc.constant(null), fc.string({ maxLength: 5 })),
        fc.array(tie('tree'), { maxLength: 4 }),
        fc.dictionary(keys, tie('tree'), { maxKeys: 4, noNullPrototype: true }),
      ),
    }));
    await fc.assert(
      fc.asyncProperty(tree, tree, async (before, after) => {
        const jq = { expression: '$after', variables: { after } };
        expect(parse(await editDocument('a.yaml', stringify(before), jq))).toEqual(after);
      }),
      { numRuns: 300 },
    );
  });
});

describe('json', () => {
  it('keeps its indentation and its last line', async () => {
    expect(await editDocument('a.json', '{\n\t"a": 1,\n\t"b": [2]\n}\n', by('.a = 5'))).toBe(
      '{\n\t"a": 5,\n\t"b": [\n\t\t2\n\t]\n}\n',
    );
    expect(await editDocument('a.json', '{"a":1}', by('.a = 5'))).toBe('{"a":5}');
  });
});
