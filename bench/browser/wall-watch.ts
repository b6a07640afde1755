/**
 * Counts what a wall shows, from the inside and on its own clock, also while nobody takes a sample: spells in which it was
 * stale, boards in turn, places of the picture, how often it became dark, and how often its page was loaded.
 */
import type { Page } from 'playwright-core';

const KEY = 'bench.wall';

export interface WallTally {
  /** How often its page was loaded. */
  loads: number;
  /** When it was stale, ms since 1970; the last may go on. */
  stale: { fromMs: number; untilMs: number | null }[];
  /** How often each changed. */
  boards: number;
  shifts: number;
  /** What is told lights the screen up. */
  dimmed: number;
  news: number;
}

/** Runs in each page before its own scripts; what it counts outlives the page. */
export const WATCH_WALL = `(() => {
  const empty = { loads: 0, stale: [], boards: 0, shifts: 0, dimmed: 0, news: 0 };
  const tally = JSON.parse(sessionStorage.getItem('${KEY}')) ?? empty;
  tally.loads += 1;
  let last = null;
  const store = () => sessionStorage.setItem('${KEY}', JSON.stringify(tally));
  const look = () => {
    const wall = document.querySelector('[data-testid=wall]');
    if (wall === null) return;
    const { stale, dimmed, told } = wall.dataset;
    const board = wall.querySelectorAll('section').length;
    const shift = wall.firstElementChild?.style.translate ?? '';
    const now = { stale, dimmed, told, board, shift };
    const before = last ?? { ...now, stale: 'false' };
    last = now;
    if (Object.keys(now).every((key) => now[key] === before[key])) return;
    if (stale !== before.stale) {
      const open = tally.stale.at(-1);
      if (stale === 'true') tally.stale.push({ fromMs: Date.now(), untilMs: null });
      else if (open !== undefined) open.untilMs = Date.now();
    }
    if (board !== before.board) tally.boards += 1;
    if (shift !== before.shift) tally.shifts += 1;
    if (dimmed === 'true' && before.dimmed !== 'true') tally.dimmed += 1;
    if (told === 'true' && before.told !== 'true') tally.news += 1;
    store();
  };
  store();
  new MutationObserver(look).observe(document, { subtree: true, childList: true, attributes: true });
})()`;

/** What was counted since the tab was opened. */
export async function wallTally(page: Page): Promise<WallTally> {
  return JSON.parse(await page.evaluate<string>(`sessionStorage.getItem('${KEY}')`)) as WallTally;
}
