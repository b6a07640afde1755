import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  cellLimits,
  columnsWithoutRoom,
  factsOf,
  foldedColumns,
  type FoldableColumn,
} from './fold-columns.ts';

const column = fc.record({
  id: fc.uuid(),
  width: fc.constantFrom('72px', '104px', 'minmax(200px, 1fr)', 'auto'),
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

const NAME_PX = 240;
const USUAL_PX = 132;
const leastPx = ({ width = '' }: FoldableColumn, otherwisePx: number) =>
  width.endsWith('px') || width.startsWith('minmax') ? Number(/\d+/.exec(width)?.[0]) : otherwisePx;

const namePx = ([name]: readonly FoldableColumn[]) =>
  name === undefined ? 0 : Math.max(160, leastPx(name, NAME_PX));

test('what stays in a grid fits beside the name, gaps included, and its sorted column is the last to leave', () => {
  fc.assert(
    fc.property(columns, fc.integer({ min: 1, max: 2400 }), fc.nat(11), (list, availablePx, sortedAt) => {
      const sorted = list[sortedAt]?.id ?? null;
      const gone = columnsWithoutRoom(list, { availablePx, gapPx: 16, keptId: sorted });
      const stays = list.slice(1).filter(({ id }) => !gone.has(id));
      const usedPx = stays.reduce((sum, each) => sum + 16 + leastPx(each, USUAL_PX), namePx(list));
      if (stays.length > 0) expect(usedPx).toBeLessThanOrEqual(availablePx);
      if (sorted !== null && gone.has(sorted)) expect(stays).toEqual([]);
    }),
  );
});

test('the cells of a table are never wider together than the room beside its name', () => {
  fc.assert(
    fc.property(columns, fc.integer({ min: 1, max: 2400 }), (list, availablePx) => {
      const folded = foldedColumns(list, availablePx);
      const shown = list.filter(({ id }) => !folded.has(id));
      const limits = cellLimits(shown, availablePx);
      const sumPx = [...limits.values()].reduce((sum, px) => sum + px, 0);
      if (shown.length > 1) expect(namePx(shown) + sumPx).toBeLessThanOrEqual(availablePx);
      for (const column of shown.slice(1))
        expect(limits.get(column.id)).toBeGreaterThanOrEqual(leastPx(column, USUAL_PX));
    }),
  );
});

test('of what has no room three are told: first those that are to be, each in the order of the columns', () => {
  const list: FoldableColumn[] = [
    { id: 'a' },
    { id: 'b', isFirstFact: true },
    { id: 'c' },
    { id: 'd', isFirstFact: true },
  ];
  expect(factsOf(list).map(({ id }) => id)).toEqual(['b', 'd', 'a']);
  expect(factsOf(list.slice(2)).map(({ id }) => id)).toEqual(['d', 'c']);
});
