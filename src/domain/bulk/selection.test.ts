import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  coverage,
  extended,
  NOTHING_CHOSEN,
  toggled,
  toggledAll,
  withAll,
  type Selection,
} from './selection.ts';

const order = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 30 });
const listed = order.chain((ids) =>
  fc.record({
    ids: fc.constant(ids),
    chosen: fc.subarray(ids),
    one: fc.constantFrom(...ids),
    other: fc.constantFrom(...ids),
  }),
);
const of = (ids: readonly string[]): Selection => withAll(NOTHING_CHOSEN, ids);
const sorted = ({ ids }: Selection) => [...ids].toSorted();

describe('a selection', () => {
  test('taking one in and leaving it changes nothing', () => {
    fc.assert(
      fc.property(listed, ({ chosen, one }) => {
        expect(sorted(toggled(toggled(of(chosen), one), one))).toEqual(sorted(of(chosen)));
      }),
    );
  });

  test('a range takes the state of where it began, both ways alike, and nothing outside of it', () => {
    fc.assert(
      fc.property(listed, ({ ids, chosen, one, other }) => {
        const begun = toggled(of(chosen), one);
        const after = extended(begun, other, ids);
        const [from, to] = [ids.indexOf(one), ids.indexOf(other)].toSorted((a, b) => a - b);
        for (const [at, id] of ids.entries()) {
          const isInside = at >= (from ?? 0) && at <= (to ?? 0);
          expect(after.ids.has(id)).toBe(isInside ? begun.ids.has(one) : begun.ids.has(id));
        }
        expect(sorted(extended(after, other, ids))).toEqual(sorted(after));
      }),
    );
  });

  test('a range back to its beginning, then further, is the range to there: the anchor stays', () => {
    fc.assert(
      fc.property(listed, ({ ids, one, other }) => {
        const begun = toggled(NOTHING_CHOSEN, one);
        expect(sorted(extended(extended(begun, one, ids), other, ids))).toEqual(
          sorted(extended(begun, other, ids)),
        );
      }),
    );
  });

  test('without an anchor in the list a range is that one alone', () => {
    fc.assert(
      fc.property(listed, ({ ids, one }) => {
        expect(sorted(extended({ ids: new Set(), anchor: 'elsewhere' }, one, ids))).toEqual([one]);
      }),
    );
  });

  test('what is chosen as one is taken in whole, then left whole, and nothing else changes', () => {
    fc.assert(
      fc.property(listed, fc.nat(), ({ ids, chosen }, seed) => {
        const these = ids.filter((_id, at) => (seed >> (at % 30)) % 2 === 0);
        const others = chosen.filter((id) => !these.includes(id)).toSorted();
        const isWhole = coverage(of(chosen), these) === 'all';
        const once = toggledAll(of(chosen), these);
        expect(sorted(once)).toEqual(isWhole ? others : [...others, ...these].toSorted());
        const twice = toggledAll(once, these);
        expect(sorted(twice)).toEqual(isWhole ? [...others, ...these].toSorted() : others);
      }),
    );
  });

  test('a range goes on from the first of what was taken in as one, and from nowhere once it was left', () => {
    fc.assert(
      fc.property(listed, ({ ids, one }) => {
        const taken = toggledAll(NOTHING_CHOSEN, ids);
        expect(taken.anchor).toBe(ids[0]);
        expect(sorted(extended(taken, one, ids))).toEqual(sorted(taken));
        expect(toggledAll(taken, ids).anchor).toBeNull();
      }),
    );
  });
});
