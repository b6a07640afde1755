import { describe, expect, it } from 'vitest';
import { formatAge, formatDuration, formatPercent, formatSpan, uptimePercent } from './format.ts';

describe('durations and ages', () => {
  it('writes ms, then s, then m, then h at the limits of spec 1 §9', () => {
    expect(formatDuration(999)).toBe('999ms');
    expect(formatDuration(1000)).toBe('1s');
    expect(formatDuration(59_900)).toBe('60s');
    expect(formatDuration(60_000)).toBe('1m');
    expect(formatDuration(3_600_000)).toBe('1h');
  });

  it('joins days, hours, minutes and seconds of what lasted longer than a second (spec 3 §9)', () => {
    expect([-5, 0, 999, 999.7, 1000].map(formatSpan)).toEqual(['0ms', '0ms', '999ms', '999ms', '1s']);
    expect(formatSpan(59_999)).toBe('59s');
    expect(formatSpan(3_600_000)).toBe('1h');
    expect(formatSpan(2 * 86_400_000 + 3 * 3_600_000 + 5 * 60_000 + 8999)).toBe('2d 3h 5m 8s');
  });

  it('never writes a negative age when the clocks disagree', () => {
    expect(formatAge(-5000)).toBe('0s');
    expect(formatAge(59_999)).toBe('59s');
    expect(formatAge(86_400_000)).toBe('1d');
  });
});

describe('uptime', () => {
  it('has no percentage before the first run', () => {
    expect(uptimePercent({ passed: 0, failed: 0 })).toBeNull();
  });

  it('one failure in a million is never shown as 100%', () => {
    expect(formatPercent(uptimePercent({ passed: 999_999, failed: 1 }) ?? 0)).toBe('99.9%');
    expect(formatPercent(100)).toBe('100.0%');
  });
});
