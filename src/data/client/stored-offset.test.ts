/** The first frame judges what is overdue by the server's clock as it was last known, and never by an earlier one. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SyncStatus } from '../../contract/worker.ts';
import { FIRST_STATUS } from './first-status.ts';
import { createOffsetKeeper, readStoredOffset } from './stored-offset.ts';

const HOUR = 3_600_000;

/** A device whose clock the test sets. */
function device(stored: string | null = null) {
  const state = { nowMs: 100 * HOUR, stored, writes: 0, errors: [] as unknown[] };
  const platform = {
    now: () => state.nowMs,
    readStored: () => state.stored,
    writeStored: (_key: string, text: string | null) => {
      state.writes += 1;
      state.stored = text;
    },
    report: (error: unknown) => state.errors.push(error),
  };
  return { state, platform };
}
const told = (asOfMs: number | null, offsetMs: number): SyncStatus => ({ ...FIRST_STATUS, asOfMs, offsetMs });

test("the server's time is never before what it was known to be, wherever the device's clock was set", () => {
  const anyHour = fc.integer({ min: -50 * HOUR, max: 50 * HOUR });
  fc.assert(
    fc.property(anyHour, anyHour, (offsetMs, setBy) => {
      const { state, platform } = device();
      const asOfMs = state.nowMs + offsetMs;
      createOffsetKeeper(platform)(told(asOfMs, offsetMs));
      state.nowMs += setBy;
      const serverMs = state.nowMs + readStoredOffset(platform);
      expect(serverMs).toBeGreaterThanOrEqual(asOfMs);
      // A clock that only ran on is corrected by what it was wrong.
      if (setBy >= 0) expect(serverMs).toBe(state.nowMs + offsetMs);
    }),
  );
});

test('is kept every few seconds, at once when the clock turns out to be another, and not before it is known', () => {
  const { state, platform } = device();
  const keep = createOffsetKeeper(platform);
  keep(told(null, 0));
  expect(state.writes).toBe(0);
  keep(told(1000, 5));
  keep(told(2000, 5));
  expect(state.writes).toBe(1);
  keep(told(2500, 900));
  keep(told(9000, 900));
  expect(state.writes).toBe(3);
});

test.each([null, '', '{', '[]', '{"offsetMs":"1"}', '{"offsetMs":1}'])(
  '%j says nothing of the clock',
  (text) => {
    expect(readStoredOffset(device(text).platform)).toBe(0);
  },
);
