/**
 * 10,000 incidents in a real browser against the built server: from the start of navigation to painted rows, from
 * an input in the search to the rows it leaves, from a press on a row to its page, and from a chosen status to its
 * painting without a network.
 */
import { execFileSync } from 'node:child_process';
import { chromium } from 'playwright-core';
import type { Page } from 'playwright-core';
import { prepareServer } from '../e2e/support/holdfast-server.ts';
import { percentile } from './percentile.ts';
import { sessionCookie, startSignedInProxy } from './signed-in-proxy.ts';
import { LONG_TASKS } from './long-tasks.ts';

const ARGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync'];
const RUNS = 8;
/** After this the worker has read what else the page asks for. */
const SETTLE_MS = 8000;
/** Words of the seeded incidents. */
const WORDS = ['backup', 'ingress', 'worker', 'queue', 'cache', 'memory'];

/** Runs in the page, as text: resolves with the page's time once the condition holds and has been painted. */
const painted = (condition: string) => `new Promise((resolve) => {
  const look = () => {
    if (!(${condition})) return requestAnimationFrame(look);
    requestAnimationFrame(() => {
      const channel = new MessageChannel();
      channel.port1.onmessage = () => resolve(performance.now());
      channel.port2.postMessage(0);
    });
  };
  look();
})`;
const timed = (act: string, condition: string) =>
  `(async () => { const start = performance.now(); ${act}; return (await ${painted(condition)}) - start; })()`;

const ROWS = `document.querySelector('[data-incident]') !== null`;
const COUNT = `document.querySelector('main header [role=status]')?.textContent`;

interface IncidentFigures {
  openListP95Ms: number;
  keyP95Ms: number;
  openPageP95Ms: number;
  statusP95Ms: number;
  longestTaskMs: number;
}

/** Puts a word into the search at once; answers how long it took to change what is listed. */
async function typeWord(page: Page, word: string): Promise<number> {
  const box = page.getByRole('main').getByRole('searchbox').first();
  await box.fill('');
  await page.waitForTimeout(600);
  const before = await page.evaluate<string>(COUNT);
  await page.evaluate(`globalThis.before = ${JSON.stringify(before)}; globalThis.pressed = 0;`);
  const changed = page.evaluate<number>(painted(`globalThis.pressed > 0 && ${COUNT} !== globalThis.before`));
  await page.evaluate(
    `addEventListener('input', () => { globalThis.pressed ||= performance.now(); }, { once: true, capture: true })`,
  );
  await box.focus();
  await page.keyboard.insertText(word);
  const at = await changed;
  return at - (await page.evaluate<number>('globalThis.pressed'));
}

async function openIncident(page: Page, run: number): Promise<number> {
  const took = await page.evaluate<number>(
    timed(
      `document.querySelectorAll('[data-incident] [data-row-link]')[${run % 8}].click()`,
      `document.querySelector('[aria-label="Title"], main h1') !== null && location.pathname.length > 12`,
    ),
  );
  await page.goBack();
  await page.evaluate(painted(ROWS));
  return took;
}

/** By the row's menu; the row leaves the list of open ones. */
async function changeStatus(page: Page): Promise<number> {
  const row = page.locator('[data-incident]').first();
  const id = (await row.getAttribute('data-incident')) ?? '';
  await row.getByRole('button', { name: /^Open: change the status of/ }).click();
  await page.getByRole('menuitemradio', { name: 'Investigating' }).waitFor();
  return page.evaluate<number>(
    timed(
      `[...document.querySelectorAll('[role=menuitemradio]')].find((one) => one.textContent.includes('Investigating')).click()`,
      `document.querySelector('[data-incident="${id}"]') === null`,
    ),
  );
}

async function measurePage(page: Page, url: string): Promise<IncidentFigures> {
  const list = `${url}/incidents`;
  await page.goto(list);
  await page.evaluate(painted(ROWS));
  // Until all is on the device.
  await page.waitForTimeout(15_000);
  const [opens, keys, pages, statuses]: [number[], number[], number[], number[]] = [[], [], [], []];
  let longestTaskMs = 0;
  for (let run = 0; run < RUNS; run += 1) {
    await page.goto('about:blank');
    await page.goto(list, { waitUntil: 'commit' });
    opens.push(await page.evaluate<number>(painted(ROWS)));
    await page.waitForTimeout(SETTLE_MS);
    pages.push(await openIncident(page, run));
    keys.push(await typeWord(page, WORDS[run % WORDS.length] ?? 'cache'));
    longestTaskMs = Math.max(longestTaskMs, await page.evaluate<number>('globalThis.longest'));
  }
  await page.goto(list);
  await page.evaluate(painted(ROWS));
  await page.waitForTimeout(SETTLE_MS);
  await page.context().setOffline(true);
  for (let run = 0; run < RUNS; run += 1) {
    statuses.push(await changeStatus(page));
    await page.waitForTimeout(400);
  }
  return {
    openListP95Ms: percentile(opens, 0.95),
    keyP95Ms: percentile(keys, 0.95),
    openPageP95Ms: percentile(pages, 0.95),
    statusP95Ms: percentile(statuses, 0.95),
    longestTaskMs,
  };
}

/** The figures for that many incidents. */
export async function measureIncidents(incidents: number): Promise<IncidentFigures> {
  const server = await prepareServer({ env: { LOG_LEVEL: 'warn' } });
  try {
    const args = ['--checks', '100', '--components', '50', '--incidents', String(incidents)];
    execFileSync('npm', ['run', '--silent', 'seed', '--', ...args], {
      stdio: 'inherit',
      env: { ...process.env, DATA_DIR: server.dataDir },
    });
    await server.start();
    const proxy = await startSignedInProxy(server.url, await sessionCookie(server.url));
    const browser = await chromium.launch({
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      args: ARGS,
    });
    try {
      const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
      await context.addInitScript(LONG_TASKS);
      return await measurePage(await context.newPage(), proxy.url);
    } finally {
      await browser.close();
      await proxy.stop();
    }
  } finally {
    await server.dispose();
  }
}
