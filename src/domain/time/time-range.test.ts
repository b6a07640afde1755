import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { evaluateDateMath } from './date-math.ts';
import {
  addRecent,
  boundsOf,
  MAPPED_RANGES,
  momentMs,
  momentText,
  parseRange,
  parseRecents,
  PAST_STEPS,
  rangeProblem,
  refusedRange,
  rangeLink,
  writeRange,
  type ChosenRange,
} from './time-range.ts';

const NOW = Date.parse('2024-03-15T15:45:30.500Z');
const moment = fc
  .date({ min: new Date('1990-01-01'), max: new Date('2090-01-01'), noInvalidDate: true })
  .map((date) => momentText(date.getTime()));
const anyRange: fc.Arbitrary<ChosenRange> = fc.oneof(
  fc
    .tuple(moment, moment)
    .filter(([a, b]) => a !== b)
    .map(([a, b]): ChosenRange => ({ kind: 'absolute', from: a < b ? a : b, to: a < b ? b : a })),
  fc.constantFrom(...PAST_STEPS).map(({ range }): ChosenRange => ({ kind: 'relative', range })),
  fc.constantFrom(...MAPPED_RANGES).map(({ name }): ChosenRange => ({ kind: 'mapped', name })),
);

describe('a range in a link', () => {
  it('is the same after being written and read again', () => {
    fc.assert(
      fc.property(anyRange, (range) => {
        expect(parseRange(writeRange(range))).toEqual(range);
      }),
    );
  });

  it('leaves nothing of the one before, and touches nothing else', () => {
    fc.assert(
      fc.property(anyRange, anyRange, (before, after) => {
        const search = { status: 'x', ...rangeLink(before), ...rangeLink(after) };
        expect(search).toEqual({ status: 'x', ...writeRange(after) });
        expect({ ...search, ...rangeLink(null) }).toEqual({ status: 'x' });
      }),
    );
  });

  it('that can’t be used is as good as none', () => {
    expect(parseRange({})).toBeNull();
    expect(parseRange({ rangeType: 'mapped', timeRange: 'Some day' })).toBeNull();
    expect(parseRange({ rangeType: 'relative', range: 'yesterday' })).toBeNull();
    expect(
      parseRange({ rangeType: 'absolute', from: '2024-01-02 00:00', to: '2024-01-01 00:00' }),
    ).toBeNull();
  });
});

describe('the moments of a range', () => {
  it('are never an empty stretch, whatever the name', () => {
    for (const { name } of MAPPED_RANGES) {
      const { after, before } = boundsOf({ kind: 'mapped', name }, NOW);
      const endMs = before === null ? NOW : Date.parse(before);
      expect(Date.parse(after ?? '')).toBeLessThan(endMs);
    }
  });

  it('of yesterday end where today begins', () => {
    const yesterday = boundsOf({ kind: 'mapped', name: 'Yesterday' }, NOW);
    const today = boundsOf({ kind: 'mapped', name: 'Today' }, NOW);
    expect(yesterday.before).toBe(today.after);
    expect(new Date(today.after ?? '').getHours()).toBe(0);
  });

  it('stay reckonable for relative ranges, behind and ahead', () => {
    for (const { range } of PAST_STEPS) expect(evaluateDateMath(range, NOW)).toBeLessThan(NOW);
    expect(boundsOf({ kind: 'relative', range: 'now-2d' }, NOW)).toEqual({ after: 'now-2d', before: null });
    expect(boundsOf({ kind: 'relative', range: 'now+2d' }, NOW)).toEqual({ after: 'now', before: 'now+2d' });
  });
});

describe('absolute ranges', () => {
  it('need both ends, in order, and real days', () => {
    const problem = (from: string, to: string) => rangeProblem({ kind: 'absolute', from, to });
    expect(problem('2024-01-01 00:00', '')).toBe('incomplete');
    expect(problem('2024-02-31 00:00', '2024-03-31 00:00')).toBe('not-a-time');
    expect(problem('2024-03-02 00:00', '2024-03-01 00:00')).toBe('reversed');
    expect(problem('2024-03-01 00:00', '2024-03-01 00:01')).toBeNull();
  });

  it('are minutes of the viewer’s clock', () => {
    fc.assert(
      fc.property(moment, (text) => {
        const atMs = momentMs(text);
        // An hour that is skipped in spring is read as the next one.
        if (atMs !== null && momentText(atMs) === text) expect(atMs % 60_000).toBe(0);
      }),
    );
  });
});

describe('recently used ranges', () => {
  const day = (n: number) => ({
    kind: 'absolute' as const,
    from: `2024-01-0${n} 00:00`,
    to: `2024-01-0${n + 1} 00:00`,
  });

  it('are at most four, and one used again moves to the front', () => {
    const five = [1, 2, 3, 4, 5].reduce((kept, n) => addRecent(kept, day(n)), parseRecents(null));
    expect(five).toEqual([day(5), day(4), day(3), day(2)]);
    expect(addRecent(five, day(3))).toEqual([day(3), day(5), day(4), day(2)]);
  });

  it('survive being kept, and nonsense is no range', () => {
    expect(parseRecents(JSON.stringify([day(1), { from: 1 }, null]))).toEqual([day(1)]);
    expect(parseRecents('{')).toEqual([]);
  });
});

describe('where one looks back', () => {
  it('no range that lies ahead is taken, typed or in a link', () => {
    for (const { range } of PAST_STEPS) {
      const ahead = range.replace('now-', 'now+');
      expect(rangeProblem({ kind: 'relative', range })).toBeNull();
      expect(rangeProblem({ kind: 'relative', range: ahead })).toBe('ahead');
      expect(parseRange({ rangeType: 'relative', range: ahead })).toBeNull();
    }
  });
});

describe('a range of a link that can’t be used', () => {
  it('is told, not passed over; a link without one has nothing to tell', () => {
    expect(refusedRange({ rangeType: 'mapped', timeRange: 'Last blue moon' })).toBe('unknown');
    expect(refusedRange({ rangeType: 'relative', range: 'now+1h' })).toBe('ahead');
    expect(refusedRange({ rangeType: 'relative', range: 'rubbish' })).toBe('not-a-time');
    expect(refusedRange({})).toBeNull();
    fc.assert(fc.property(anyRange, (range) => refusedRange(writeRange(range)) === null));
  });
});
