/** What of the status changes by the passing of time or by silence alone. */
import { errorFacts } from '../../../src/contract/errors.ts';
import { freshnessOf } from '../../../src/contract/freshness.ts';
import type { ServerClock } from '../network/server-clock.ts';
import type { StatusBoard } from './status-board.ts';

/** Smaller steps of the offset are noise of the estimate, not news. */
const OFFSET_STEP_MS = 50;

/** Brings freshness and the offset up to now. Only an answer takes back what silence has made of it. */
export function ageStatus(board: StatusBoard, clock: ServerClock): void {
  const { asOfMs, expectMs, offsetMs: toldMs } = board.get();
  const offsetMs = clock.offsetMs();
  board.patch({
    freshness: freshnessOf({ asOfMs, nowMs: clock.now(), expectMs }),
    ...(Math.abs(offsetMs - toldMs) >= OFFSET_STEP_MS ? { offsetMs } : {}),
  });
}

/** Why nothing new comes, as told: the server doesn't answer, or this device can't keep what it says. */
export function noteFailure(
  board: StatusBoard,
  error: unknown,
  { isDeviceOnline, nowMs }: { isDeviceOnline: boolean; nowMs: number },
): void {
  const facts = errorFacts(error);
  if (facts.code === 'quota' || facts.code === 'storage') {
    board.patch({ lastError: facts });
    return;
  }
  const isOffline = facts.code === 'network' && !isDeviceOnline;
  board.patch({
    connection: isOffline ? 'offline' : 'server-unreachable',
    downSinceMs: board.get().downSinceMs ?? nowMs,
    lastError: isOffline ? null : facts,
  });
}
