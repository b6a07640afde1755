/** The stream on a line that fails: by a clock of its own, so that what takes half a minute takes no time here. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { AppError } from '../../../src/contract/errors.ts';
import { EVENT_NAMES, HEARTBEAT_MS } from '../../../src/contract/sync.ts';
import { EventFeed } from './event-feed.ts';
import { LineProbe } from './line-probe.ts';
import type { EventHandlers, SyncPlatform } from '../platform.ts';

const START = Date.parse('2026-01-01T00:00:00Z');

class Line {
  nowMs = START;
  /** Nothing passes, and nothing fails. */
  isSilent = false;
  /** Calls are answered, streams never open. */
  isStreamStuck = false;
  opened = 0;
  opens = 0;
  lost: boolean[] = [];
  firstLosses = 0;
  private timers: { atMs: number; callback: () => void }[] = [];
  private readonly streams = new Set<EventHandlers>();

  later = (delayMs: number, callback: () => void) => {
    const timer = { atMs: this.nowMs + delayMs, callback };
    this.timers.push(timer);
    return () => {
      this.timers = this.timers.filter((one) => one !== timer);
    };
  };

  openEvents: SyncPlatform['openEvents'] = (_url, _names, handlers) => {
    this.opened += 1;
    if (!this.isSilent && !this.isStreamStuck) {
      this.streams.add(handlers);
      this.later(50, () => handlers.onOpen());
    }
    return { close: () => this.streams.delete(handlers) };
  };

  /** Lets time pass; the server's heart beats on the streams that it knows of. */
  async pass(ms: number): Promise<void> {
    const untilMs = this.nowMs + ms;
    while (this.nowMs < untilMs) {
      this.nowMs += 50;
      const due = this.timers.filter(({ atMs }) => atMs <= this.nowMs);
      this.timers = this.timers.filter(({ atMs }) => atMs > this.nowMs);
      for (const { callback } of due) callback();
      if ((this.nowMs - START) % HEARTBEAT_MS === 0) this.beat();
      // What was promised meanwhile goes on.
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  private beat(): void {
    // What was open when the line fell silent stays dead.
    if (this.isSilent) this.streams.clear();
    const data = JSON.stringify({ server_time: new Date(this.nowMs).toISOString() });
    for (const stream of this.streams) stream.onEvent(EVENT_NAMES.heartbeat, data);
  }
}

let line: Line;
let feed: EventFeed;
let probe: LineProbe;
const over = new AbortController();

beforeEach(() => {
  line = new Line();
  const platform = {
    later: line.later,
    random: () => 0.99,
    origin: '',
    openEvents: line.openEvents,
    report: (error: unknown) => {
      throw error;
    },
  } as unknown as SyncPlatform;
  probe = new LineProbe({
    platform,
    isDeviceOnline: () => true,
    http: {
      json: () => Promise.reject(new Error('not asked here')),
      send: ({ timeoutMs = 30_000 }) =>
        new Promise((resolve, reject) => {
          const answer = { status: 200, headers: new Headers(), text: '' };
          if (!line.isSilent) line.later(50, () => resolve(answer));
          else line.later(timeoutMs, () => reject(new AppError('timeout', '')));
        }),
    },
    onAnswer: () => feed.reopen(),
  });
  feed = new EventFeed(platform, over.signal, {
    cursor: () => null,
    onOpen: () => {
      line.opens += 1;
    },
    onChanges: () => {},
    onHeartbeat: () => {},
    onSignedOut: () => {},
    onLost: (isSilent, isFirst) => {
      line.lost.push(isSilent);
      if (isFirst) line.firstLosses += 1;
      if (isSilent) probe.begin(over.signal);
    },
  });
});
afterEach(() => probe.end());

test('a stream that fell silent is given up, and is back within five seconds of the line', async () => {
  await line.pass(30_000);
  expect(line.opens).toBe(1);
  // However long it lasts: each attempt to open one hangs as well.
  for (const spellMs of [40_000, 93_000, 600_000]) {
    line.isSilent = true;
    await line.pass(spellMs);
    expect(line.lost.at(-1)).toBe(true);
    line.isSilent = false;
    const before = line.opens;
    await line.pass(5000);
    expect(line.opens).toBe(before + 1);
  }
});

test('an attempt that never opens is given up by itself', async () => {
  line.isSilent = true;
  feed.reopen();
  const before = line.opened;
  await line.pass(60_000);
  expect(line.opened).toBeGreaterThan(before + 1);
});

test('where only the stream has trouble it is tried again with patience, not as fast as the line answers', async () => {
  line.isStreamStuck = true;
  feed.reopen();
  await line.pass(60_000);
  expect(line.opened).toBeLessThan(8);
});

test('a loss is news once: after it was open, and after an outage', async () => {
  await line.pass(30_000);
  const before = line.firstLosses;
  line.isSilent = true;
  await line.pass(120_000);
  expect(line.firstLosses).toBe(before + 1);
  feed.reopenAfterOutage();
  await line.pass(120_000);
  expect(line.firstLosses).toBe(before + 2);
});
