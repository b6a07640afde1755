import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compare, intervalOf, judge, MAX_LOAD, spreadOf, valueOf } from './measurement.ts';
import type { Line, Measurement, Statistic } from './measurement.ts';

const line = (rest: Partial<Line> = {}): Line => ({
  part: 'a part',
  title: 'a line',
  unit: 'ms',
  statistic: 'median',
  goal: 50,
  before: '–',
  ...rest,
});
const measured = (samples: readonly number[], rest: Partial<Measurement> = {}): Measurement => ({
  key: 'a line',
  line: line(),
  samples,
  cpuMs: 10,
  load: 0,
  ...rest,
});

const statistics = fc.constantFrom<Statistic>('median', 'p95', 'max', 'exact');
const measurements = fc
  .record({
    samples: fc.array(fc.integer({ min: 0, max: 200 }), { maxLength: 80 }),
    statistic: statistics,
    goal: fc.option(fc.integer({ min: 0, max: 200 })),
    unit: fc.constantFrom<Line['unit']>('ms', 'fps'),
    load: fc.option(fc.double({ min: 0, max: 2, noNaN: true })),
    error: fc.option(fc.constant('it broke')),
  })
  .map(({ samples, load, error, ...rest }) =>
    measured(samples, { line: line(rest), load, ...(error === null ? {} : { error }) }),
  );

describe('a line is judged', () => {
  it('held only where its value holds the goal and nothing speaks against it', () => {
    fc.assert(
      fc.property(measurements, (one) => {
        if (judge(one).kind !== 'held') return;
        const { goal, unit, statistic } = one.line;
        const value = valueOf(one);
        expect(unit === 'fps' ? value >= (goal ?? Infinity) : value <= (goal ?? -1)).toBe(true);
        expect(one.error).toBeUndefined();
        expect(statistic === 'exact' || (one.load ?? 0) <= MAX_LOAD).toBe(true);
      }),
    );
  });

  it('not at all on a busy machine, with too few runs, after an error, or without a figure', () => {
    const runs = Array.from({ length: 9 }, () => 20);
    const reasonOf = (one: Measurement) => {
      const verdict = judge(one);
      return verdict.kind === 'not judged' ? verdict.reason : verdict.kind;
    };
    expect(reasonOf(measured(runs))).toBe('held');
    expect(reasonOf(measured(runs, { load: 1.2 }))).toBe('the machine was busy: 1.2 cores');
    expect(reasonOf(measured([20, 20]))).toBe('too few runs: 2 of 5');
    expect(reasonOf(measured(runs, { line: line({ statistic: 'p95' }) }))).toBe('too few runs: 9 of 20');
    expect(reasonOf(measured(runs, { error: 'no rows' }))).toBe('failed: no rows');
    expect(reasonOf(measured([]))).toBe('not measured');
    expect(reasonOf(measured([3, 3], { line: line({ minRuns: 2 }) }))).toBe('held');
  });

  it('not where the true value may lie on either side of the goal', () => {
    expect(judge(measured([30, 35, 40, 55, 60])).kind).toBe('not judged');
    expect(judge(measured([30, 35, 40, 42, 44])).kind).toBe('held');
    expect(judge(measured([51, 55, 60, 62, 70])).kind).toBe('missed');
  });

  it('by the slow end of its runs where the goal is a p95: one slow run of sixty proves nothing', () => {
    const goal = line({ statistic: 'p95', goal: 33 });
    const withSlow = (count: number) =>
      measured(
        [...Array.from({ length: 60 - count }, () => 20), ...Array.from({ length: count }, () => 90)],
        {
          line: goal,
        },
      );
    expect(judge(withSlow(0)).kind).toBe('held');
    expect(judge(withSlow(1)).kind).toBe('not judged');
    expect(judge(withSlow(9)).kind).toBe('missed');
  });

  it('the other way round where more is better', () => {
    const fps = line({ unit: 'fps', goal: 58 });
    expect(judge(measured([60, 60, 60, 60, 59], { line: fps })).kind).toBe('held');
    expect(judge(measured([30, 31, 30, 33, 29], { line: fps })).kind).toBe('missed');
  });

  it('the same whatever the order of its runs, with its value inside its interval and that inside its spread', () => {
    fc.assert(
      fc.property(measurements, (one) => {
        fc.pre(one.samples.length > 0);
        const [low, high] = intervalOf(one);
        expect(low).toBeLessThanOrEqual(valueOf(one));
        expect(high).toBeGreaterThanOrEqual(valueOf(one));
        expect(Math.min(...one.samples)).toBeLessThanOrEqual(low);
        const [least, most] = spreadOf(one);
        expect(least).toBeLessThanOrEqual(most);
        const reversed = { ...one, samples: one.samples.toReversed() };
        expect(judge(reversed)).toEqual(judge(one));
      }),
    );
  });
});

describe('two results', () => {
  const OPPOSITE = { better: 'worse', worse: 'better' } as const;

  it('of the same runs never differ, and what is better one way is worse the other', () => {
    fc.assert(
      fc.property(measurements, measurements, (one, other) => {
        expect(['within the spread', 'not compared']).toContain(compare(one, one).kind);
        const there = compare(one, other).kind;
        const back = compare(other, one).kind;
        expect(back).toBe(there === 'better' || there === 'worse' ? OPPOSITE[there] : there);
      }),
    );
  });

  it('differ when their intervals lie apart, not when one of them cannot be trusted', () => {
    const slow = measured([100, 101, 103, 104, 110]);
    const fast = measured([80, 82, 83, 85, 90]);
    expect(compare(slow, fast)).toEqual({ kind: 'better' });
    expect(compare(slow, measured([95, 98, 99, 100, 102]))).toEqual({ kind: 'within the spread' });
    expect(compare(slow, { ...fast, load: 2 })).toEqual({
      kind: 'not compared',
      reason: 'now, the machine was busy: 2.0 cores',
    });
    expect(compare(slow, { ...fast, line: line({ statistic: 'max' }) }).kind).toBe('not compared');
  });
});
