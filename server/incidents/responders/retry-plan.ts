/** When what failed is tried again: sooner at first, within a working day, as the outside system asks where it does. */
import { asOutsideFailure } from './adapters/outside-failure.ts';
import type { OutsideFailure } from './adapters/outside-failure.ts';

const MINUTE_MS = 60_000;
/** After the first attempt, the second …; after the last of these nobody tries by himself. */
const WAITS_MS = [MINUTE_MS / 2, 2 * MINUTE_MS, 10 * MINUTE_MS, 60 * MINUTE_MS, 240 * MINUTE_MS];

export interface Verdict {
  failure: OutsideFailure;
  /** Null: given up until somebody asks for another try. */
  nextAttemptAt: Date | null;
}

/** `nextAttemptAt` null: it is not tried again. */
export function verdictOn(error: unknown, { attempts, nowMs }: { attempts: number; nowMs: number }): Verdict {
  const failure = asOutsideFailure(error);
  const waitMs = failure.retryable ? WAITS_MS[attempts - 1] : undefined;
  if (waitMs === undefined) return { failure, nextAttemptAt: null };
  return { failure, nextAttemptAt: new Date(nowMs + Math.max(waitMs, failure.retryAfterMs ?? 0)) };
}
