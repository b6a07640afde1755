import fc from 'fast-check';
import { expect, test } from 'vitest';
import { foldedColumns, type FoldableColumn } from './fold-columns.ts';

const column = fc.record({
  id: fc.uuid(),
  width: fc.constantFrom('72px', '104px', '200px', 'auto'),
  priority: fc.constantFrom<1 | 2 | 3>(1, 2, 3),
});
const columns = fc.uniqueArray(column, { selector: ({ id }) => id, minLength: 1, maxLength: 12 });
const order = (list: readonly FoldableColumn[], id: string) => {
  const at = list.findIndex((each) => each.id === id);
  return (list[at]?.priority ?? 2) * 100 + at;
};

test('the name stays, and no column stays that is less important than one that is folded', () => {
  fc.assert(
    fc.property(columns, fc.integer({ min: 1, max: 2400 }), (list, room) => {
      const folded = foldedColumns(list, room);
      expect(folded.has(list[0]?.id ?? '')).toBe(false);
      const stays = list.slice(1).filter(({ id }) => !folded.has(id));
      for (const { id } of stays)
        for (const gone of folded) expect(order(list, id)).toBeLessThan(order(list, gone));
    }),
  );
});

test('more room never folds more, and enough room folds nothing', () => {
  fc.assert(
    fc.property(columns, fc.nat(2000), fc.nat(2000), (list, room, more) => {
      const narrow = foldedColumns(list, room + 1);
      for (const id of foldedColumns(list, room + 1 + more)) expect(narrow).toContain(id);
      expect(foldedColumns(list, 5000)).toEqual(new Set());
    }),
  );
});
