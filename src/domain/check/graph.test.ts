import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CheckStatus } from './check.ts';
import { bucketMs, bucketMsFor, graphOf } from './graph.ts';
import { percentile } from './percentile.ts';

const run = (time: number, status: boolean, duration: number): CheckStatus => ({
  check_id: 'c',
  time: new Date(time).toISOString(),
  status,
  duration,
  message: null,
  error: null,
  invalid: null,
  created_at: new Date(time).toISOString(),
});

describe('health overview', () => {
  it('uses the contract’s bucket widths', () => {
    const hour = 3_600_000;
    expect(bucketMs(2 * hour)).toBe(60_000);
    expect(bucketMs(24 * hour)).toBe(15 * 60_000);
    expect(bucketMs(7 * 24 * hour)).toBe(hour);
    expect(bucketMs(8 * 24 * hour)).toBe(4 * hour);
  });

  it('never has more points than asked for, however long the range', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 60_000, max: 5 * 365 * 86_400_000 }),
        fc.integer({ min: 1, max: 500 }),
        (window, max) => {
          expect(Math.ceil(window / bucketMsFor(window, max))).toBeLessThanOrEqual(max);
        },
      ),
    );
  });

  it('counts every run of the window once and none outside', () => {
    const from = Date.parse('2026-01-01T00:00:00Z');
    const until = from + 3_600_000;
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: -600_000, max: 4_200_000 }), fc.boolean(), fc.nat(5000))),
        (runs) => {
          const rows = runs.map(([offset, status, duration]) => run(from + offset, status, duration));
          const graph = graphOf(rows, { fromMs: from, untilMs: until });
          const inside = runs.filter(([offset]) => offset >= 0 && offset <= 3_600_000);
          expect(graph.uptime.passed).toBe(inside.filter(([, ok]) => ok).length);
          expect(graph.uptime.failed).toBe(inside.filter(([, ok]) => !ok).length);
          const times = graph.points.map((point) => point.time);
          expect(times).toEqual(times.toSorted());
        },
      ),
    );
  });

  it('a bucket with one failed run is not green', () => {
    const from = Date.parse('2026-01-01T00:00:00Z');
    const graph = graphOf([run(from + 1000, true, 10), run(from + 2000, false, 30)], {
      fromMs: from,
      untilMs: from + 3_600_000,
    });
    expect(graph.points).toEqual([
      { time: new Date(from).toISOString(), status: false, duration: 20, passed: 1, failed: 1 },
    ]);
  });
});

describe('percentiles', () => {
  it('stay within the values and rise with p', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(100_000), { minLength: 1 }), (values) => {
        const sorted = values.toSorted((a, b) => a - b);
        const [p50, p95, p99] = [50, 95, 99].map((p) => percentile(sorted, p));
        expect(p50).toBeGreaterThanOrEqual(sorted[0]!);
        expect(p99).toBeLessThanOrEqual(sorted.at(-1)!);
        expect(p95).toBeGreaterThanOrEqual(p50!);
        expect(p99).toBeGreaterThanOrEqual(p95!);
      }),
    );
  });

  it('interpolates at n·p/100 − 0.5', () => {
    expect(percentile([10, 20, 30, 40], 50)).toBe(25);
    expect(percentile([], 95)).toBeNaN();
  });
});
