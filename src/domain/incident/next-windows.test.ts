import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nextWindows } from './next-windows.ts';
import { isInOperation, WEEKDAYS, type HoursWindow } from './rule-hours.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Half and quarter hours, changes of half an hour, at midnight, over a whole day, in the other half of the world. */
const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'America/Havana',
  'Africa/Casablanca',
  'Pacific/Apia',
];
const clock = fc
  .integer({ min: 0, max: 24 * 60 - 1 })
  .map((minute) =>
    [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, '0')).join(':'),
  );
const hours: fc.Arbitrary<HoursWindow> = fc.record(
  {
    start: clock,
    end: clock,
    tz: fc.constantFrom(...ZONES),
    days: fc.subarray([...WEEKDAYS]),
    negate: fc.boolean(),
  },
  { requiredKeys: ['start', 'end'] },
);
const range = (from: string, until: string) => ({ fromMs: Date.parse(from), untilMs: Date.parse(until) });
const said = (windows: readonly HoursWindow[], between: { fromMs: number; untilMs: number }, count = 3) =>
  nextWindows(windows, between, count).map(({ startMs, endMs }) =>
    [startMs, endMs].map((at) => new Date(at).toISOString().slice(0, 16)),
  );

/** Any minute, and often one before clocks change: east of UTC that is a day later there, in the other half earlier. */
const CHANGES = [
  '2026-04-04T15:00Z',
  '2026-10-03T15:30Z',
  '2020-09-26T14:00Z',
  '2026-03-29T01:00Z',
  '2026-11-01T05:00Z',
];
const startMinute = fc.oneof(
  fc.integer({
    min: Date.parse('2020-01-01') / MINUTE_MS,
    max: Date.parse('2031-01-01') / MINUTE_MS,
  }),
  fc
    .tuple(fc.constantFrom(...CHANGES), fc.integer({ min: 0, max: 2 * 24 * 60 }))
    .map(([change, minutes]) => Date.parse(change) / MINUTE_MS - minutes),
);

describe('the next occurrences of recurring hours', () => {
  it('are those in which the server silences, minute by minute, in any zone and year', () => {
    fc.assert(
      fc.property(fc.array(hours, { minLength: 1, maxLength: 3 }), startMinute, (windows, minute) => {
        const fromMs = minute * MINUTE_MS;
        const untilMs = fromMs + 2 * DAY_MS;
        const found = nextWindows(windows, { fromMs, untilMs }, 100);
        // Prime, so that every minute of an hour comes up.
        for (let at = fromMs; at < untilMs; at += 7 * MINUTE_MS) {
          const isFound = found.some(({ startMs, endMs }) => startMs <= at && at < endMs);
          expect(isFound).toBe(isInOperation(windows, at));
        }
        for (const { startMs, endMs } of found) {
          expect(isInOperation(windows, startMs)).toBe(true);
          expect(isInOperation(windows, endMs - 1)).toBe(true);
          if (startMs > fromMs) expect(isInOperation(windows, startMs - 1)).toBe(false);
          if (endMs < untilMs) expect(isInOperation(windows, endMs)).toBe(false);
        }
      }),
    );
  });

  it('are an hour earlier or later where clocks change, and never fewer', () => {
    const night = [{ start: '22:00', end: '06:00', tz: 'Europe/Berlin' }];
    expect(said(night, range('2026-03-27T12:00Z', '2026-04-30T00:00Z'))).toEqual([
      ['2026-03-27T21:00', '2026-03-28T05:00'],
      // The night in which clocks go forward is seven hours long.
      ['2026-03-28T21:00', '2026-03-29T04:00'],
      ['2026-03-29T20:00', '2026-03-30T04:00'],
    ]);
    // A time that the clocks leave out begins when they go on.
    const early = [{ start: '02:30', end: '04:00', tz: 'Europe/Berlin', days: ['sun' as const] }];
    expect(said(early, range('2026-03-28T00:00Z', '2026-03-30T00:00Z'))).toEqual([
      ['2026-03-29T01:00', '2026-03-29T02:00'],
    ]);
  });

  it('begin and end where they do in zones whose clocks change on another day than UTC’s', () => {
    const early = [{ start: '01:00', end: '05:00', tz: 'Australia/Lord_Howe' }];
    expect(said(early, range('2026-10-02T20:00Z', '2026-10-04T00:00Z'))).toEqual([
      ['2026-10-03T14:30', '2026-10-03T18:00'],
    ]);
  });

  it('are cut where the silence begins and ends, and none where there are no hours', () => {
    const day = [{ start: '09:00', end: '17:00' }];
    expect(said(day, range('2026-01-01T10:00Z', '2026-01-02T12:00Z'))).toEqual([
      ['2026-01-01T10:00', '2026-01-01T17:00'],
      ['2026-01-02T09:00', '2026-01-02T12:00'],
    ]);
    expect(said([], range('2026-01-01T10:00Z', '2026-01-02T12:00Z'))).toEqual([]);
    expect(said(day, range('2026-01-01T10:00Z', '2026-12-02T12:00Z'), 1)).toHaveLength(1);
  });
});
