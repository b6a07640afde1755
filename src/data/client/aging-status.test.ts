/** A page whose worker is gone doesn't go on calling itself live. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SyncStatus } from '../../contract/worker.ts';
import { freshnessOf } from '../../contract/freshness.ts';
import { createAgingStatus } from './aging-status.ts';
import { FIRST_STATUS } from './first-status.ts';

const START_MS = 1_000_000;

/** A page with a clock that the test moves. */
function page() {
  let nowMs = START_MS;
  let timers: { atMs: number; run: () => void }[] = [];
  const status = createAgingStatus(
    { now: () => nowMs, later: (delayMs, run) => timers.push({ atMs: nowMs + delayMs, run }) },
    FIRST_STATUS,
  );
  const pass = (ms: number) => {
    const untilMs = nowMs + ms;
    for (;;) {
      const next = timers.toSorted((a, b) => a.atMs - b.atMs).find(({ atMs }) => atMs <= untilMs);
      if (next === undefined) break;
      timers = timers.filter((timer) => timer !== next);
      nowMs = next.atMs;
      next.run();
    }
    nowMs = untilMs;
  };
  return { status, pass, now: () => nowMs, timers: () => timers.length };
}
const live = (asOfMs: number, over: Partial<SyncStatus> = {}): SyncStatus => ({
  ...FIRST_STATUS,
  connection: 'live',
  freshness: 'fresh',
  asOfMs,
  expectMs: 9000,
  offsetMs: 0,
  ...over,
});

test('a worker that says nothing more leaves a page that is ageing, then stale, and then not looked at', () => {
  const { status, pass, timers } = page();
  const heard: string[] = [];
  status.subscribe(() => heard.push(status.get().freshness));
  status.set(live(START_MS));
  pass(24 * 60 * 60_000);
  expect(heard).toEqual(['fresh', 'ageing', 'stale']);
  expect(status.isSilent()).toBe(true);
  expect(timers()).toBe(0);
  status.set(live(START_MS + 24 * 60 * 60_000));
  expect(status.get().freshness).toBe('fresh');
  expect(status.isSilent()).toBe(false);
  status.set(live(START_MS, { freshness: 'stale' }));
  expect(status.isSilent()).toBe(false);
});

test('what a worker tells that is there stands, whatever it is', () => {
  const { status, pass, now } = page();
  fc.assert(
    fc.property(fc.array(fc.nat(9000)), (waits) => {
      for (const wait of waits) {
        pass(wait);
        const told = live(now());
        status.set(told);
        expect(status.get()).toBe(told);
      }
    }),
  );
});

test('a page is never called fresher, for longer than a sign of life takes, than its last word is', () => {
  fc.assert(
    fc.property(
      fc.record({
        expectMs: fc.integer({ min: 1000, max: 60_000 }),
        offsetMs: fc.integer({ min: -9e5, max: 9e5 }),
      }),
      fc.nat(600_000),
      ({ expectMs, offsetMs }, silenceMs) => {
        const { status, pass, now } = page();
        status.set(live(START_MS + offsetMs, { expectMs, offsetMs }));
        pass(silenceMs);
        const rank = ['fresh', 'ageing', 'stale'];
        const before = now() + offsetMs - expectMs - 3000;
        const due = freshnessOf({ asOfMs: START_MS + offsetMs, nowMs: before, expectMs });
        expect(rank.indexOf(status.get().freshness)).toBeGreaterThanOrEqual(rank.indexOf(due));
      },
    ),
  );
});
