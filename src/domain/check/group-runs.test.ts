import fc from 'fast-check';
import { expect, test } from 'vitest';
import { groupRuns } from './group-runs.ts';
import { recentRuns } from './recent-runs.ts';

const run = fc.record({ gap: fc.nat({ max: 900 }), word: fc.constantFrom('p', 'p', 'f') });
const text = fc
  .record({ newest: fc.integer({ min: 1_000_000, max: 2_000_000 }), runs: fc.array(run, { maxLength: 35 }) })
  .map(({ newest, runs }) => `${newest}${runs.map(({ gap, word }) => `${word}${gap}`).join('')}`);
const texts = fc.array(
  fc.oneof({ weight: 5, arbitrary: text }, fc.constantFrom(null, undefined, '', '12x')),
  {
    maxLength: 8,
  },
);

test('a place of a group adds up what its checks did there, the newest first', () => {
  fc.assert(
    fc.property(texts, (all) => {
      const checks = all.map((one) => recentRuns(one).toReversed());
      const length = Math.max(0, ...checks.map((runs) => runs.length));
      const places = Array.from({ length }, (_, at) => checks.flatMap((runs) => runs[at] ?? []));
      const expected = {
        total: places.map((runs) => runs.length),
        failed: places.map((runs) => runs.filter(({ isPassed }) => !isPassed).length),
        newest: places.map((runs) => Math.max(...runs.map(({ atMs }) => atMs / 1000))),
        oldest: places.map((runs) => Math.min(...runs.map(({ atMs }) => atMs / 1000))),
      };
      expect(groupRuns(all)).toEqual(length === 0 ? undefined : expected);
    }),
  );
});
