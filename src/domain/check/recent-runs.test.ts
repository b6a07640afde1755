import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rangeMinutes } from '../time/ranges.ts';
import { RECENT_RUNS, rangeOfRecentRuns } from './recent-runs.ts';

test('the range holds thirty runs of any interval up to a month, and is a day at least', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 30 * 86_400 }), (seconds) => {
      const lastMs = Date.parse('2026-01-01T00:00:00Z');
      const range = rangeOfRecentRuns({
        last_runtime: new Date(lastMs).toISOString(),
        next_runtime: new Date(lastMs + seconds * 1000).toISOString(),
      });
      expect(rangeMinutes(range)).toBeGreaterThanOrEqual(Math.max(1440, (RECENT_RUNS * seconds) / 60));
    }),
  );
});

test('a check that is not scheduled is looked at over a week', () => {
  expect(rangeOfRecentRuns({ last_runtime: '2026-01-01T00:00:00Z', next_runtime: null })).toBe('1w');
  expect(rangeOfRecentRuns({ last_runtime: null, next_runtime: null })).toBe('1w');
});
