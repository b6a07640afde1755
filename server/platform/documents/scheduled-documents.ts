/**
 * Documents of a kind that run on schedules and when asked (scrapers, topologies). It owns which of them run on this
 * server and when, and that the database's are followed; how one runs is the kind's matter.
 */
import type { Schedule } from '../../../src/domain/check/schedule.ts';
import type { LeasedRole } from '../jobs/leased-role.ts';
import type { Leases } from '../jobs/leases.ts';
import { nextRunMs } from '../jobs/next-run.ts';
import { createScheduler, type Scheduler } from '../jobs/scheduler.ts';
import type { Logger } from '../logger.ts';
import type { Platform } from '../platform.ts';

/** Of a cron line's distance nothing is known; another run within this is the same one. */
const CRON_MIN_AGE_MS = 20_000;

/** A run that was asked for stands for the scheduled one that falls together with it. */
function minAgeOf(schedule: Schedule): number {
  return schedule.kind === 'every' ? schedule.everyMs / 2 : CRON_MIN_AGE_MS;
}

/** `unknown`: there is no such document; `busy`: it is running; `refused`: its specification is wrong. */
export type RunAnswer<Details> = Details | 'unknown' | 'busy' | 'refused';

export interface ScheduledKind<Running, Details> {
  /** Plural, as the scheduler and its leases are called. */
  name: string;
  /** Servers on one database share the documents in so many parts. */
  parts: number;
  /** How many run at once on one server. */
  concurrency: number;
  get: (id: string) => Running | undefined;
  scheduleOf: (running: Running) => Schedule;
  /** When each ran last (ms), by id. */
  lastRuns: () => Promise<Iterable<readonly [id: string, ms: number]>>;
  isKnown: (id: string) => Promise<boolean>;
  /** Changes with every document of the database. */
  databaseMark: () => Promise<string>;
  syncDatabase: () => Promise<void>;
  /** Null when it runs already, here or elsewhere, or did less than `minAgeMs` ago. */
  run: (running: Running, signal: AbortSignal, minAgeMs: number) => Promise<Details | null>;
}

interface ScheduledDeps {
  platform: Platform;
  logger: Logger;
  leases: Pick<Leases, 'role'>;
}

/** One for each kind and server. */
export class ScheduledDocuments<Running, Details> {
  readonly scheduler: Scheduler;
  private readonly kind: ScheduledKind<Running, Details>;
  private readonly role: LeasedRole;
  private readonly stopping: AbortSignal;
  private readonly asked = new Set<Promise<unknown>>();
  private mark: string | null = null;

  constructor(
    { platform, logger, leases }: ScheduledDeps,
    kind: ScheduledKind<Running, Details>,
    stopping: AbortSignal,
  ) {
    this.kind = kind;
    this.stopping = stopping;
    const { name, parts, concurrency } = kind;
    this.role = leases.role(name, parts, { prepare: (isIn) => this.takeOver(isIn) });
    this.scheduler = createScheduler({
      name,
      platform,
      logger,
      concurrency,
      isOurs: (id) => this.role.leaseFor(id) !== null,
      runOne: (id, signal) => this.runScheduled(id, signal),
    });
  }

  /** Runs what is due until the server stops; resolves when nothing runs any more. */
  async run(): Promise<void> {
    await this.scheduler.run(this.stopping);
    await Promise.all(this.asked);
  }

  /** Runs one now and waits for it. */
  async runNow(id: string): Promise<RunAnswer<Details>> {
    if (!(await this.kind.isKnown(id))) return 'unknown';
    // It may have been written a moment ago.
    await this.followDatabase();
    const running = this.kind.get(id);
    if (running === undefined) return 'refused';
    const run = this.kind.run(running, this.stopping, 0);
    const settled = run.then(
      () => undefined,
      () => undefined,
    );
    this.asked.add(settled);
    try {
      return (await run) ?? 'busy';
    } finally {
      this.asked.delete(settled);
    }
  }

  /** Documents in the database may change at any time, by any writer. */
  async followDatabase(): Promise<void> {
    const mark = await this.kind.databaseMark();
    if (mark === this.mark) return;
    await this.kind.syncDatabase();
    this.mark = mark;
  }

  private async runScheduled(id: string, signal: AbortSignal): Promise<void> {
    const running = this.kind.get(id);
    if (running === undefined) return;
    const minAgeMs = minAgeOf(this.kind.scheduleOf(running));
    await this.role.during(id, () => this.kind.run(running, signal, minAgeMs));
  }

  /** What came from another server goes on in its rhythm. */
  private async takeOver(isIn: (id: string) => boolean): Promise<void> {
    const due = new Map<string, number>();
    for (const [id, lastMs] of await this.kind.lastRuns()) {
      const running = isIn(id) ? this.kind.get(id) : undefined;
      const nextMs = running === undefined ? null : nextRunMs(this.kind.scheduleOf(running), lastMs);
      if (nextMs !== null) due.set(id, nextMs);
    }
    this.scheduler.resume(due);
  }
}
