import fc from 'fast-check';
import { expect, test } from 'vitest';
import { backoffMs } from './backoff.ts';
import { createServerClock } from './server-clock.ts';

test('the estimate is never farther off than half the fastest answer plus the resolution', () => {
  const trips = fc.array(
    fc.record({ out: fc.integer({ min: 0, max: 2000 }), back: fc.integer({ min: 0, max: 2000 }) }),
    {
      minLength: 1,
      maxLength: 20,
    },
  );
  fc.assert(
    fc.property(trips, fc.integer({ min: -1_000_000, max: 1_000_000 }), (all, offsetMs) => {
      const clock = createServerClock(() => 0);
      let sentMs = 0;
      for (const { out, back } of all) {
        clock.observe({
          sentMs,
          receivedMs: sentMs + out + back,
          serverMs: sentMs + out + offsetMs,
          resolutionMs: 1,
        });
        sentMs += 5000;
      }
      const fastest = Math.min(...all.map(({ out, back }) => out + back));
      expect(Math.abs(clock.offsetMs() - offsetMs)).toBeLessThanOrEqual(fastest / 2 + 1.5);
    }),
    { seed: 3, numRuns: 300 },
  );
});

test('a clock that was set is followed at once', () => {
  const clock = createServerClock(() => 0);
  clock.observe({ sentMs: 0, receivedMs: 10, serverMs: 5, resolutionMs: 1 });
  clock.observe({ sentMs: 100, receivedMs: 110, serverMs: 3_600_105, resolutionMs: 1 });
  expect(Math.abs(clock.offsetMs() - 3_600_000)).toBeLessThan(10);
});

test('before any answer the device clock counts', () => {
  expect(createServerClock(() => 42).now()).toBe(42);
});

test('waiting grows to half a minute, is random from zero, and obeys the server', () => {
  expect(backoffMs(1, () => 0, null)).toBe(0);
  expect(backoffMs(1, () => 0.999, null)).toBeLessThan(1000);
  expect(backoffMs(40, () => 1, null)).toBe(30_000);
  expect(backoffMs(1, () => 0, 7000)).toBe(7000);
});
