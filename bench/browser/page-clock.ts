/**
 * Takes times inside a page, on its own clock, until what is waited for has been painted. What runs in the page is
 * text, because what builds these files adds names that a page doesn't know.
 */
import type { Page } from 'playwright-core';

/** Rows of any list, cards, and lines of logs. */
const ROWS = '[data-row-kind], [data-incident], [data-card], [data-level]';
/** The search of the list; that of the labels beside it changes no row. */
const SEARCH = 'main input[type=search]:not([aria-label="Search labels"])';
const LIMIT_MS = 60_000;
/** A key that changed no row within this changed none. */
const UNCHANGED_MS = 2000;

/** Runs in each page before its own scripts. */
export const IN_PAGE = `(() => {
  const bench = globalThis.bench = { rowsAt: null, longest: 0, arrived: null };
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) bench.longest = Math.max(bench.longest, entry.duration);
  }).observe({ type: 'longtask', buffered: true });
  // Called before a frame is drawn: the next task comes when it was.
  bench.afterPaint = (tell) => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => tell(performance.now());
    channel.port2.postMessage(0);
  };
  bench.when = (holds, limitMs = 30000) => new Promise((resolve, reject) => {
    const start = performance.now();
    const look = () => {
      if (holds()) return bench.afterPaint(resolve);
      if (performance.now() - start > limitMs) return reject(new Error('never came: ' + holds));
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  // The same without a look at each frame, each of which is work that a slow page has not by itself.
  // Null where it does not hold within the limit.
  bench.seen = (holds, limitMs) => new Promise((resolve) => {
    const end = limitMs === undefined ? 0 : setTimeout(() => { observer.disconnect(); resolve(null); }, limitMs);
    const look = () => {
      if (!holds()) return false;
      observer.disconnect();
      clearTimeout(end);
      requestAnimationFrame(() => bench.afterPaint(resolve));
      return true;
    };
    const observer = new MutationObserver(look);
    if (!look()) observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  });
  bench.rows = () => document.querySelectorAll('${ROWS}');
  // What the rows are, by their names, without their ages, which change by themselves; of a log's line also what was
  // found in it.
  bench.print = () => [...bench.rows()].slice(0, 40).map((row) =>
    (row.getAttribute('aria-rowindex') ?? '') + (row.querySelector('a, button, [role=gridcell]') ?? row).textContent.slice(0, 80) +
    (row.hasAttribute('data-level') ? row.querySelector('mark')?.textContent ?? '' : ''),
  ).join('\\n') + document.querySelector('main [role=status]')?.textContent;
  // From the next event of that type to the paint of changed rows.
  bench.arm = (type) => {
    bench.arrived = new Promise((resolve) => {
      const before = bench.print();
      addEventListener(type, ({ timeStamp }) => {
        bench.seen(() => bench.print() !== before, ${UNCHANGED_MS})
          .then((at) => resolve(at === null ? null : at - timeStamp));
      }, { once: true, capture: true });
    });
  };
  bench.seen(() => bench.rows().length >= 5).then((at) => { bench.rowsAt = at; });
})()`;

/** What a page shows instead of what was waited for. */
async function sight(page: Page): Promise<string> {
  const text = await page
    .evaluate<string>(`document.body.innerText.replace(/\\s+/g, ' ').slice(0, 160)`)
    .catch((error: unknown) => String(error));
  return `${page.url()} shows "${text}"`;
}

/** Milliseconds from the start of the page's navigation to painted rows; throws, saying what is there, if none come. */
export async function untilRows(page: Page, limitMs = LIMIT_MS): Promise<number> {
  const deadline = performance.now() + limitMs;
  while (performance.now() < deadline) {
    // A page that goes on to another address has no answer for a moment.
    const rowsAt = await page.evaluate<number | null>('globalThis.bench?.rowsAt ?? null').catch(() => null);
    if (rowsAt !== null) return rowsAt;
    await page.waitForTimeout(50);
  }
  throw new Error(`no rows within ${limitMs / 1000} s: ${await sight(page)}`);
}

/** Goes there from an empty page; answers the milliseconds to painted rows. */
export async function timeToRows(page: Page, address: string, limitMs = LIMIT_MS): Promise<number> {
  await page.goto('about:blank');
  await page.waitForTimeout(400);
  await page.goto(address, { waitUntil: 'commit', timeout: limitMs });
  return untilRows(page, limitMs);
}

/** The longest UI task since the page began, ms. */
export function longestTask(page: Page): Promise<number> {
  return page.evaluate<number>('globalThis.bench.longest');
}

/** Does something by mouse or keyboard; answers the milliseconds to changed rows, null where none changed. */
export async function timeToChange(
  page: Page,
  event: 'keydown' | 'pointerdown',
  act: () => Promise<void>,
): Promise<number | null> {
  await page.evaluate(`globalThis.bench.arm('${event}')`);
  await act();
  return page.evaluate<number | null>('globalThis.bench.arrived');
}

/** What typing a word took. */
export interface Typed {
  /** Of each key that changed the rows. */
  keysMs: number[];
  /** Of emptying the box. */
  clearMs: number[];
}

/**
 * Types a word key by key into the page's search and empties it again; a key counts when `isCounted` says so after it.
 * Throws when a character was lost, and when no key changed a row: it was typed elsewhere, or nothing is searched.
 */
export async function typeWord(page: Page, word: string, isCounted = () => true): Promise<Typed> {
  const box = page.locator(SEARCH).first();
  await box.click();
  const keysMs: number[] = [];
  let changes = 0;
  for (const letter of word) {
    const took = await timeToChange(page, 'keydown', () => page.keyboard.press(letter));
    if (took !== null) changes += 1;
    if (took !== null && isCounted()) keysMs.push(took);
    await page.waitForTimeout(120);
  }
  if (changes === 0) throw new Error(`no key of '${word}' changed a row`);
  const text = await box.inputValue();
  if (text !== word) throw new Error(`'${word}' was typed, the box has '${text}'`);
  await page.keyboard.press('Control+A');
  await page.waitForTimeout(200);
  const cleared = await timeToChange(page, 'keydown', () => page.keyboard.press('Backspace'));
  await page.waitForTimeout(400);
  return { keysMs, clearMs: cleared === null ? [] : [cleared] };
}
