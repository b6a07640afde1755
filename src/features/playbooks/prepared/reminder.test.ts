import { expect, test } from 'vitest';
import { reminderOf } from './reminder.ts';

/** How often it is said over a row of moments: `3` is the server there and two runs prepared, `-3` the same without it. */
function saidOver(...moments: number[]): number {
  let state = { asks: false, wasAway: true };
  return moments.filter((moment) => {
    state = reminderOf(state, { isReachable: moment > 0, count: Math.abs(moment) - 1 });
    return state.asks;
  }).length;
}

test('it is said once at the start and once each time that the server is back, where something is prepared', () => {
  expect(saidOver(3, 3, 3)).toBe(1);
  expect(saidOver(-3, -3, 3, 3)).toBe(1);
  expect(saidOver(3, -3, 3, -3, 3)).toBe(3);
});

test('it is not said while the server is away, nor of nothing, nor of what was prepared just now', () => {
  expect(saidOver(-3, -3)).toBe(0);
  expect(saidOver(1, -1, 1)).toBe(0);
  expect(saidOver(1, 2, 3)).toBe(0);
});
