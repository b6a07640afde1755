/** An answer that says that something goes on is asked for again by the clock, for as long as it says so. */
import { expect, test } from 'vitest';
import { subscribeCached } from './cached-subscription.ts';

/** Time that moves only when it is told to. */
function createClock() {
  let nowMs = 0;
  const waiting = new Set<{ atMs: number; run: () => void }>();
  return {
    waiting,
    elapsed: () => nowMs,
    later(delayMs: number, run: () => void) {
      const one = { atMs: nowMs + delayMs, run };
      waiting.add(one);
      return () => waiting.delete(one);
    },
    report: (error: unknown) => {
      throw error;
    },
    async go(ms: number) {
      nowMs += ms;
      for (const one of [...waiting].filter(({ atMs }) => atMs <= nowMs)) {
        waiting.delete(one);
        one.run();
      }
      for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
    },
  };
}

test('it is followed until it is over, and not after it was closed', async () => {
  const clock = createClock();
  const answers = ['running', 'running', 'completed'];
  const seen: string[] = [];
  const subscription = subscribeCached(
    clock,
    {
      fromCache: async () => null,
      fromServer: async () => ({
        value: answers[seen.length] ?? 'asked too often',
        asOfMs: 0,
        source: 'server' as const,
        isPartial: false,
      }),
      pollMs: (value) => (value === 'running' ? 2000 : null),
    },
    (answer) => {
      if (answer.ok) seen.push(answer.value.value);
    },
  );
  await clock.go(0);
  expect(seen).toEqual(['running']);
  await clock.go(1000);
  expect(seen).toEqual(['running']);
  await clock.go(1000);
  await clock.go(2000);
  expect(seen).toEqual(['running', 'running', 'completed']);
  await clock.go(60_000);
  expect(seen).toHaveLength(3);
  subscription.stop();
  expect(clock.waiting.size).toBe(0);
});
