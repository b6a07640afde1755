import { expect, test } from 'vitest';
import type { Transition } from './group-by-hour.ts';
import { groupByHour } from './group-by-hour.ts';

const at = (time: string, state: Transition['state']): Transition => ({
  checkId: time,
  name: time,
  canaryName: 'c',
  state,
  at: time,
});

test('changes of one hour stand together with what they add up to, newest hour first', () => {
  const hours = groupByHour([
    at('2025-03-01T10:59:59Z', 'unhealthy'),
    at('2025-03-01T10:00:00Z', 'healthy'),
    at('2025-03-01T09:59:59Z', 'unhealthy'),
  ]);
  expect(
    hours.map(({ transitions, unhealthy, healthy }) => [transitions.length, unhealthy, healthy]),
  ).toEqual([
    [2, 1, 1],
    [1, 1, 0],
  ]);
});

test('nothing makes no hour', () => {
  expect(groupByHour([])).toEqual([]);
});
