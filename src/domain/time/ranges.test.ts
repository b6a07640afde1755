import { describe, expect, it } from 'vitest';
import { REFRESH_RATES, TIME_RANGES, allowedRate, isRateAllowed, rangeForAge } from './ranges.ts';

describe('refresh rates', () => {
  it('an hour or more disables 15s and 30s; three hours or more also 2m and 3m', () => {
    expect(isRateAllowed('15s', '15m')).toBe(true);
    expect(isRateAllowed('15s', '1h')).toBe(false);
    expect(isRateAllowed('30s', '1h')).toBe(false);
    expect(isRateAllowed('60s', '1h')).toBe(true);
    expect(isRateAllowed('2m', '2h')).toBe(true);
    expect(isRateAllowed('2m', '3h')).toBe(false);
    expect(isRateAllowed('3m', '5y')).toBe(false);
  });

  it('a choice that becomes disabled falls back to the next allowed one', () => {
    expect(allowedRate('15s', '1h')).toBe('60s');
    expect(allowedRate('2m', '6h')).toBe('5m');
    expect(allowedRate('None', '5y')).toBe('None');
  });

  it('the fallback is always allowed, for every rate and range', () => {
    for (const rate of REFRESH_RATES) {
      for (const range of TIME_RANGES)
        expect(isRateAllowed(allowedRate(rate, range.value), range.value)).toBe(true);
    }
  });
});

describe('the drawer’s first range', () => {
  it('covers the age of the last run, from 1h to 5y', () => {
    expect(rangeForAge(null)).toBe('1h');
    expect(rangeForAge(60_000)).toBe('1h');
    expect(rangeForAge(90 * 60_000)).toBe('2h');
    expect(rangeForAge(25 * 3_600_000)).toBe('2d');
    expect(rangeForAge(1e15)).toBe('5y');
  });
});
