import { expect, test } from 'vitest';
import { parseDuration, parseSize } from './duration.ts';
import { minDistanceMs, parseSchedule } from './schedule.ts';

test.each([
  ['@every 1m30s', { kind: 'every', everyMs: 90_000 }],
  ['@every 2s', { kind: 'every', everyMs: 2000 }],
  ['@hourly', { kind: 'cron', expression: '0 * * * *' }],
  ['*/1 * * * *', { kind: 'cron', expression: '*/1 * * * *' }],
  ['@never', { kind: 'never' }],
])('the schedule %s is understood', (schedule, expected) => {
  expect(parseSchedule({ schedule, interval: 7 })).toEqual(expected);
});

test.each(['8 46 *', 'every 30 @minutes', '@every', '@every 0s', '@every -5m', '@sometimes'])(
  'the schedule %s is refused',
  (schedule) => {
    expect(parseSchedule({ schedule })).toBeNull();
  },
);

test('an interval counts in seconds, and without any the default is five minutes', () => {
  expect(parseSchedule({ interval: 30 })).toEqual({ kind: 'every', everyMs: 30_000 });
  expect(parseSchedule({})).toEqual({ kind: 'every', everyMs: 300_000 });
  expect(parseSchedule({ interval: -1 })).toBeNull();
});

test('runs keep ten seconds apart unless the specification asks for less, and one second always', () => {
  const every = (everyMs: number) => minDistanceMs({ kind: 'every', everyMs });
  expect([every(60_000), every(2000), every(10)]).toEqual([10_000, 2000, 1000]);
  expect(minDistanceMs({ kind: 'cron', expression: '* * * * *' })).toBe(10_000);
});

test('durations and sizes read as people write them', () => {
  expect(['1m30s', '7d', '100ms', '-1h', '0', '5', 'm', '1x'].map(parseDuration)).toEqual([
    90_000,
    604_800_000,
    100,
    -3_600_000,
    0,
    null,
    null,
    null,
  ]);
  expect(['25b', '50M', '1GB', '2GiB', '10', '1.5k', 'x'].map(parseSize)).toEqual([
    25,
    52_428_800,
    1_073_741_824,
    2_147_483_648,
    10,
    1536,
    null,
  ]);
});
