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

  test('a text that does not parse stays as it is', () => {
    expect(withValue('a: [', ['b'], 1)).toBe('a: [');
  });
});

test('an entry is added at the end; the first one makes the list', () => {
  expect(parse(withEntry(TEXT, ['http'], { name: 'x' }))).toMatchObject({ http: [{}, {}, { name: 'x' }] });
  expect(withEntry('', ['tcp'], { name: 'x' })).toBe('tcp:\n  - name: x\n');
});
