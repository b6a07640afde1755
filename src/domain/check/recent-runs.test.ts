import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rangeMinutes } from '../time/ranges.ts';
import { rangeOfRecentRuns, recentRuns } from './recent-runs.ts';
import { RECENT_RUNS } from './run-text.ts';

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

test('runs are read back from their text, the oldest first', () => {
  const run = fc.record({ gap: fc.nat({ max: 100_000 }), isPassed: fc.boolean() });
  fc.assert(
    fc.property(
      fc.nat({ max: 2_000_000_000 }),
      fc.array(run, { minLength: 1, maxLength: 30 }),
      (newest, runs) => {
        let second = newest + 4_000_000;
        const text = `${second}${runs.map(({ gap, isPassed }) => `${isPassed ? 'p' : 'f'}${gap}`).join('')}`;
        const expected = runs.map(({ gap, isPassed }) => {
          second -= gap;
          return { atMs: second * 1000, isPassed };
        });
        expect(recentRuns(text)).toEqual(expected.toReversed());
      },
    ),
  );
});

test('what is no text of runs has none', () => {
  for (const text of [null, undefined, '', 'p0', '12x3', '17p1f']) expect(recentRuns(text)).toEqual([]);
  expect(recentRuns(`99${'p1'.repeat(40)}`)).toHaveLength(RECENT_RUNS);
});
