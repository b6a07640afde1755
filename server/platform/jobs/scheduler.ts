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
import { runLoop } from './background-loop.ts';
import { nextRunMs } from './next-run.ts';

/** Fine enough for intervals of a second, coarse enough to cost nothing. */
const TICK_MS = 50;
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

/** Nothing is due later than it can be by now. */
function bringCloser(entries: Iterable<Entry>, now: number): void {
  for (const entry of entries) {
    const nextMs = nextRunMs(entry.schedule, now);
    if (entry.dueMs !== null && nextMs !== null) entry.dueMs = Math.min(entry.dueMs, nextMs);
  }
}

/** `isOurs` says whether an entry is this server's share; an entry is known by its id. */
export function createScheduler(deps: SchedulerDeps): Scheduler {
  const { platform, logger, concurrency, name, runOne, isOurs = () => true } = deps;
  const entries = new Map<string, Entry>();
  const running = new Map<string, Promise<void>>();
  const toResume = new Map<string, number>();
  let lookedMs = Number.NEGATIVE_INFINITY;

  const firstRun = (schedule: Schedule) => firstRunMs(schedule, entries.size + 1, platform);

  /** Once for each time that it was told: a document that changes later runs soon. */
  const dueOnArrival = (id: string, schedule: Schedule): number | null => {
    const told = toResume.get(id);
    toResume.delete(id);
    const now = platform.now();
    const isToCome = told !== undefined && told > now && told <= (nextRunMs(schedule, now) ?? 0);
    return isToCome ? told : firstRun(schedule);
  };

  const start = (id: string, entry: Entry, signal: AbortSignal) => {
    const dueMs = entry.dueMs ?? platform.now();
    entry.dueMs = runAfter(entry.schedule, dueMs, platform.now());
    const run = runOne(id, signal)
      .catch((error: unknown) => logger.error({ err: error, id }, 'a scheduled run failed'))
      .finally(() => running.delete(id));
    running.set(id, run);
  };

  const startDue = (signal: AbortSignal) => {
    const now = platform.now();
    if (now < lookedMs - SET_BACK_MS) bringCloser(entries.values(), now);
    lookedMs = now;
    const due = dueAt(entries, now, (id) => !running.has(id) && isOurs(id));
    for (const [id, entry] of due.slice(0, concurrency - running.size)) start(id, entry, signal);
  };

  return {
    set(id, schedule) {
      const known = entries.get(id);
      if (known !== undefined && sameSchedule(known.schedule, schedule)) return;
      const dueMs = known === undefined ? dueOnArrival(id, schedule) : firstRun(schedule);
      entries.set(id, { schedule, dueMs });
    },
    remove(id) {
      entries.delete(id);
    },
    nextRunMs: (id) => entries.get(id)?.dueMs ?? null,
    resume(ids) {
      for (const [id, nextMs] of ids) {
        toResume.set(id, nextMs);
        const entry = entries.get(id);
        if (entry !== undefined) entry.dueMs = dueOnArrival(id, entry.schedule);
      }
    },
    async run(signal) {
      const run = () => Promise.resolve(startDue(signal));
      await runLoop({ platform, logger }, { name, everyMs: TICK_MS, run }, signal);
      await Promise.all(running.values());
    },
    stats: () => ({ scheduled: entries.size, running: running.size }),
  };
}
