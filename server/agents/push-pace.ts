/**
 * How fast an agent pushes: after each call as long as that took nothing is sent, so that upstream has half its time for
 * others. What the agent does meanwhile in its own database (marking what was stored, reading what is next) counts as pause.
 */
import type { Platform } from '../platform/platform.ts';

const LEAST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 2000;

export interface PushPace {
  /** Calls upstream once its pause is over, and begins the next one. */
  call: <T>(signal: AbortSignal, work: () => Promise<T>) => Promise<T>;
}

/** One for as long as the agent runs. */
export function createPushPace(platform: Pick<Platform, 'now' | 'sleep'>): PushPace {
  let nextMs = 0;
  return {
    async call(signal, work) {
      // A clock that was put back is no reason to wait longer.
      const waitMs = Math.min(nextMs - platform.now(), LONGEST_PAUSE_MS);
      if (waitMs > 0) await platform.sleep(waitMs, signal);
      const startedMs = platform.now();
      try {
        return await work();
      } finally {
        const endedMs = platform.now();
        nextMs = endedMs + Math.min(Math.max(endedMs - startedMs, LEAST_PAUSE_MS), LONGEST_PAUSE_MS);
      }
    },
  };
}
