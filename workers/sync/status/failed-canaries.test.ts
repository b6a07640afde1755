import { expect, test } from 'vitest';
import { FailedCanaries } from './failed-canaries.ts';

test('are not looked for beside the first screen, and told of from then on', async () => {
  const timers: (() => void)[] = [];
  let loads = 0;
  let isFirstLoad = true;
  const failed = new FailedCanaries({
    load: async () => {
      loads += 1;
      return [];
    },
    report: (error) => {
      throw error;
    },
    later: (_, run) => timers.push(run),
    isFirstLoad: () => isFirstLoad,
  });
  const told: number[] = [];
  failed.tellSoon();
  await failed.subscribe((canaries) => told.push(canaries.length));
  for (const run of timers.splice(0)) run();
  expect([loads, told]).toEqual([0, []]);
  isFirstLoad = false;
  for (const run of timers.splice(0)) run();
  await expect.poll(() => told).toEqual([0]);
  await failed.subscribe((canaries) => told.push(canaries.length));
  expect(told).toEqual([0, 0]);
});
