/**
 * Counts attempts per key in a sliding row of windows, in memory of this process. It knows nothing of users:
 * the caller chooses keys so that one attacker can't use up the attempts of somebody else.
 */
import type { Platform } from '../platform.ts';

const MAX_KEYS = 10_000;

export interface AttemptLimiter {
  /** Counts one attempt; answers 0 when it may go on, else the seconds to wait. */
  take(key: string): number;
  /** Forgets a key after a success. */
  clear(key: string): void;
}

export function createAttemptLimiter(
  platform: Platform,
  limit: { attempts: number; windowMs: number },
): AttemptLimiter {
  const windows = new Map<string, { startMs: number; count: number }>();
  return {
    take(key) {
      const nowMs = platform.now();
      let current = windows.get(key);
      if (current === undefined || nowMs - current.startMs >= limit.windowMs) {
        windows.delete(key);
        current = { startMs: nowMs, count: 0 };
        windows.set(key, current);
        // The oldest window goes first: memory stays bounded while somebody tries many names.
        const oldest = windows.size > MAX_KEYS ? windows.keys().next().value : undefined;
        if (oldest !== undefined) windows.delete(oldest);
      }
      current.count += 1;
      if (current.count <= limit.attempts) return 0;
      return Math.max(1, Math.ceil((current.startMs + limit.windowMs - nowMs) / 1000));
    },
    clear(key) {
      windows.delete(key);
    },
  };
}
