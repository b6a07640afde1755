/**
 * A device with an outbox for tests: the real store, outbox and sender on an in-memory database that outlives
 * crashes, a clock that runs only while everybody waits, and workers that can be stopped at any await.
 */
import { IDBFactory } from 'fake-indexeddb';
import { randomUUID } from 'node:crypto';
import type { CollectionName, ReplicatedRow } from '../../src/contract/collections.ts';
import { createAnnouncer } from '../../workers/sync/tabs/announcer.ts';
import { createHttpClient, type HttpClient } from '../../workers/sync/network/http-client.ts';
import {
  createCommandTransport,
  type CommandTransport,
} from '../../workers/sync/outbox/transport/command-transport.ts';
import { Outbox } from '../../workers/sync/outbox/outbox.ts';
import type { OutboxStore } from '../../workers/sync/outbox/outbox-port.ts';
import { openOutboxStore } from '../../workers/sync/outbox/outbox-store.ts';
import { Sender } from '../../workers/sync/outbox/sender.ts';
import { createServerClock } from '../../workers/sync/network/server-clock.ts';
import { createBus } from './node-sync-platform.ts';

export const STORE_NAME = 'holdfast-test';
export const USER = '0192d5a4-0000-7000-8000-0000000000ff';
const START_MS = Date.parse('2024-06-01T12:00:00.000Z');
/** Turns of the event loop in which nothing may happen before the clock moves on. */
const QUIET_TURNS = 40;

export interface TestClock {
  now: () => number;
  /** The clock stands still until this is over. */
  hold<T>(work: Promise<T>): Promise<T>;
  later(delayMs: number, callback: () => void): () => void;
  /** Lets everything run, moving the clock from timer to timer, until `isDone` or nothing is left to wait for. */
  runUntil(isDone: () => boolean | Promise<boolean>, maxMs?: number): Promise<void>;
}

export function createTestClock(): TestClock {
  let nowMs = START_MS;
  let ids = 0;
  let busy = 0;
  const timers = new Map<number, { atMs: number; callback: () => void }>();
  const quiet = async () => {
    for (let turn = 0; turn < QUIET_TURNS; turn += 1) {
      await new Promise<void>((resolve) => void setImmediate(resolve));
      if (busy > 0) turn = 0;
    }
  };
  return {
    now: () => nowMs,
    hold(work) {
      busy += 1;
      return work.finally(() => {
        busy -= 1;
      });
    },
    later(delayMs, callback) {
      ids += 1;
      const id = ids;
      timers.set(id, { atMs: nowMs + Math.max(0, delayMs), callback });
      return () => timers.delete(id);
    },
    async runUntil(isDone, maxMs = 24 * 60 * 60_000) {
      const endMs = nowMs + maxMs;
      for (;;) {
        await quiet();
        if (await isDone()) return;
        const [next] = [...timers].toSorted(([, a], [, b]) => a.atMs - b.atMs);
        if (next === undefined || next[1].atMs > endMs) return;
        timers.delete(next[0]);
        nowMs = Math.max(nowMs, next[1].atMs);
        next[1].callback();
      }
    },
  };
}

/** Stops a worker for good: at that many-th step before (even) or after (odd) it was done. */
export interface Crash {
  at: number;
  steps: number;
}

const never = () => new Promise<never>(() => {});

function crashing<T extends object>(target: T, crash: Crash, hold = <R>(work: Promise<R>) => work): T {
  return new Proxy(target, {
    get(object, key, receiver) {
      const value: unknown = Reflect.get(object, key, receiver);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        const before = crash.steps;
        crash.steps += 2;
        if (crash.at <= before) return never();
        const result: unknown = value.apply(object, args);
        if (!(result instanceof Promise)) return result;
        const held = hold(result);
        return crash.at === before + 1 ? held.then(never) : held;
      };
    },
  });
}

export interface Worker {
  outbox: Outbox;
  store: OutboxStore;
  sender: Sender;
  errors: unknown[];
  unauthorized: number;
  /** How often a pull was asked for that shows what was accepted. */
  pullsAsked: number;
  /** Deliveries of which the server accepted something. */
  acceptances: number;
  /** Claims and sends until it is stopped. */
  start(): Promise<{ stop: () => Promise<void>; epoch: number }>;
}

export interface Device {
  clock: TestClock;
  idb: IDBFactory;
  rows: Map<string, ReplicatedRow>;
  isOnline: boolean;
  context(): { userId: string; nowMs: number; readRow: typeof readNothing };
  open(crash?: Crash): Worker;
  /** Hears what its workers tell each other. */
  listen(listener: (message: unknown) => void): () => void;
}

function readNothing(_collection: CollectionName, _id: string): Promise<ReplicatedRow | null> {
  return Promise.resolve(null);
}

export interface DeviceOptions {
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  clock: TestClock;
  random?: () => number;
  transportOf?: (http: HttpClient, serverNow: () => number) => CommandTransport;
}

export function createDevice({ fetch, clock, random, transportOf }: DeviceOptions): Device {
  const bus = createBus();
  const idb = new IDBFactory();
  const device: Device = {
    clock,
    idb,
    rows: new Map(),
    isOnline: true,
    context: () => ({
      userId: USER,
      nowMs: clock.now(),
      readRow: (_, id) => Promise.resolve(device.rows.get(id) ?? null),
    }),
    listen: (listener) => bus.listen(listener),
    open(crash = { at: Number.POSITIVE_INFINITY, steps: 0 }) {
      const errors: unknown[] = [];
      // Nobody hears what he says himself.
      let isSpeaking = false;
      const announce = (message: unknown) => {
        isSpeaking = true;
        bus.announce(message);
        isSpeaking = false;
      };
      const listen = (listener: (message: unknown) => void) =>
        bus.listen((message) => {
          if (!isSpeaking) listener(message);
        });
      const platform = {
        now: () => clock.now(),
        random: random ?? (() => 0.5),
        newId: () => randomUUID(),
        later: (delayMs: number, callback: () => void) => clock.later(delayMs, callback),
        fetch: (url: string, init: RequestInit) => fetch(url, init),
        openEvents: () => ({ close: () => {} }),
        origin: 'http://test',
        idb,
        announce,
        listen,
        holdLock: () => Promise.resolve(),
        elapsed: () => clock.now(),
        estimateStorage: async () => ({ usedBytes: null, quotaBytes: null }),
        report: (error: unknown) => void errors.push(error),
      };
      const serverClock = createServerClock(platform);
      const serverNow = () => serverClock.now();
      const store = openOutboxStore({ idb, storeName: STORE_NAME, newId: platform.newId, serverNow });
      const outbox = new Outbox({
        platform,
        store: crashing(store, crash, (work) => clock.hold(work)),
        storeName: STORE_NAME,
        announce: createAnnouncer(platform, STORE_NAME, () => {}),
      });
      const http = crashing(createHttpClient(platform, serverClock), crash);
      const worker: Worker = {
        outbox,
        store,
        errors,
        unauthorized: 0,
        pullsAsked: 0,
        acceptances: 0,
        sender: new Sender({
          platform,
          outbox,
          transport: (transportOf ?? createCommandTransport)(http, serverNow),
          serverNow,
          isDeviceOnline: () => device.isOnline,
          onUnauthorized: () => {
            worker.unauthorized += 1;
          },
          onAwaitingPull: () => {
            worker.pullsAsked += 1;
          },
          onAccepted: () => {
            worker.acceptances += 1;
          },
        }),
        async start() {
          const epoch = await outbox.claim();
          const stopping = new AbortController();
          const running = worker.sender.run(stopping.signal, epoch);
          return {
            epoch,
            stop: async () => {
              stopping.abort();
              await running;
            },
          };
        },
      };
      return worker;
    },
  };
  return device;
}
