/** Rows in columns are the rows that were put, whatever was put and removed before, and are searched by the same words. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ReplicatedRow } from '../collections.ts';
import { entryOf } from './entry.ts';
import { filterOf, narrowed } from './row-filter.ts';
import { RowTable } from './row-table.ts';

const value = fc.oneof(
  fc.constantFrom<unknown>(null, true, '', 'Web', 'web 7', 7, -0.5, 'İstanbul\nΟΔΟΣ'),
  fc.constantFrom<unknown>([], ['a', 7], { app: 'Shop', 'a:b': 'x' }, { app: { deep: 1 } }),
);
const row = fc
  .record(
    {
      id: fc.integer({ min: 1, max: 12 }).map((n) => `r${n}`),
      name: value,
      size: value,
      tags: value,
      description: value,
    },
    { requiredKeys: ['id'] },
  )
  .map((one): ReplicatedRow => one);
const step = fc.oneof(row, fc.record({ gone: fc.integer({ min: 1, max: 12 }).map((n) => `r${n}`) }));
const WORDS = ['we', 'web', '7', 'app=shop', 'r1', 'i̇st', 'οδος', 'x'];

/** All that a table says of its rows is what the rows say. */
function expectSame(table: RowTable, rows: ReadonlyMap<string, ReplicatedRow>) {
  const slots = table.takenSlots();
  expect([...slots].map((slot) => table.idAt(slot)).toSorted()).toEqual([...rows.keys()].toSorted());
  for (const [id, one] of rows) {
    const shown = table.rowAt(table.slotOf(id) ?? -1);
    // The columns come in the same order, too.
    expect(JSON.stringify(shown)).toBe(JSON.stringify(one));
  }
  for (const search of WORDS) {
    const found = [...narrowed(table, slots, { where: [], search })].map((slot) => table.idAt(slot));
    const passes = filterOf({ where: [], search });
    const expected = [...rows.values()].filter((one) => passes(entryOf(one, 'none')));
    expect(found.toSorted()).toEqual(expected.map(({ id }) => id).toSorted());
  }
}

test('after any puts and removes', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const table = new RowTable();
      const rows = new Map<string, ReplicatedRow>();
      for (const one of steps) {
        if ('gone' in one) {
          table.remove(one.gone as string);
          rows.delete(one.gone as string);
        } else {
          table.put(one as ReplicatedRow);
          rows.set(one.id, one as ReplicatedRow);
        }
        expectSame(table, rows);
      }
    }),
    { numRuns: 60 },
  );
});

test('also where nearly all values differ, and rows change after a search', () => {
  const table = new RowTable();
  const rows = new Map<string, ReplicatedRow>();
  const put = (at: number, over: Record<string, unknown>) => {
    const one = { id: `r${at}`, name: `Web ${at}`, tags: { app: `shop-${at}` }, size: at % 3, ...over };
    table.put(one);
    rows.set(one.id, one);
  };
  for (let at = 0; at < 3000; at += 1) put(at, {});
  expectSame(table, rows);
  for (let at = 0; at < 3000; at += 211) put(at, { name: `Other x${at}`, description: 'new', tags: null });
  for (const gone of ['r7', 'r128', 'r2999']) {
    table.remove(gone);
    rows.delete(gone);
  }
  for (let at = 3000; at < 3002; at += 1) put(at, { name: null });
  expectSame(table, rows);
});
