import { describe, expect, it } from 'vitest';
import { nodePlatform } from '../../../platform/platform.ts';
import { createAttemptLimiter } from './attempt-limiter.ts';

function limiterAt(startMs: number) {
  let nowMs = startMs;
  const limiter = createAttemptLimiter(
    { ...nodePlatform, now: () => nowMs },
    { attempts: 3, windowMs: 60_000 },
  );
  return { limiter, advance: (ms: number) => (nowMs += ms) };
}

describe('counting attempts', () => {
  it('lets so many through, then says how long to wait', () => {
    const { limiter, advance } = limiterAt(1000);
    expect([limiter.take('a'), limiter.take('a'), limiter.take('a')]).toEqual([0, 0, 0]);
    expect(limiter.take('a')).toBe(60);
    advance(59_500);
    expect(limiter.take('a')).toBe(1);
    advance(500);
    expect(limiter.take('a')).toBe(0);
  });

  it('counts each key alone, and forgets one after a success', () => {
    const { limiter } = limiterAt(0);
    for (let attempt = 0; attempt < 4; attempt += 1) limiter.take('a');
    expect(limiter.take('b')).toBe(0);
    limiter.clear('a');
    expect(limiter.take('a')).toBe(0);
  });

  it('stays bounded when somebody tries very many names', () => {
    const { limiter } = limiterAt(0);
    for (let attempt = 0; attempt < 4; attempt += 1) limiter.take('first');
    expect(limiter.take('first')).toBeGreaterThan(0);
    for (let name = 0; name < 10_001; name += 1) limiter.take(`name ${name}`);
    expect(limiter.take('first')).toBe(0);
  });
});
