import { expect, test } from 'vitest';
import { createSlices } from './slices.ts';

test('work goes on at once within a slice, and lets others go first after it', async () => {
  let nowMs = 0;
  let turns = 0;
  const slices = createSlices({
    now: () => nowMs,
    later: () => {},
    nextTurn: async () => {
      turns += 1;
    },
  });
  for (const afterMs of [3, 7]) {
    nowMs = afterMs;
    await slices.pause();
  }
  expect(turns).toBe(0);
  nowMs = 8;
  await slices.pause();
  expect(turns).toBe(1);
  nowMs = 15;
  await slices.pause();
  expect(turns).toBe(1);
});
