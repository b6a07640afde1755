import { expect, test } from 'vitest';
import { costText, costTrend, isManyChanges, shortCount } from './numbers.ts';

test.each([
  [0, '0'],
  [999, '999'],
  [1000, '1k+'],
  [12_345, '12k+'],
])('%d is counted as %s', (count, text) => {
  expect(shortCount(count)).toBe(text);
});

test.each([
  [0, '$0.00'],
  [0.0052, '$0.005'],
  [1.234, '$1.23'],
  [12.34, '$12.3'],
  [123.4, '$123'],
  [12_345, '$12.3k'],
])('%d costs %s', (amount, text) => {
  expect(costText(amount)).toBe(text);
});

test('from 500 changes on an item is marked', () => {
  expect([499, 500].map(isManyChanges)).toEqual([false, true]);
});

test('a day is worth a badge only when it differs from the month by more than a tenth', () => {
  expect(costTrend({ cost1d: 1.1, cost30d: 30 })).toBeNull();
  expect(costTrend({ cost1d: 1.2, cost30d: 30 })).toBe(20);
  expect(costTrend({ cost1d: 0.5, cost30d: 30 })).toBe(-50);
  expect(costTrend({ cost1d: 1, cost30d: 0 })).toBeNull();
});
