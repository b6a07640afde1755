import fc from 'fast-check';
import { JSONPath } from 'jsonpath-plus';
import { describe, expect, it } from 'vitest';
import { findAll } from './json-values.ts';
import { mostPlaces } from './path-work.ts';

const { document } = fc.letrec((tie) => ({
  document: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(1, 'x', null),
    fc.array(tie('document'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('document')),
  ),
}));
const step = fc.constantFrom('..*', '..a', '.a', '.*', '[*]', '[0]', '[a,b]', '[*,*]', '[0:2]', '^', '~');
const path = fc.array(step, { minLength: 1, maxLength: 4 }).map((steps) => `$${steps.join('')}`);

const items = (count: number) => ({
  items: Array.from({ length: count }, (_, at) => ({ id: at, labels: { app: 'shop', of: { team: 'a' } } })),
});

describe('a path', () => {
  it('finds no more than it is said to look at', () => {
    const root = fc.oneof(fc.array(document), fc.dictionary(fc.constantFrom('a', 'b', 'c'), document));
    fc.assert(
      fc.property(path, root, (text, value) => {
        // The library fails on a step up from the document itself.
        fc.pre(!/^\$[\^~]/.test(text));
        const found: unknown = JSONPath({ path: text, json: value, eval: false, wrap: true });
        expect(Array.isArray(found) ? found.length : 0).toBeLessThanOrEqual(mostPlaces(text, value));
      }),
    );
  });

  it('that leads out of the document is refused in words', () => {
    expect(() => findAll({ a: 1 }, '$^.a')).toThrow('$^.a: leads out of the document');
    expect(() => findAll({ a: 1 }, '$.a[?(@.b)]')).toThrow(/^\$\.a\[\?\(@\.b\)\]: /);
  });

  it.each(['$..*^..*^..none', '$..*..*^..*', '$..*^^..*', '$..[*,*,*,*,*,*,*,*][*,*,*,*,*,*,*,*]..*'])(
    'that comes back to the same places is refused: %s',
    (text) => {
      expect(() => findAll(items(1000), text)).toThrow(/looks at the same places of the document too often/);
    },
  );

  it.each([
    ['$..team', 100_000],
    ['$..of..team', 20_000],
    ['$.items[*].labels[app,of]', 200_000],
    ['$.items[*].id^', 100_000],
  ])('that people write finds all there is: %s', (text, count) => {
    expect(findAll(items(100_000 / (text === '$..of..team' ? 5 : 1)), text)).toHaveLength(count);
  });
});
