/**
 * Work that waits in a table until it is done: mails, events, calls. Owns who does what when; each queue describes its
 * table, what is done with an item, and when what failed is tried again. Invariants:
 * - An item is one worker's at a time, of all servers on the database: it has a lease (leases.ts), which a server that
 *   was killed or frozen loses, and then another one goes on.
 * - How an attempt ended is written together with the end of its lease, or refused when the lease is lost: of all
 *   attempts at an item one ends it.
 * - Each attempt is counted before it begins, so that one that takes the process down with it counts.
 * - What failed comes again later, and is given up in the end, where people see it.
 */
import type { Database, Queryable } from '../db/database.ts';
import type { Logger } from '../logger.ts';
import type { Platform } from '../platform.ts';
import { runLoop, type Loop, type WakeSource } from './background-loop.ts';
import type { Lease } from './held-lease.ts';
import type { JobMetrics } from './job-metrics.ts';
import { dueKeys, type QueueTable } from './lease-queue-query.ts';
import { validLeases, type Leases } from './leases.ts';

/** How an attempt ended; `write` is what the database is told of it. */
export interface AttemptEnd {
  kind: 'done' | 'retried' | 'dead';
  write: (tx: Queryable) => Promise<unknown>;
}

export interface LeaseQueueSpec<Item extends { id: string }> {
  /** As in the log, the metrics and the names of leases. */
  name: string;
  table: QueueTable<Item>;
  /** Attempts at once, of one server. */
  concurrency: number;
  /** What others wrote, and what is due again, is found by looking. */
  everyMs: number;
  wakes?: readonly WakeSource[];
  /** When the loop ends, attempts that go on are waited for this long; to their end unless given. */
  graceMs?: number;
  /** `lease` is for what has to be written before the end (`requireLease`); the end is written with it anyway. */
  handle: (item: Item, signal: AbortSignal, lease: Lease) => Promise<AttemptEnd>;
  /** What `handle` threw; null: it says nothing about the item, which is to be had at once. */
  failed: (item: Item, error: unknown, signal: AbortSignal) => AttemptEnd | null;
  /** After the end was written. */
  ended?: (item: Item) => void;
}

export interface LeaseQueueDeps {
  db: Database;
  platform: Pick<Platform, 'now' | 'sleep'>;
  logger: Logger;
  leases: Pick<Leases, 'takeAll'>;
  metrics?: JobMetrics | undefined;
}

export interface LeaseQueue {
  /** Looks at once; call it after the transaction that wrote an item. */
  wake(): void;
  /** Does what is due until nothing is; answers how many attempts that were. */
  drain(signal?: AbortSignal): Promise<number>;
  /** Until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
}

const NEVER = new AbortController().signal;

class TableQueue<Item extends { id: string }> implements LeaseQueue {
  private readonly deps: LeaseQueueDeps;
  private readonly spec: LeaseQueueSpec<Item>;
  private readonly running = new Set<Promise<void>>();
  private readonly wakers = new Set<() => void>();

  constructor(deps: LeaseQueueDeps, spec: LeaseQueueSpec<Item>) {
    this.deps = deps;
    this.spec = spec;
  }

  wake(): void {
    for (const waker of this.wakers) waker();
  }

  async drain(signal: AbortSignal = NEVER): Promise<number> {
    for (let taken = 0; ;) {
      const started = await this.startDue(signal);
      taken += started;
      if (started > 0) continue;
      if (this.running.size === 0) return taken;
      await Promise.race(this.running);
    }
  }

  async run(signal: AbortSignal): Promise<void> {
    const { name, everyMs, wakes = [], graceMs } = this.spec;
    const own: WakeSource = (wake) => {
      this.wakers.add(wake);
      return () => this.wakers.delete(wake);
    };
    const run = async () => ((await this.startDue(signal)) > 0 ? 'again' : null);
    const loop: Loop = { name, everyMs, wakes: [...wakes, own], run };
    await runLoop(this.deps, loop, signal);
    const ended = Promise.all(this.running);
    const isOver = new AbortController();
    const grace = graceMs === undefined ? [] : [this.deps.platform.sleep(graceMs, isOver.signal)];
    await Promise.race([ended, ...grace]);
    isOver.abort();
  }

  /** Starts as many as there is room for; answers how many attempts that were. */
  private async startDue(signal: AbortSignal): Promise<number> {
    const limit = this.spec.concurrency - this.running.size;
    if (signal.aborted || limit <= 0) return 0;
    const claimed = await this.claim(limit);
    for (const [item, lease] of claimed) {
      const attempt = this.attempt(item, lease, signal).finally(() => {
        this.running.delete(attempt);
        this.wake();
      });
      this.running.add(attempt);
    }
    return claimed.size;
  }

  private async claim(limit: number): Promise<Map<Item, Lease>> {
    const { db, leases, platform } = this.deps;
    const { name, table } = this.spec;
    const prefix = `${name}/`;
    for (;;) {
      const now = new Date(platform.now());
      const keys = await dueKeys(db, table, { prefix, now, limit });
      if (keys.length === 0) return new Map();
      const taken = await leases.takeAll(keys.map((key) => prefix + key));
      const byKey = new Map(taken.map((lease) => [lease.name.slice(prefix.length), lease]));
      const items = await this.count(byKey, now);
      const claimed = new Map<Item, Lease>();
      for (const item of items) {
        const lease = byKey.get(item.id);
        if (lease !== undefined) claimed.set(item, lease);
        byKey.delete(item.id);
      }
      // Done by another worker between our look and our lease.
      await Promise.all([...byKey.values()].map((lease) => lease.release()));
      if (claimed.size > 0) return claimed;
    }
  }

  /** Counts the attempts, where nobody else has had the item since we took it. */
  private async count(byKey: ReadonlyMap<string, Lease>, now: Date): Promise<Item[]> {
    if (byKey.size === 0) return [];
    return this.deps.db.transaction(async (tx) => {
      const valid = await validLeases(tx, byKey.values());
      const keys = [...byKey].filter(([, lease]) => valid.has(lease)).map(([key]) => key);
      return this.spec.table.claim(tx, keys, now);
    });
  }

  private async attempt(item: Item, lease: Lease, signal: AbortSignal): Promise<void> {
    const { logger, metrics } = this.deps;
    const { name } = this.spec;
    const about = { queue: name, item: item.id };
    const counts = metrics?.queue(name);
    if (counts !== undefined) counts.running += 1;
    try {
      const end = await this.work(item, AbortSignal.any([signal, lease.signal]), lease);
      if (end === null) return;
      const isWritten = await this.deps.db.transaction(async (tx) => {
        const isOurs = await lease.releaseIn(tx);
        if (isOurs) await end.write(tx);
        return isOurs;
      });
      if (counts !== undefined) counts[isWritten ? end.kind : 'lost'] += 1;
      if (isWritten) this.spec.ended?.(item);
      else logger.warn(about, 'the end of an attempt was refused: another server has the item now');
    } catch (error) {
      logger.error({ ...about, err: error }, 'the end of an attempt could not be written, it comes again');
    } finally {
      if (counts !== undefined) counts.running -= 1;
      await this.giveBack(lease);
    }
  }

  private async work(item: Item, signal: AbortSignal, lease: Lease): Promise<AttemptEnd | null> {
    try {
      return await this.spec.handle(item, signal, lease);
    } catch (error) {
      return this.spec.failed(item, error, signal);
    }
  }

  private async giveBack(lease: Lease): Promise<void> {
    await lease
      .release()
      .catch((error: unknown) => this.deps.logger.warn({ err: error }, 'a lease ends by itself'));
  }
}

/** One server's way to a queue. */
export function createLeaseQueue<Item extends { id: string }>(
  deps: LeaseQueueDeps,
  spec: LeaseQueueSpec<Item>,
): LeaseQueue {
  return new TableQueue(deps, spec);
}

/** Ever longer after each attempt, from 1. */
export function backoffMs(
  attempts: number,
  { firstMs, mostMs = Infinity }: { firstMs: number; mostMs?: number },
) {
  return Math.min(mostMs, firstMs * 2 ** Math.min(attempts - 1, 20));
}
