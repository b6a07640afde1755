/** What of the status changes by the passing of time or by silence alone. */
import { errorFacts } from '../../src/contract/errors.ts';
import { freshnessOf } from './freshness-machine.ts';
import type { ServerClock } from './server-clock.ts';
import type { StatusBoard } from './status-board.ts';

/** Smaller steps of the offset are noise of the estimate, not news. */
const OFFSET_STEP_MS = 50;

/** Brings freshness and the offset up to now; `expectMs` is how long silence is normal. */
export function ageStatus(board: StatusBoard, clock: ServerClock, expectMs: number): void {
  const status = board.get();
  const offsetMs = clock.offsetMs();
  board.patch({
    freshness: freshnessOf({ asOfMs: status.asOfMs, nowMs: clock.now(), expectMs }),
    ...(Math.abs(offsetMs - status.offsetMs) >= OFFSET_STEP_MS ? { offsetMs } : {}),
  });
}

/** The server doesn't say who is signed in. */
export function noteUnreachable(
  board: StatusBoard,
  error: unknown,
  { isDeviceOnline, nowMs }: { isDeviceOnline: boolean; nowMs: number },
): void {
  const facts = errorFacts(error);
  const isOffline = facts.code === 'network' && !isDeviceOnline;
  board.patch({
    connection: isOffline ? 'offline' : 'server-unreachable',
    downSinceMs: board.get().downSinceMs ?? nowMs,
    lastError: isOffline ? null : facts,
  });
}
