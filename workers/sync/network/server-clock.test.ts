import fc from 'fast-check';
import { expect, test } from 'vitest';
import { backoffMs } from './backoff.ts';
import { createServerClock, type ServerClock } from './server-clock.ts';

/** A device whose clock stands still at that time. */
const standing = (nowMs: number) => ({ now: () => nowMs, elapsed: () => 0 });

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
      let [sentMs, nowMs] = [0, 0];
      const clock = createServerClock({ now: () => nowMs, elapsed: () => nowMs });
      for (const { out, back } of all) {
        nowMs = sentMs + out + back;
        clock.observe({
          sentMs,
          receivedMs: nowMs,
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
  let nowMs = 10;
  const clock = createServerClock({ now: () => nowMs, elapsed: () => nowMs });
  clock.observe({ sentMs: 0, receivedMs: 10, serverMs: 5, resolutionMs: 1 });
  nowMs = 110;
  clock.observe({ sentMs: 100, receivedMs: 110, serverMs: 3_600_105, resolutionMs: 1 });
  expect(Math.abs(clock.offsetMs() - 3_600_000)).toBeLessThan(10);
});

test('before any answer the device clock counts', () => {
  expect(createServerClock(standing(42)).now()).toBe(42);
});

/** What may happen to a device between two looks at its clock. */
const happenings = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('pass' as const), ms: fc.integer({ min: 0, max: 3_600_000 }) }),
    fc.record({ kind: fc.constant('set' as const), ms: fc.integer({ min: -86_400_000, max: 86_400_000 }) }),
    fc.record({ kind: fc.constant('answer' as const), ms: fc.integer({ min: 0, max: 30_000 }) }),
    fc.record({ kind: fc.constant('pushed' as const), ms: fc.integer({ min: 0, max: 60_000 }) }),
    fc.record({ kind: fc.constant('restart' as const), ms: fc.integer({ min: 0, max: 86_400_000 }) }),
  ),
  { maxLength: 40 },
);

/** A device, its clock, and the true time of a server whose clock nobody sets. */
class Device {
  trueMs = 1_000_000_000;
  private elapsedMs = 0;
  private skewMs: number;
  clock: ServerClock;

  constructor(skewMs: number) {
    this.skewMs = skewMs;
    this.clock = this.start();
  }

  happens({ kind, ms }: { kind: string; ms: number }): void {
    if (kind === 'set') this.skewMs += ms;
    if (kind === 'pass') this.pass(ms);
    if (kind === 'answer') {
      const sentMs = this.now();
      this.pass(ms);
      this.clock.observe({ sentMs, receivedMs: this.now(), serverMs: this.trueMs, resolutionMs: 1 });
    }
    if (kind === 'pushed') {
      const serverMs = this.trueMs;
      this.pass(ms);
      this.clock.observePushed(serverMs);
    }
    if (kind === 'restart') {
      const kept = this.clock.kept();
      this.trueMs += ms;
      this.elapsedMs = 0;
      this.clock = this.start();
      if (kept !== null) this.clock.restore(kept);
    }
  }

  private now(): number {
    return this.trueMs + this.skewMs;
  }

  private pass(ms: number): void {
    this.trueMs += ms;
    this.elapsedMs += ms;
  }

  private start(): ServerClock {
    return createServerClock({ now: () => this.now(), elapsed: () => this.elapsedMs });
  }
}

test('whatever is done to the device clock, and at every start, it is never before the newest time of the server', () => {
  fc.assert(
    fc.property(happenings, fc.integer({ min: -86_400_000, max: 86_400_000 }), (all, skewMs) => {
      const device = new Device(skewMs);
      let newestMs = Number.NEGATIVE_INFINITY;
      for (const one of all) {
        const beforeMs = device.trueMs;
        device.happens(one);
        if (one.kind === 'answer') newestMs = device.trueMs;
        if (one.kind === 'pushed') newestMs = Math.max(newestMs, beforeMs);
        if (one.kind === 'pass' && Number.isFinite(newestMs)) newestMs += one.ms;
        if (one.kind === 'restart' && Number.isFinite(newestMs))
          newestMs = Math.max(device.clock.kept()?.newestMs ?? 0, 0);
        expect(device.clock.now()).toBeGreaterThanOrEqual(newestMs);
      }
    }),
    { seed: 5, numRuns: 500 },
  );
});

test('a start with a clock two hours behind goes on where the server was heard last', () => {
  const before = createServerClock(standing(10_000_000));
  before.observe({ sentMs: 9_999_990, receivedMs: 10_000_000, serverMs: 9_999_995, resolutionMs: 1 });
  const kept = before.kept();
  const passed = { ms: 0 };
  const slow = { now: () => 10_000_000 - 7_200_000 + passed.ms, elapsed: () => passed.ms };
  const after = createServerClock(slow);
  if (kept !== null) after.restore(kept);
  passed.ms = 84_000;
  expect(after.now()).toBe(9_999_995 + 84_000);
});

test('a server whose own clock was set back is believed, by what it answers and not by what it pushes', () => {
  const clock = createServerClock(standing(0));
  clock.observe({ sentMs: 0, receivedMs: 10, serverMs: 7_200_000, resolutionMs: 1 });
  clock.observePushed(5);
  expect(clock.now()).toBeGreaterThan(7_100_000);
  clock.observe({ sentMs: 20, receivedMs: 30, serverMs: 25, resolutionMs: 1 });
  expect(clock.now()).toBeLessThan(1000);
});

test('waiting grows to half a minute, is random from zero, and obeys the server', () => {
  expect(backoffMs(1, () => 0, null)).toBe(0);
  expect(backoffMs(1, () => 0.999, null)).toBeLessThan(1000);
  expect(backoffMs(40, () => 1, null)).toBe(30_000);
  expect(backoffMs(1, () => 0, 7000)).toBe(7000);
});
