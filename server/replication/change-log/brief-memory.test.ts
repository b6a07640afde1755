import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { BriefMemory } from './brief-memory.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('whoever asks at the same time gets the same, and a moment later it is read anew and was let go', async () => {
  const memory = new BriefMemory<number>(() => Date.now());
  let reads = 0;
  const ask = () => memory.get(async () => (reads += 1));
  expect(await Promise.all([ask(), ask()])).toEqual([1, 1]);
  vi.advanceTimersByTime(1900);
  expect(await ask()).toBe(1);
  vi.advanceTimersByTime(200);
  expect(await ask()).toBe(2);
});

test('a failure is told to all who wait for it, and not remembered', async () => {
  const memory = new BriefMemory<string>(() => Date.now());
  const failed = () => memory.get(() => Promise.reject(new Error('no database')));
  const all = await Promise.allSettled([failed(), failed()]);
  expect(all.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await memory.get(async () => 'here')).toBe('here');
});
