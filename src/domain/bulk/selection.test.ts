import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  coverage,
  extended,
  NOTHING_CHOSEN,
  toggled,
  withAll,
  without,
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

  test('all and none cover each other, and what is left stays left', () => {
    fc.assert(
      fc.property(listed, ({ ids, chosen }) => {
        const all = withAll(of(chosen), ids);
        expect(coverage(all, ids)).toBe('all');
        expect(coverage(without(all, ids), ids)).toBe('none');
        const rest = without(all, chosen);
        expect(sorted(rest)).toEqual(ids.filter((id) => !chosen.includes(id)).toSorted());
        expect(rest.anchor).toBeNull();
      }),
    );
  });
});
