/** Upstream has half its time for others, whatever an agent's calls take and whatever it does between them. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createPushPace } from './push-pace.ts';

const { signal } = new AbortController();

test('no call begins before as long has passed as the last one took', async () => {
  const ms = fc.integer({ min: 0, max: 1900 });
  await fc.assert(
    fc.asyncProperty(fc.array(fc.record({ call: ms, own: ms, isLost: fc.boolean() })), async (steps) => {
      let nowMs = 1000;
      const pace = createPushPace({
        now: () => nowMs,
        sleep: async (waitMs) => {
          nowMs += waitMs;
        },
      });
      let endedMs = 0;
      let tookMs = 0;
      for (const { call, own, isLost } of steps) {
        let beganMs = Number.NaN;
        const called = pace.call(signal, async () => {
          beganMs = nowMs;
          nowMs += call;
          if (isLost) throw new Error('the line was cut');
        });
        if (isLost) await expect(called).rejects.toThrow('the line was cut');
        else await called;
        expect(beganMs).toBeGreaterThanOrEqual(endedMs + tookMs);
        endedMs = nowMs;
        tookMs = call;
        nowMs += own;
      }
    }),
  );
});

test('what is done between two calls counts, and a clock that is put back holds up nothing', async () => {
  let nowMs = 10_000;
  const sleeps: number[] = [];
  const pace = createPushPace({ now: () => nowMs, sleep: async (waitMs) => void sleeps.push(waitMs) });
  const call = () =>
    pace.call(signal, async () => {
      nowMs += 100;
    });
  await call();
  nowMs += 40;
  await call();
  nowMs += 100;
  await call();
  nowMs -= 3_600_000;
  await call();
  expect(sleeps).toEqual([60, 2000]);
});
