/**
 * Counts attempts per key in fixed windows, in memory of this process. It knows nothing of users: the caller
 * chooses keys so that one attacker can't use up the attempts of somebody else.
 */
import type { Platform } from '../../../platform/platform.ts';

const MAX_KEYS = 10_000;

export interface AttemptLimiter {
  /** Counts one attempt; answers 0 when it may go on, else the seconds to wait. */
  take(key: string): number;
  /** What `take` would answer, without counting. */
  peek(key: string): number;
  /** Takes one attempt back: it was a success. */
  refund(key: string): void;
  /** Forgets a key after a success. */
  clear(key: string): void;
}

export interface AttemptLimit {
  attempts: number;
  windowMs: number;
  /** How many keys are kept; the oldest are forgotten first. */
  maxKeys?: number;
}

interface Window {
  startMs: number;
  count: number;
}

/** Past `maxKeys` keys the oldest windows are forgotten. */
export function createAttemptLimiter(
  platform: Platform,
  { attempts, windowMs, maxKeys = MAX_KEYS }: AttemptLimit,
): AttemptLimiter {
  const windows = new Map<string, Window>();

  const current = (key: string): Window | null => {
    const found = windows.get(key);
    return found !== undefined && platform.now() - found.startMs < windowMs ? found : null;
  };
  const waitSeconds = ({ startMs }: Window) =>
    Math.max(1, Math.ceil((startMs + windowMs - platform.now()) / 1000));

  function open(key: string): Window {
    const made = { startMs: platform.now(), count: 0 };
    windows.delete(key);
    windows.set(key, made);
    // The oldest window goes first: memory stays bounded while somebody tries many names.
    const oldest = windows.size > maxKeys ? windows.keys().next().value : undefined;
    if (oldest !== undefined) windows.delete(oldest);
    return made;
  }

  return {
    take(key) {
      const counted = current(key) ?? open(key);
      counted.count += 1;
      return counted.count <= attempts ? 0 : waitSeconds(counted);
    },
    peek(key) {
      const found = current(key);
      return found === null || found.count < attempts ? 0 : waitSeconds(found);
    },
    refund(key) {
      const found = current(key);
      if (found !== null) found.count = Math.max(0, found.count - 1);
    },
    clear(key) {
      windows.delete(key);
    },
  };
}
