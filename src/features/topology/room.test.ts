import { expect, test } from 'vitest';
import { messages } from './messages.ts';
import { fullAt } from './room.ts';

test('a device that has as many components as it keeps says so, and no other', () => {
  expect([0, 10_000, 49_999].map(fullAt)).toEqual([null, null, null]);
  expect(fullAt(50_000)).toBe(50_000);
  expect(messages.full(50_000)).toMatch(/keeps 50.000 components/);
});
