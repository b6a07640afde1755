/** What keeps a wall's screen well: pixels that move, darkness at night, and saying so when nothing comes any more. */

import { isWallAccount } from './wall-account.ts';

const MINUTE_MS = 60_000;
/** Places that the picture takes in turn, px from its own: no line stands on the same pixels for hours. */
const SHIFTS = [
  [0, 0],
  [3, 0],
  [3, 3],
  [0, 3],
  [-3, 3],
  [-3, 0],
  [-3, -3],
  [0, -3],
] as const;
const SHIFT_EVERY_MS = 2 * MINUTE_MS;

/** Where the picture stands now, px to the right and down. */
export function pixelShift(nowMs: number): readonly [number, number] {
  return SHIFTS[Math.floor(nowMs / SHIFT_EVERY_MS) % SHIFTS.length] ?? SHIFTS[0];
}

/** Whether a time of the day such as `23:10` lies between two others; over midnight where they are turned round. */
export function isDimmed(dim: { from: string; until: string } | null, time: string): boolean {
  if (dim === null || dim.from === dim.until) return false;
  const { from, until } = dim;
  return from < until ? time >= from && time < until : time >= from || time < until;
}

/** What a screen does that comes neither to its board nor to its code. */
export type Remedy = 'load again' | 'begin anew';

/** The first tries only load the page again; then what is kept here goes, which is all on the server, too. */
const TRIES_BEFORE_ANEW = 2;

/** `tries` is how often it was loaded again since it last stood. */
export function remedyAfter(tries: number): Remedy {
  return tries > 0 && tries % (TRIES_BEFORE_ANEW + 1) === TRIES_BEFORE_ANEW ? 'begin anew' : 'load again';
}

/** A page that hears nothing for so long begins anew. */
const STUCK_AFTER_MS = 5 * MINUTE_MS;

/**
 * Whether the page has heard nothing for too long: since it was opened, where what it knows is older or it never knew
 * anything. After a night without power the first five minutes are its own.
 */
export function isWallStuck(heard: { asOfMs: number | null; nowMs: number; openForMs: number }): boolean {
  const { asOfMs, nowMs, openForMs } = heard;
  const silentMs = asOfMs === null ? openForMs : Math.min(openForMs, nowMs - asOfMs);
  return silentMs > STUCK_AFTER_MS;
}

/** Whether it is this device that fails, not the server: it says so itself, or nobody says anything. */
export function isOwnFault(error: { code: string } | null): boolean {
  return error === null || error.code === 'storage' || error.code === 'quota';
}

/**
 * Whether what is kept may be deleted: all of a wall is on the server. A person who looks at a board may have written
 * what was not sent yet, and so may somebody who is not remembered any more.
 */
export function mayBeginAnew(kept: {
  account: { type?: string | null | undefined } | null;
  hasOutbox: boolean;
}): boolean {
  return kept.account === null ? !kept.hasOutbox : isWallAccount(kept.account);
}

/**
 * How often a wall asks where the server tells nothing by itself, ms: an answer is there before the screen would count as
 * stale, with as much time again for one that is slow or lost.
 */
export function wallPollMs(staleSeconds: number): number {
  return (staleSeconds * 1000) / 2;
}

/** Whether what is shown is older than allowed; also before anything was there. */
export function isWallStale(asOfMs: number | null, nowMs: number, staleSeconds: number): boolean {
  return asOfMs === null || nowMs - asOfMs > staleSeconds * 1000;
}
