/** Form and editor are two views of one text: what one changes, and nothing else, the other shows. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { valueAt, withEntry, withValue } from './edit-document.ts';

const TEXT = `# watched since the outage
schedule: "@every 1m" # not faster
http:
  # the shop
  - name: shop
    url: https://shop.example.com # with www?
    x-unknown: { kept: [1, 2] }
    responseCodes: [200, 201]
  - name: api
    url: https://api.example.com
`;
const COMMENTS = ['# watched since the outage', '# not faster', '# the shop', '# with www?'];

const keys = fc.constantFrom('name', 'url', 'description', 'method', 'x-unknown');
const values = fc.oneof(
  fc.string({ maxLength: 40 }),
  fc.integer(),
  fc.boolean(),
  fc.array(fc.string({ maxLength: 10 }), { maxLength: 3 }),
  fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), fc.string({ maxLength: 8 }), { maxKeys: 3 }),
);
const edits = fc.array(fc.record({ at: fc.nat(1), key: keys, value: values }), { maxLength: 8 });

describe('a value that a form changes', () => {
  test('is what the text then says there, and nothing else differs', () => {
    fc.assert(
      fc.property(edits, (all) => {
        let text = TEXT;
        for (const { at, key, value } of all) {
          const before: unknown = parse(text);
          text = withValue(text, ['http', at, key], value);
          const after: unknown = parse(text);
          expect(valueAt(after, ['http', at, key])).toEqual(value);
          // The same edit on the plain value is the same document.
          Reflect.set(valueAt(before, ['http', at]) as object, key, value);
          expect(after).toEqual(before);
        }
      }),
    );
  });

  test('leaves every comment that is not its own', () => {
    fc.assert(
      fc.property(edits, (all) => {
        const text = all
          .filter(({ key, at }) => !(key === 'url' && at === 0))
          .reduce((so, { at, key, value }) => withValue(so, ['http', at, key], value), TEXT);
        for (const comment of COMMENTS) expect(text).toContain(comment);
      }),
    );
  });

  test('set and taken away again is the document as it was', () => {
    fc.assert(
      fc.property(values, (value) => {
        const path = ['http', 1, 'tlsConfig', 'ca'];
        expect(parse(withValue(withValue(TEXT, path, value), path, undefined))).toEqual(parse(TEXT));
      }),
    );
  });

  test('of a scalar keeps the comment behind it', () => {
    expect(withValue(TEXT, ['http', 0, 'url'], 'https://new.example.com')).toContain(
      'url: https://new.example.com # with www?',
    );
  });

  test.each([
    ['nothing yet', 'http:\n  - name: a\n    tls:\n', ['http', 0, 'tls', 'ca']],
    ['an entry of nothing', 'http:\n  -\n', ['http', 0, 'name']],
    ['a text', 'http:\n  - tls: none\n', ['http', 0, 'tls', 'ca']],
  ])('has a place where %s stands', (_what, text, path) => {
    const after: unknown = parse(withValue(text, path, 'x'));
    expect(valueAt(after, path)).toBe('x');
  });

  test('of what is shared changes here alone, and can be taken away', () => {
    const shared = 'http:\n  - &one { name: a, url: u }\n  - *one\n';
    expect(parse(withValue(shared, ['http', 1, 'name'], 'b'))).toEqual({
      http: [
        { name: 'a', url: 'u' },
        { name: 'b', url: 'u' },
      ],
    });
    expect(parse(withValue(shared, ['http', 1, 'url'], undefined))).toEqual({
      http: [{ name: 'a', url: 'u' }, { name: 'a' }],
    });
  });

  test('of a list or of labels leaves what of them did not change, with its comments', () => {
    const text = `codes:
  - 200 # usual
  - 301
labels:
  # who is asked
  team: blue # since May
  tier: "1"
headers:
  - name: a # ours
    value: b
`;
    let after = withValue(text, ['codes'], [200, 204]);
    after = withValue(after, ['labels'], { team: 'blue', tier: '2', zone: 'eu' });
    after = withValue(after, ['headers'], [{ name: 'a', value: 'b' }, {}]);
    expect(parse(after)).toEqual({
      codes: [200, 204],
      labels: { team: 'blue', tier: '2', zone: 'eu' },
      headers: [{ name: 'a', value: 'b' }, {}],
    });
    for (const comment of ['# usual', '# who is asked', '# since May', '# ours'])
      expect(after).toContain(comment);
  });

  test('a text that does not parse stays as it is', () => {
    expect(withValue('a: [', ['b'], 1)).toBe('a: [');
  });
});

test('an entry is added at the end; the first one makes the list', () => {
  expect(parse(withEntry(TEXT, ['http'], { name: 'x' }))).toMatchObject({ http: [{}, {}, { name: 'x' }] });
  expect(withEntry('', ['tcp'], { name: 'x' })).toBe('tcp:\n  - name: x\n');
});
