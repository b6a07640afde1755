/** An item's group is the one that its key says, whatever was asked of the list before. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { groupingOf } from './groupings.ts';

const anyList = fc.array(fc.record({ a: fc.constantFrom('x', 'y', 'z'), b: fc.constantFrom('1', '2') }), {
  maxLength: 20,
});
const KEYS = {
  a: ({ a }) => a,
  b: ({ b }) => b,
  ab: ({ a, b }) => `${a}-${b}`,
  ba: ({ a, b }) => `${b}-${a}`,
  aa: ({ a }) => `${a}-${a}`,
  none: () => 'none',
} satisfies Record<string, (item: { a: string; b: string }) => string>;
const anyAsked = fc.array(fc.constantFrom(...Object.entries(KEYS)), { maxLength: 12 });

test('each item is in the group of its key, and each group is of the list', () => {
  fc.assert(
    fc.property(anyList, anyAsked, (items, asked) => {
      for (const [name, keyOf] of asked) {
        const { keys, groupAt } = groupingOf(items, name, keyOf);
        expect([...groupAt].map((group) => keys[group])).toEqual(items.map(keyOf));
        expect(new Set(keys)).toEqual(new Set(items.map(keyOf)));
        expect(keys).toHaveLength(new Set(keys).size);
      }
    }),
  );
});
