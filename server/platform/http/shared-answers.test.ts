import { describe, expect, it, vi } from 'vitest';
import { nodePlatform } from '../platform.ts';
import { createSharedAnswers } from './shared-answers.ts';

function counting() {
  let nowMs = 0;
  let runs = 0;
  const shared = createSharedAnswers({ ...nodePlatform, now: () => nowMs });
  const ask = (key: string, keepMs: number) =>
    shared.share(key, keepMs, () => {
      runs += 1;
      return Promise.resolve(`${key} ${runs}`);
    });
  return { shared, ask, runs: () => runs, advance: (ms: number) => (nowMs += ms) };
}

describe('shared answers', () => {
  it('two that ask at once share one answer; the next asks anew', async () => {
    const { ask, runs } = counting();
    expect(await Promise.all([ask('a', 0), ask('a', 0), ask('b', 0)])).toEqual(['a 1', 'a 1', 'b 2']);
    expect(await ask('a', 0)).toBe('a 3');
    expect(runs()).toBe(3);
  });

  it('are kept as long as allowed, and no longer', async () => {
    const { ask, advance } = counting();
    expect(await ask('a', 1000)).toBe('a 1');
    advance(999);
    expect(await ask('a', 1000)).toBe('a 1');
    advance(1);
    expect(await ask('a', 1000)).toBe('a 2');
  });

  it('are let go of when their time is over, whether or not somebody asks again', async () => {
    vi.useFakeTimers();
    const { ask } = counting();
    expect(await ask('a', 1000)).toBe('a 1');
    vi.advanceTimersByTime(1000);
    // By its clock, which stands, the answer would still be fresh.
    expect(await ask('a', 1000)).toBe('a 2');
    vi.useRealTimers();
  });

  it('never keep a failure', async () => {
    const { shared, ask } = counting();
    await expect(shared.share('a', 1000, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await ask('a', 1000)).toBe('a 1');
  });

  it('stay few', async () => {
    const { ask, runs } = counting();
    for (let key = 0; key < 30; key += 1) await ask(`key ${key}`, 1000);
    await ask('key 29', 1000);
    expect(runs()).toBe(30);
    await ask('key 0', 1000);
    expect(runs()).toBe(31);
  });
});
