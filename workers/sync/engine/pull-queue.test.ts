/** When pulls are due: by time that passed, whatever is done to the device's clock. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PullQueue } from './pull-queue.ts';

const EVERY_MS = 60_000;

/** A device whose clock is set as the steps say, and a queue on it that has just pulled everything. */
function queueAfterPull() {
  const device = { elapsedMs: 0, skewMs: 0 };
  const clock = {
    now: () => device.elapsedMs + device.skewMs,
    elapsed: () => device.elapsedMs,
    later: () => () => {},
  };
  const queue = new PullQueue(clock);
  expect(queue.take()).toEqual({ kind: 'timed' });
  return { device, queue };
}

const steps = fc.array(
  fc.record({ passMs: fc.nat({ max: 30_000 }), skewMs: fc.integer({ min: -1e12, max: 1e12 }) }),
  { maxLength: 20 },
);

test('a pull is due after the interval and not before, however often the clock is set', () => {
  fc.assert(
    fc.property(steps, (all) => {
      const { device, queue } = queueAfterPull();
      let pulledAtMs = 0;
      for (const { passMs, skewMs } of all) {
        device.elapsedMs += passMs;
        device.skewMs = skewMs;
        const isDue = device.elapsedMs - pulledAtMs >= EVERY_MS;
        expect(queue.take()).toEqual(isDue ? { kind: 'timed' } : null);
        if (isDue) pulledAtMs = device.elapsedMs;
      }
    }),
  );
});

test('a failure holds pulls back for as long as it says, however often the clock is set', () => {
  fc.assert(
    fc.property(steps, fc.nat({ max: 120_000 }), (all, holdMs) => {
      const { device, queue } = queueAfterPull();
      queue.requestAll();
      queue.holdFor(holdMs);
      for (const { passMs, skewMs } of all) {
        device.elapsedMs += passMs;
        device.skewMs = skewMs;
        const isDue = device.elapsedMs >= holdMs;
        const job = queue.take();
        expect(job).toEqual(isDue ? { kind: 'timed' } : null);
        if (job !== null) return;
      }
    }),
  );
});
