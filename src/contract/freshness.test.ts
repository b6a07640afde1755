import { expect, test } from 'vitest';
import { HEARTBEAT_MS } from './sync.ts';
import { freshnessOf } from './freshness.ts';

const at = (silenceMs: number, expectMs = 10_000) =>
  freshnessOf({ asOfMs: 1_000_000, nowMs: 1_000_000 + silenceMs, expectMs });

test('one late heartbeat is still fresh, two missing are ageing, three are stale', () => {
  expect(at(0)).toBe('fresh');
  expect(at(19_000)).toBe('fresh');
  expect(at(21_500)).toBe('ageing');
  expect(at(31_400)).toBe('ageing');
  expect(at(31_500)).toBe('stale');
  expect(at(3_600_000)).toBe('stale');
});

test('on a live line that falls silent, stale is said within half a minute of the last sign of life', () => {
  // The status is brought up to now once a second.
  expect(at(29_000, HEARTBEAT_MS)).toBe('stale');
});

test('a slower rate makes longer silence normal', () => {
  expect(at(100_000, 60_000)).toBe('fresh');
  expect(at(130_000, 60_000)).toBe('ageing');
  expect(at(190_000, 60_000)).toBe('stale');
});

test('what was never complete is not fresh', () => {
  expect(freshnessOf({ asOfMs: null, nowMs: 5, expectMs: 10_000 })).toBe('stale');
});

test('a server ahead of this clock is not taken for silence', () => {
  expect(at(-5000)).toBe('fresh');
});
