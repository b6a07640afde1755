/** What keeps a wall's screen well: pixels that move, darkness at night, and saying so when nothing comes any more. */

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

/** Whether what is shown is older than allowed; also before anything was there. */
export function isWallStale(asOfMs: number | null, nowMs: number, staleSeconds: number): boolean {
  return asOfMs === null || nowMs - asOfMs > staleSeconds * 1000;
}
