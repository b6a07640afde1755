import { expect, test } from 'vitest';
import { StoreHealth } from './store-health.ts';

function start(rebuild: () => Promise<void> = () => Promise.resolve()) {
  const device = { nowMs: 0, rebuilds: 0, reports: [] as unknown[] };
  const health = new StoreHealth({
    platform: { elapsed: () => device.nowMs, report: (error) => device.reports.push(error) },
    rebuild: () => {
      device.rebuilds += 1;
      return rebuild();
    },
  });
  return { device, health };
}
const settled = () => new Promise((resolve) => setTimeout(resolve));

test('a disk that is full breaks nothing', async () => {
  const { device, health } = start();
  health.suspect(new DOMException('', 'QuotaExceededError'));
  await settled();
  expect(device.rebuilds).toBe(0);
  expect(health.condition()).toBe('fine');
});

test('a store that fails is rebuilt once, however many errors come meanwhile', async () => {
  const { device, health } = start();
  expect(health.condition()).toBe('fine');
  health.suspect(new Error('gone'));
  health.suspect(new Error('gone'));
  await settled();
  expect(device.rebuilds).toBe(1);
  expect(health.condition()).toBe('rebuilt');
});

test('one that fails again at once is not rebuilt over and over, but tried again later', async () => {
  const { device, health } = start();
  health.suspect(new Error('gone'));
  await settled();
  device.nowMs = 10_000;
  health.suspect(new Error('gone again'));
  expect(device.rebuilds).toBe(1);
  expect(health.condition()).toBe('broken');
  device.nowMs = 120_000;
  health.suspect(new Error('once more'));
  await settled();
  expect(device.rebuilds).toBe(2);
  expect(health.condition()).toBe('rebuilt');
});

test('a rebuild that fails is reported, and does not keep the next one from being tried', async () => {
  const { device, health } = start(() => Promise.reject(new Error('no')));
  health.suspect(new Error('gone'));
  await settled();
  device.nowMs = 120_000;
  health.suspect(new Error('gone'));
  await settled();
  expect(device.rebuilds).toBe(2);
  expect(device.reports.length).toBe(4);
});
