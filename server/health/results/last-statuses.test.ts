import { expect, test } from 'vitest';
import { LastStatuses } from './last-statuses.ts';

test('a result repeats when it says what the last one of its check said', () => {
  const last = new LastStatuses(10);
  const told = [true, true, false, false, true].map((status) => last.isRepeat('a', status));
  expect(told).toEqual([false, true, false, true, false]);
  expect(last.isRepeat('b', true)).toBe(false);
});

test('checks that no longer run are forgotten, those that run are not', () => {
  const last = new LastStatuses(3);
  for (const gone of ['x', 'y', 'z']) {
    last.isRepeat(gone, true);
    last.isRepeat('a', true);
    last.isRepeat('b', false);
  }
  expect(last.isRepeat('a', true)).toBe(true);
  expect(last.isRepeat('b', false)).toBe(true);
  expect(last.isRepeat('x', true)).toBe(false);
});
