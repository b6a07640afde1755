import { expect, test } from 'vitest';
import fc from 'fast-check';
import { groupBy } from './group-by.ts';

test('each item is in the group of its key, once and in order; groups come in the order of their first items', () => {
  fc.assert(
    fc.property(fc.array(fc.record({ key: fc.nat(5), at: fc.nat() })), (items) => {
      const groups = groupBy(items, ({ key }) => key);
      const keys = [...new Set(items.map(({ key }) => key))];
      expect([...groups]).toEqual(keys.map((key) => [key, items.filter((item) => item.key === key)]));
    }),
  );
});
