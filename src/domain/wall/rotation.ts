/**
 * Which board a wall shows. Boards take turns; a new red check stops them for a while, so that whoever looks up sees
 * what is new where it stood. Invariant: nothing turns while it is held.
 */
export interface Rotation {
  /** Place of the board in its list. */
  at: number;
  /** Since when it is shown, ms. */
  sinceMs: number;
  /** Until when it stays, whatever its time; 0 for not held. */
  heldUntilMs: number;
}

/** How long a new red check holds the board. */
export const HOLD_MS = 60_000;

/** The first board, from now on. */
export function startRotation(nowMs: number): Rotation {
  return { at: 0, sinceMs: nowMs, heldUntilMs: 0 };
}

/** The rotation as time goes on; the same object while nothing turns. `count` is how many boards there are. */
export function turn(
  rotation: Rotation,
  nowMs: number,
  { count, everyMs }: { count: number; everyMs: number },
): Rotation {
  const { at, sinceMs, heldUntilMs } = rotation;
  if (at >= Math.max(1, count)) return { ...rotation, at: 0, sinceMs: nowMs };
  // What was held gets its whole time again: it may have been held in the middle of it.
  if (count < 2 || nowMs < heldUntilMs || nowMs - Math.max(sinceMs, heldUntilMs) < everyMs) return rotation;
  return { at: (at + 1) % count, sinceMs: nowMs, heldUntilMs: 0 };
}

/** The board stays from now on. */
export function hold(rotation: Rotation, nowMs: number): Rotation {
  return { ...rotation, heldUntilMs: nowMs + HOLD_MS };
}
