import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { expectedKind, wholeDocument } from './whole-document.ts';

const TEXT = `# my checks
apiVersion: canaries.flanksource.com/v1
kind: Canary
metadata:
  name: shop
  namespace: prod
  labels: { tier: 1 }
  annotations: { suspend: "true" }
spec:
  schedule: "@every 30s"
  http:
    # the front door
    - name: front
      url: https://shop.example
`;

describe('a whole document in the place of a spec', () => {
  it('is taken apart, with the comments of its spec', () => {
    const found = wholeDocument(TEXT);
    expect(found).toMatchObject({
      kind: 'Canary',
      name: 'shop',
      namespace: 'prod',
      labels: { tier: '1' },
      annotations: { suspend: 'true' },
    });
    expect(found?.spec).toContain('# the front door');
    expect(parse(found?.spec ?? '')).toEqual({
      schedule: '@every 30s',
      http: [{ name: 'front', url: 'https://shop.example' }],
    });
  });

  it.each([
    ['', 'an empty text'],
    ['http:\n  - url: x\n', 'a spec'],
    ['kind: x\nmetadata: {}\n', 'a document without a spec'],
    ['kind: [\nspec: {}', 'a broken text'],
    ['spec: {http: []}', 'a spec under a key of its own'],
  ])('%j is none: %s', (text) => expect(wholeDocument(text)).toBeNull());

  it('says which kind is due', () => {
    const found = wholeDocument(TEXT);
    if (found === null) throw new Error('none');
    expect(expectedKind('canaries', found)).toBeNull();
    expect(expectedKind('topologies', found)).toBe('Topology');
    expect(expectedKind('teams', found)).toBeNull();
  });

  it('loses nothing, as YAML and as JSON', () => {
    const spec = fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), fc.jsonValue(), { minKeys: 1 });
    const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
    fc.assert(
      fc.property(spec, fc.boolean(), (value, isJson) => {
        const document = { kind: 'Canary', metadata: { name: 'a' }, spec: plain(value) };
        const found = wholeDocument(isJson ? JSON.stringify(document) : stringify(document));
        expect(plain(parse(found?.spec ?? ''))).toEqual(plain(value));
      }),
    );
  });
});
