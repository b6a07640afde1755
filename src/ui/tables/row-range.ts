/** Which rows of one height are drawn: those on screen, and some beyond each edge. Numbers alone. */

/** Spec 1 §9 says ten. */
const OVERSCAN_ROWS = 10;
/** Until the place of the list is measured: at least so many, and as many as a window has below the least of a page's head. */
const FIRST_ROWS = 18;
const LEAST_HEAD_PX = 190;
/** The edge of what is drawn moves by so many: not every line that is scrolled is a new one. */
const STEP_ROWS = 4;

/** What is drawn: `start` inclusive, `end` exclusive. */
export interface RowRange {
  start: number;
  end: number;
}

/** How far a list is scrolled and how much of it is seen, px. */
export interface RowPlace {
  top: number;
  seen: number;
}

/** What is drawn before anything is measured. */
export function firstRange(windowPx: number, rowPx: number): RowRange {
  return { start: 0, end: Math.max(FIRST_ROWS, Math.ceil((windowPx - LEAST_HEAD_PX) / rowPx)) };
}

/** The rows to draw where the list is scrolled to `top`, whether there are so many or not. */
export function rangeAt({ top, seen }: RowPlace, rowPx: number): RowRange {
  const start = Math.max(0, Math.floor(top / rowPx) - OVERSCAN_ROWS);
  const end = Math.ceil((top + seen) / rowPx) + OVERSCAN_ROWS;
  return {
    start: Math.floor(start / STEP_ROWS) * STEP_ROWS,
    end: Math.ceil(end / STEP_ROWS) * STEP_ROWS,
  };
}

/** Of the rows to draw those that may be on screen: the others lie beyond its edges. */
export function onScreen({ start, end }: RowRange): RowRange {
  return { start: start === 0 ? 0 : start + OVERSCAN_ROWS, end: end - OVERSCAN_ROWS };
}

/** The same number of rows within a list that may have become shorter. */
export function rangeWithin({ start, end }: RowRange, count: number): RowRange {
  const last = Math.min(end, count);
  return { start: Math.max(0, Math.min(start, last - (end - start))), end: last };
}

/** Where the list is to be scrolled to, so that a row is seen as a whole; the present place if it is. */
export function topShowing(index: number, { top, seen }: RowPlace, rowPx: number): number {
  const rowTop = index * rowPx;
  if (rowTop < top) return rowTop;
  return Math.max(top, rowTop + rowPx - seen);
}
