/** An order that follows changes is the order that sorting anew gives. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { entryOf, type Entry } from './entry.ts';
import { RowOrder, type Sort, type SortedRows } from './row-order.ts';

const value = fc.oneof(
  fc.constantFrom('a', 'b', 'B', 'c'),
  fc.integer({ min: 0, max: 3 }),
  fc.constant(null),
);
const change = fc.record({ slot: fc.nat({ max: 129 }), value, isGone: fc.boolean() });
const SORTS: Sort[] = [
  [],
  [{ field: 'v', isDescending: false }],
  [
    { field: 'v', isDescending: true },
    { field: 'w', isDescending: false },
  ],
];

const rowsOf = (slots: readonly (Entry | null)[]): SortedRows => ({
  slotCount: slots.length,
  isTaken: (slot) => slots[slot] !== null,
  takenSlots: () => Uint32Array.from(slots.keys()).filter((slot) => slots[slot] !== null),
  valueAt: (slot, field) => slots[slot]?.row[field],
  column: () => undefined,
});

function slotsOf(order: RowOrder, count: number): number[] {
  return Array.from({ length: count }, (_, rank) => order.slotAt(rank));
}

test('few changes among many rows leave the order that sorting anew gives', () => {
  fc.assert(
    fc.property(
      fc.array(value, { minLength: 100, maxLength: 120 }),
      fc.array(fc.array(change, { minLength: 1, maxLength: 3 }), { maxLength: 8 }),
      fc.constantFrom(...SORTS),
      (values, rounds, sort) => {
        const entry = (slot: number, v: unknown, turn = 0): Entry =>
          entryOf({ id: `${(slot * 37) % 130}-${turn}`, v, w: slot % 3 }, 'none');
        const slots: (Entry | null)[] = values.map((v, slot) => entry(slot, v));
        const order = new RowOrder(sort);
        order.refresh(rowsOf(slots));
        for (const [turn, changes] of rounds.entries()) {
          for (const one of changes) {
            // A slot is given again when its row is gone; new ones come at the end.
            const slot = Math.min(one.slot, slots.length);
            slots[slot] = one.isGone ? null : entry(slot, one.value, turn + 1);
            order.touch(slot);
          }
          order.refresh(rowsOf(slots));
          const anew = new RowOrder(sort);
          anew.refresh(rowsOf(slots));
          const count = slots.filter((kept) => kept !== null).length;
          expect(slotsOf(order, count + 1)).toEqual(slotsOf(anew, count + 1));
          for (const [slot, kept] of slots.entries())
            expect(order.slotAt(order.rankOf(slot)) === slot).toBe(kept !== null);
        }
      },
    ),
  );
});

test('severities are ordered by how bad they are, whatever their letters', () => {
  const order = new RowOrder([{ field: 'severity', isDescending: true }]);
  const words = ['low', 'critical', 'info', 'high', 'Medium'];
  order.refresh(rowsOf(words.map((severity) => entryOf({ id: severity, severity }, 'none'))));
  expect(slotsOf(order, words.length).map((slot) => words[slot])).toEqual([
    'critical',
    'high',
    'Medium',
    'low',
    'info',
  ]);
});

test('sorting in steps gives the order of sorting at once', async () => {
  const values = fc.array(value, { minLength: 2200, maxLength: 2300 });
  await fc.assert(
    fc.asyncProperty(values, fc.constantFrom(...SORTS), async (all, sort) => {
      const slots = all.map((v, slot) => entryOf({ id: `${slot}`, v, w: slot % 3 }, 'none'));
      const [inSteps, atOnce] = [new RowOrder(sort), new RowOrder(sort)];
      let pauses = 0;
      await inSteps.prepare(rowsOf(slots), async () => {
        pauses += 1;
      });
      inSteps.refresh(rowsOf(slots));
      atOnce.refresh(rowsOf(slots));
      expect([...inSteps.slots()]).toEqual([...atOnce.slots()]);
      expect(pauses).toBeGreaterThan(3);
    }),
    { numRuns: 6 },
  );
});
