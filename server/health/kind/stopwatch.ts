/**
 * Measures how long a service took to answer, without the time in which this process was busy with something else: an
 * answer that lay in the socket while the event loop was blocked is not a slow answer.
 * While anything is measured, the loop is looked at every LOOK_MS. What has not arrived by the end of one poll arrived
 * after it; so of the time since the last look, everything beyond the usual distance is our own and is taken off. What
 * is left may be up to LOOK_MS too long, and is never longer than what passed.
 */
import { setImmediate as endOfPoll } from 'node:timers/promises';
import type { Platform } from '../../platform/platform.ts';

const LOOK_MS = 10;

interface Loop {
  users: number;
  lastPollMs: number;
}

const loops = new WeakMap<Platform, Loop>();

async function look(platform: Platform, loop: Loop): Promise<void> {
  while (loop.users > 0) {
    await platform.sleep(LOOK_MS);
    // Timers come before the poll: what lay in a socket meanwhile is told first.
    await endOfPoll();
    loop.lastPollMs = platform.now();
  }
}

function join(platform: Platform): Loop {
  const known = loops.get(platform);
  if (known !== undefined && known.users > 0) {
    known.users += 1;
    return known;
  }
  const loop: Loop = { users: 1, lastPollMs: platform.now() };
  loops.set(platform, loop);
  void look(platform, loop);
  return loop;
}

export interface Stopwatch {
  /** Starts anew, as what is to be measured begins now. */
  restart(): void;
  /** ms since the start, as far as they are the service's. */
  elapsedMs(): number;
  /** Aborts after so long, unless what would end the wait has arrived by then. */
  limit(limitMs: number): AbortSignal;
  /** Ends the measuring; call it in any case. */
  stop(): void;
}

/** Runs from now on; `restart` begins anew where preparing is not to count. */
export function startStopwatch(platform: Platform): Stopwatch {
  const loop = join(platform);
  const done = new AbortController();
  let startedMs = platform.now();
  return {
    restart() {
      startedMs = platform.now();
    },
    elapsedMs() {
      const nowMs = platform.now();
      const blockedMs = nowMs - Math.max(loop.lastPollMs, startedMs) - 2 * LOOK_MS;
      return Math.max(0, nowMs - startedMs - Math.max(0, blockedMs));
    },
    limit(limitMs) {
      const limit = new AbortController();
      const wait = async () => {
        await platform.sleep(limitMs, done.signal);
        await endOfPoll();
        if (!done.signal.aborted) limit.abort();
      };
      void wait();
      return limit.signal;
    },
    stop() {
      if (done.signal.aborted) return;
      done.abort();
      loop.users -= 1;
    },
  };
}
