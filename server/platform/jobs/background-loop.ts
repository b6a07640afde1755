/**
 * What a server does again and again beside its requests. Invariants: one run at a time; a wake during a run brings
 * another right after it; what fails is logged, and tried again ever later while it goes on failing; `runLoop`
 * resolves when the signal was aborted and the run that was going on has ended.
 */
import type { Logger } from '../logger.ts';
import type { Platform } from '../platform.ts';
import type { JobMetrics } from './job-metrics.ts';
import type { ChangeNotifier } from './change-notifier.ts';
import type { LeasedRole } from './leased-role.ts';

/** While it fails, a loop that runs more often than this slows down to it. */
const SLOWEST_RETRY_MS = 10_000;

/** Subscribes `wake`; answers how to end that. */
export type WakeSource = (wake: () => void) => () => void;

/** How long a loop waits for its next run. */
export class Pause {
  readonly ms: number;

  constructor(ms: number) {
    this.ms = ms;
  }
}

export interface LoopDeps {
  platform: Pick<Platform, 'now' | 'sleep'>;
  logger: Logger;
  metrics?: JobMetrics | undefined;
}

export interface Loop {
  /** As in the log and the metrics. */
  name: string;
  /** Between the end of a run and the next, unless it is woken. */
  everyMs: number;
  /** Before the first run; none unless given. */
  firstAfterMs?: number;
  wakes?: readonly WakeSource[];
  /** Only the server that has this role runs it. */
  role?: LeasedRole;
  /** Slowest pace while it fails; 10 s, or `everyMs` where that is longer. */
  slowestRetryMs?: number;
  /** 'again' for another run at once; a `Pause` for one sooner than `everyMs`. */
  run: (signal: AbortSignal) => Promise<unknown>;
}

/** Woken when this process writes one of these tables. */
export function onTables(notifier: Pick<ChangeNotifier, 'subscribe'>, names: Iterable<string>): WakeSource {
  const wanted = new Set(names);
  return (wake) =>
    notifier.subscribe((tables) => {
      if (tables.some((table) => wanted.has(table))) wake();
    });
}

/** Runs until the signal aborts. */
export async function runLoop(deps: LoopDeps, loop: Loop, signal: AbortSignal): Promise<void> {
  const { platform, logger, metrics } = deps;
  const { name, everyMs, firstAfterMs = 0, wakes = [], role, run } = loop;
  const slowestMs = Math.max(everyMs, loop.slowestRetryMs ?? SLOWEST_RETRY_MS);
  let waiting = new AbortController();
  const wake = () => waiting.abort();
  const sources = role === undefined ? wakes : [...wakes, role.onTaken];
  const stops = sources.map((subscribe) => subscribe(wake));
  signal.addEventListener('abort', wake);
  const wait = (ms: number) => platform.sleep(ms, waiting.signal);
  let failures = 0;

  /** Answers what to wait for before the next: ms, or null for nothing. */
  const once = async (): Promise<number | null> => {
    const startedMs = platform.now();
    try {
      const work = () => run(signal);
      const next: unknown = role === undefined ? await work() : await role.during('', work);
      failures = 0;
      metrics?.loopRan(name, platform.now() - startedMs);
      if (next === 'again') return null;
      return next instanceof Pause ? Math.min(next.ms, everyMs) : everyMs;
    } catch (error) {
      failures += 1;
      metrics?.loopFailed(name);
      if (!signal.aborted) logger.error({ err: error, loop: name, failures }, 'a background loop failed');
      return Math.min(everyMs * 2 ** Math.min(failures - 1, 20), slowestMs);
    }
  };

  if (firstAfterMs > 0 && !signal.aborted) await wait(firstAfterMs);
  while (!signal.aborted) {
    // Before the run, so that a wake during it is not lost.
    waiting = new AbortController();
    const pauseMs = await once();
    if (pauseMs !== null) await wait(pauseMs);
  }
  signal.removeEventListener('abort', wake);
  for (const stop of stops) stop();
}
