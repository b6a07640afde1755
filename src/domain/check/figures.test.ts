import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FIGURES_MS, figuresOfHour } from './figures.ts';

const NOW = Date.parse('2026-01-01T12:00:00Z');
const ago = fc.option(fc.integer({ min: 0, max: 3 * FIGURES_MS }));
const at = (agoMs: number | null) => (agoMs === null ? null : new Date(NOW - agoMs).toISOString());

test('figures are shown exactly while one of the runs that they count is of the last hour', () => {
  fc.assert(
    fc.property(ago, ago, fc.nat(9), fc.nat(9), (pass, fail, passed, failed) => {
      const check = {
        uptime: { passed, failed, last_pass: at(pass), last_fail: at(fail) },
        latency: { p95: 20 },
      };
      const newest = Math.min(pass ?? Infinity, fail ?? Infinity);
      // A backend that doesn't say when can't be found wrong.
      const isShown = newest === Infinity || newest < FIGURES_MS;
      expect(figuresOfHour(check, NOW)).toEqual(
        isShown ? check : { uptime: { passed: 0, failed: 0 }, latency: {} },
      );
    }),
  );
});
