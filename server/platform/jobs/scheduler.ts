/**
 * Starts what runs on a schedule (canaries, scrapers) when it is due. One loop for all, so that ten thousand cost as
 * little as ten.
 * - Nothing runs twice at the same time, nor sooner after its last start than its schedule allows.
 * - At most `concurrency` run at once; what is due waits in order of its time. Overload delays runs and leaves
 *   some out, it never piles them up: each has one next run, however late it is.
 * - First runs are spread, so that a restart with many of them is not a storm.
 * - A clock that is set back leaves nothing waiting until it is there again.
 * - Of several servers, each starts what is its own (`isOurs`); what came to it from another goes on in its rhythm.
 */
import type { Schedule } from '../../../src/domain/check/schedule.ts';
import { minDistanceMs } from '../../../src/domain/check/schedule.ts';
import type { Logger } from '../logger.ts';
import type { Platform } from '../platform.ts';
import { Pause, runLoop, type WakeSource } from './background-loop.ts';
import { nextRunMs } from './next-run.ts';

/** Fine enough for intervals of a second; what is due within it starts together. */
const TICK_MS = 50;
/** Also while nothing is due: a clock that was set, and what became this server's share. */
const LOOK_EVERY_MS = 1000;
/** First runs are spread over this much each … */
const SPREAD_EACH_MS = 100;
/** … and never over more than this. */
const MAX_SPREAD_MS = 30_000;
/** Clocks that are kept in step go back by less. */
const SET_BACK_MS = 1000;

export interface Scheduler {
  /** Adds one, or gives it another schedule. A new one runs soon; a kept schedule keeps its next run. */
  set(id: string, schedule: Schedule): void;
  remove(id: string): void;
  /** ms; null when it isn't scheduled. */
  nextRunMs(id: string): number | null;
  /** What came to this server from another is due when that one said. */
  resume(ids: ReadonlyMap<string, number>): void;
  /** Runs until the signal aborts; resolves when nothing runs any more. */
  run(signal: AbortSignal): Promise<void>;
  stats(): { scheduled: number; running: number };
}

interface Entry {
  schedule: Schedule;
  dueMs: number | null;
}

interface SchedulerDeps {
  platform: Platform;
  logger: Logger;
  concurrency: number;
  /** As in the log. */
  name: string;
  /** Whether this server runs it; all of them unless given. */
  isOurs?: (id: string) => boolean;
  /** Runs one; what it throws is logged and does not stop the loop. */
  runOne: (id: string, signal: AbortSignal) => Promise<void>;
}

function sameSchedule(a: Schedule, b: Schedule): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Soon; the more there are, the farther apart. */
function firstRunMs(
  schedule: Schedule,
  count: number,
  platform: Pick<Platform, 'now' | 'random'>,
): number | null {
  if (schedule.kind === 'never') return null;
  const limit = schedule.kind === 'every' ? Math.min(schedule.everyMs, MAX_SPREAD_MS) : MAX_SPREAD_MS;
  return platform.now() + platform.random() * Math.min(limit, count * SPREAD_EACH_MS);
}

/** Keeps the rhythm where it can; after a delay of more than a whole interval it starts a new one. */
function runAfter(schedule: Schedule, dueMs: number, now: number): number | null {
  const isFarBehind = schedule.kind === 'every' && now - dueMs > schedule.everyMs;
  const next = nextRunMs(schedule, schedule.kind === 'every' && !isFarBehind ? dueMs : now);
  return next === null ? null : Math.max(next, now + minDistanceMs(schedule));
}

/** What is due and may start, in order of its time. */
function dueAt(
  entries: ReadonlyMap<string, Entry>,
  now: number,
  mayStart: (id: string) => boolean,
): [string, Entry][] {
  const due: [string, Entry][] = [];
  for (const [id, entry] of entries) {
    if (entry.dueMs !== null && entry.dueMs <= now && mayStart(id)) due.push([id, entry]);
  }
  return due.toSorted(([, a], [, b]) => (a.dueMs ?? 0) - (b.dueMs ?? 0));
}

/** When the first of ours is due, also one that still runs; what waits for a place is due now. */
function soonestMs(entries: ReadonlyMap<string, Entry>, isOurs: (id: string) => boolean): number {
  let soonest = Number.POSITIVE_INFINITY;
  for (const [id, { dueMs }] of entries) if (dueMs !== null && dueMs < soonest && isOurs(id)) soonest = dueMs;
  return soonest;
}

/** Nothing is due later than it can be by now. */
function bringCloser(entries: Iterable<Entry>, now: number): void {
  for (const entry of entries) {
    const nextMs = nextRunMs(entry.schedule, now);
    if (entry.dueMs !== null && nextMs !== null) entry.dueMs = Math.min(entry.dueMs, nextMs);
  }
}

class LoopScheduler implements Scheduler {
  private readonly deps: SchedulerDeps;
  private readonly isOurs: (id: string) => boolean;
  private readonly entries = new Map<string, Entry>();
  private readonly running = new Map<string, Promise<void>>();
  private readonly toResume = new Map<string, number>();
  private lookedMs = Number.NEGATIVE_INFINITY;
  private nextLookMs = Number.NEGATIVE_INFINITY;
  private lookNow: () => void = () => undefined;

  constructor(deps: SchedulerDeps) {
    this.deps = deps;
    this.isOurs = deps.isOurs ?? (() => true);
  }

  set(id: string, schedule: Schedule): void {
    const known = this.entries.get(id);
    if (known !== undefined && sameSchedule(known.schedule, schedule)) return;
    const dueMs = known === undefined ? this.dueOnArrival(id, schedule) : this.firstRun(schedule);
    this.entries.set(id, { schedule, dueMs });
    this.lookBy(dueMs);
  }

  remove(id: string): void {
    this.entries.delete(id);
  }

  nextRunMs(id: string): number | null {
    return this.entries.get(id)?.dueMs ?? null;
  }

  resume(ids: ReadonlyMap<string, number>): void {
    for (const [id, nextMs] of ids) {
      this.toResume.set(id, nextMs);
      const entry = this.entries.get(id);
      if (entry === undefined) continue;
      entry.dueMs = this.dueOnArrival(id, entry.schedule);
      this.lookBy(entry.dueMs);
    }
  }

  async run(signal: AbortSignal): Promise<void> {
    const changed: WakeSource = (wake) => {
      this.lookNow = wake;
      return () => (this.lookNow = () => undefined);
    };
    const run = () => Promise.resolve(this.startDue(signal));
    const loop = { name: this.deps.name, everyMs: LOOK_EVERY_MS, wakes: [changed], run };
    await runLoop(this.deps, loop, signal);
    await Promise.all(this.running.values());
  }

  stats(): { scheduled: number; running: number } {
    return { scheduled: this.entries.size, running: this.running.size };
  }

  private firstRun(schedule: Schedule): number | null {
    return firstRunMs(schedule, this.entries.size + 1, this.deps.platform);
  }

  /** Once for each time that it was told: a document that changes later runs soon. */
  private dueOnArrival(id: string, schedule: Schedule): number | null {
    const told = this.toResume.get(id);
    this.toResume.delete(id);
    const now = this.deps.platform.now();
    const isToCome = told !== undefined && told > now && told <= (nextRunMs(schedule, now) ?? 0);
    return isToCome ? told : this.firstRun(schedule);
  }

  private lookBy(dueMs: number | null): void {
    if (dueMs !== null && dueMs < this.nextLookMs) this.lookNow();
  }

  private start(id: string, entry: Entry, signal: AbortSignal): void {
    const { platform, logger, runOne } = this.deps;
    const dueMs = entry.dueMs ?? platform.now();
    entry.dueMs = runAfter(entry.schedule, dueMs, platform.now());
    const run = runOne(id, signal)
      .catch((error: unknown) => logger.error({ err: error, id }, 'a scheduled run failed'))
      .finally(() => this.running.delete(id));
    this.running.set(id, run);
  }

  private startDue(signal: AbortSignal): Pause {
    const { entries, running, isOurs } = this;
    const now = this.deps.platform.now();
    if (now < this.lookedMs - SET_BACK_MS) bringCloser(entries.values(), now);
    this.lookedMs = now;
    const due = dueAt(entries, now, (id) => !running.has(id) && isOurs(id));
    for (const [id, entry] of due.slice(0, this.deps.concurrency - running.size))
      this.start(id, entry, signal);
    this.nextLookMs = Math.max(now + TICK_MS, soonestMs(entries, isOurs));
    return new Pause(this.nextLookMs - now);
  }
}

/** `isOurs` says whether an entry is this server's share; an entry is known by its id. */
export const createScheduler = (deps: SchedulerDeps): Scheduler => new LoopScheduler(deps);
