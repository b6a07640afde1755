/**
 * Playbooks in a real browser against the built server: from a press on Run to the first line of what it writes, and from
 * a key in the search of an output of 50,000 lines to the lines that it leaves, and from a line that an action writes to
 * the line on the page.
 */
import { execFileSync } from 'node:child_process';
import type { Page } from 'playwright-core';
import { IDS } from '../../e2e/support/troubled-estate.ts';
import type { Bench } from '../core/bench.ts';
import { withApp, withBrowser } from './app.ts';
import { longestTask, timeToRows, typeWord } from './page-clock.ts';

const PRESSES = 20;
/** The app reads ahead what it will show. */
const SETTLE_MS = 2000;
/** Each of their keys leaves other lines. */
const NUMBERS = ['4321', '7310', '9876', '2468', '13579', '86420'];

const LIVE_RUNS = 3;
/** Of one run, behind those that wait for the page. */
const LIVE_LINES = 25;

/** Each line is when it was written; answers how late it was on the page. The clock is the same one. */
const LIVE = `new Promise((resolve) => {
  const late = new Map();
  const look = () => {
    for (const line of document.querySelectorAll('[role=log] [data-row-kind=line]')) {
      const [at] = /\\d{13}$/.exec(line.textContent) ?? [];
      if (at !== undefined && !late.has(at)) late.set(at, Date.now() - Number(at));
    }
    // What was written before the page was there waited for it.
    if (late.size < ${LIVE_LINES} + 8) bench.afterPaint(() => requestAnimationFrame(look));
    else resolve([...late.values()].slice(8));
  };
  requestAnimationFrame(look);
})`;

/** On the page's own clock: from the press to the painted line. */
const PRESS_RUN = `(async () => {
  const start = performance.now();
  [...document.querySelectorAll('dialog button')].find((one) => one.textContent === 'Run').click();
  return (await bench.when(() => document.querySelector('[role=log]')?.textContent.includes('Scale'))) - start;
})()`;

async function openForm(page: Page, url: string, playbook: string): Promise<void> {
  await page.goto(`${url}/playbooks`);
  await page.getByRole('button', { name: `Run ${playbook}` }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Run', exact: true, disabled: false }).waitFor();
  await page.waitForTimeout(SETTLE_MS);
}

async function pressRun(page: Page, url: string): Promise<number> {
  await openForm(page, url, 'Scale out');
  return page.evaluate<number>(PRESS_RUN);
}

async function followLines(page: Page, url: string): Promise<number[]> {
  await openForm(page, url, 'Tick');
  await page.getByRole('dialog').getByRole('button', { name: 'Run', exact: true }).click();
  await page.getByRole('log').waitFor();
  return page.evaluate<number[]>(LIVE);
}

/** Measures it. */
export async function measurePlaybookScreens(bench: Bench): Promise<void> {
  const fill = (dataDir: string) => {
    execFileSync(process.execPath, ['--import', 'tsx', 'e2e/support/add-playbooks-query.ts', dataDir]);
  };
  await withApp({ env: { ALLOW_EXEC: 'true' }, fill }, ({ url }) =>
    withBrowser(async (page) => {
      const output = `${url}/playbooks/runs/${IDS.completed}?step=${IDS.longStep}`;
      await timeToRows(page, output);
      await page.waitForTimeout(SETTLE_MS);
      const keys = ['playbook key 50000', 'playbook long 50000'] as const;
      await bench.measure(keys, NUMBERS.length, async (at) => {
        await page.evaluate('globalThis.bench.longest = 0');
        const { keysMs } = await typeWord(page, NUMBERS[at] ?? '123');
        return { 'playbook key 50000': keysMs, 'playbook long 50000': await longestTask(page) };
      });
      await bench.measure(['playbook first line'], PRESSES, async () => ({
        'playbook first line': await pressRun(page, url),
      }));
      await bench.measure(['playbook live line'], LIVE_RUNS, async () => ({
        'playbook live line': await followLines(page, url),
      }));
    }),
  );
}
