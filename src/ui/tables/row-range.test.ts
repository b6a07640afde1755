/** Which rows of a list are drawn: all that are seen, never more than the page can hold, and the one that was asked for. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { firstRange, onScreen, rangeAt, rangeWithin, topShowing } from './row-range.ts';

/** As the answer of one window holds (contract MAX_WINDOW_ROWS). */
const WINDOW_ROWS = 100;
const rowPx = fc.integer({ min: 36, max: 68 });
const place = fc.record({
  top: fc.integer({ min: 0, max: 3_000_000 }),
  seen: fc.integer({ min: 0, max: 2000 }),
});
const count = fc.integer({ min: 0, max: 60_000 });

test('every row that is seen is drawn, with some beyond each edge, and no more than a window holds', () => {
  fc.assert(
    fc.property(place, rowPx, (at, px) => {
      const { start, end } = rangeAt(at, px);
      expect(start * px).toBeLessThanOrEqual(Math.max(0, at.top - 10 * px));
      expect(end * px).toBeGreaterThanOrEqual(at.top + at.seen + 10 * px);
      expect(end - start).toBeLessThanOrEqual(WINDOW_ROWS);
    }),
  );
});

test('no row that is on screen counts as one beyond its edges', () => {
  fc.assert(
    fc.property(place, rowPx, (at, px) => {
      const { start, end } = onScreen(rangeAt(at, px));
      expect(start * px).toBeLessThanOrEqual(at.top);
      expect(end * px).toBeGreaterThanOrEqual(at.top + at.seen);
    }),
  );
});

test('a list that became shorter draws its last rows, as many as before where it has them', () => {
  fc.assert(
    fc.property(place, rowPx, count, (at, px, rows) => {
      const before = rangeAt(at, px);
      const { start, end } = rangeWithin(before, rows);
      expect(start).toBeGreaterThanOrEqual(0);
      expect(end).toBeLessThanOrEqual(rows);
      expect(end - start).toBe(Math.min(rows, before.end - before.start));
    }),
  );
});

test('the first rows are drawn before the list is measured, as many as a tall window has room for', () => {
  expect(rangeWithin(firstRange(600, 36), 5)).toEqual({ start: 0, end: 5 });
  expect(rangeWithin(firstRange(600, 36), 10_000)).toEqual({ start: 0, end: 18 });
  expect(firstRange(1180, 36).end * 36).toBeGreaterThanOrEqual(1180 - 190);
});

test('a row that is asked for is seen as a whole and drawn, and the list moves no further than that', () => {
  const seen = fc.integer({ min: 100, max: 2000 });
  fc.assert(
    fc.property(place, seen, rowPx, count, (at, high, px, index) => {
      const before = { top: at.top, seen: high };
      const top = topShowing(index, before, px);
      expect(top).toBeLessThanOrEqual(index * px);
      expect(top + high).toBeGreaterThanOrEqual((index + 1) * px);
      const wasSeen = before.top <= index * px && before.top + high >= (index + 1) * px;
      if (wasSeen) expect(top).toBe(before.top);
      const { start, end } = rangeAt({ top, seen: high }, px);
      expect(index >= start && index < end).toBe(true);
    }),
  );
});
