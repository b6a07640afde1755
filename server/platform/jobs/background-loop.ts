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
  /** 'again' for another run at once. */
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

  const once = async (): Promise<boolean> => {
    const startedMs = platform.now();
    try {
      const work = () => run(signal);
      const isMore = (role === undefined ? await work() : await role.during('', work)) === 'again';
      failures = 0;
      metrics?.loopRan(name, platform.now() - startedMs);
      return isMore;
    } catch (error) {
      failures += 1;
      metrics?.loopFailed(name);
      if (!signal.aborted) logger.error({ err: error, loop: name, failures }, 'a background loop failed');
      return false;
    }
  };

  if (firstAfterMs > 0 && !signal.aborted) await wait(firstAfterMs);
  while (!signal.aborted) {
    // Before the run, so that a wake during it is not lost.
    waiting = new AbortController();
    const isMore = await once();
    if (!isMore) await wait(Math.min(everyMs * 2 ** Math.min(Math.max(0, failures - 1), 20), slowestMs));
  }
  signal.removeEventListener('abort', wake);
  for (const stop of stops) stop();
}
