import { expect, test } from 'vitest';
import { monthCost } from './month-cost.ts';

test('a cost is shown where day, week and month are all known: the month, and how the last day differs', () => {
  expect(monthCost({ day: 1, week: 7, month: 30 })).toEqual({ month: 30, percent: null });
  expect(monthCost({ day: 2, week: 7, month: 30 })).toEqual({ month: 30, percent: 100 });
  for (const missing of ['day', 'week', 'month'])
    expect(monthCost({ day: 1, week: 7, month: 30, [missing]: 0 })).toBeNull();
});
