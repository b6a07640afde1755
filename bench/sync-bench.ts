/**
 * The sync engine in a real browser against the built server: first replication, catch-up, how fast a write is
 * painted here and on another device, long tasks and memory. Everything is measured on the page's own clock.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { chromium } from 'playwright-core';
import type { Browser, Page } from 'playwright-core';
import { prepareServer } from '../e2e/support/holdfast-server.ts';
import { percentile } from './percentile.ts';
import { sessionCookie, startSignedInProxy } from './signed-in-proxy.ts';
import { LONG_TASKS } from './long-tasks.ts';

const ARGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync'];
const WRITES = 20;
const MISSED = 5000;

/** Runs in the page, as text: resolves with the page's time when a fact of the store has the wanted value. */
const whenFact = (key: string, test: string) => `(async () => {
  const wait = () => new Promise((resolve) => setTimeout(resolve, 20));
  for (;;) {
    const names = (await indexedDB.databases()).map((one) => one.name ?? '');
    const name = names.find((one) => /^holdfast-[0-9a-f]+-meta$/.test(one));
    if (name !== undefined) {
      const db = await new Promise((resolve) => {
        const request = indexedDB.open(name);
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => resolve(null);
      });
      const value = db === null ? undefined : await new Promise((resolve) => {
        const request = db.transaction('facts').objectStore('facts').get(${JSON.stringify(key)});
        request.onsuccess = () => resolve(request.result?.value);
        request.onerror = () => resolve(undefined);
      });
      db?.close();
      if ((${test})(value)) return performance.now();
    }
    await wait();
  }
})()`;
const whenSeen = (selector: string) => `new Promise((resolve) => {
  const look = () => document.querySelector(${JSON.stringify(selector)}) === null
    ? requestAnimationFrame(look)
    : requestAnimationFrame(() => resolve(performance.now()));
  look();
})`;

/** Proportional memory of the browser's renderers (tabs and shared workers), MB. */
function rendererMb(): number {
  let kilobytes = 0;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      if (!readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('--type=renderer')) continue;
      kilobytes += Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0);
    } catch {
      // The process ended while it was looked at.
    }
  }
  return kilobytes / 1024;
}

export interface ReplicationFigures {
  firstScreenMs: number;
  wholeMs: number;
  longestTaskMs: number;
  memoryMb: number;
}

async function measureReplication(browser: Browser, url: string): Promise<ReplicationFigures> {
  const blankMb = rendererMb();
  const context = await browser.newContext();
  await context.addInitScript(LONG_TASKS);
  const page = await context.newPage();
  await page.goto(`${url}/incidents?status=all`, { waitUntil: 'commit' });
  const firstScreenMs = await page.evaluate<number>(whenSeen('[data-incident]'));
  const wholeMs = await page.evaluate<number>(whenFact('log:cursor', '(value) => typeof value === "string"'));
  const longestTaskMs = await page.evaluate<number>('globalThis.longest');
  await page.waitForTimeout(2000);
  const memoryMb = rendererMb() - blankMb;
  await context.close();
  return { firstScreenMs, wholeMs, longestTaskMs, memoryMb };
}

async function call(url: string, path: string, init: RequestInit = {}): Promise<unknown> {
  const headers = { 'content-type': 'application/json', origin: url };
  const answer = await fetch(url + path, { ...init, headers });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  const text = await answer.text();
  return text === '' ? null : JSON.parse(text);
}

/** 5,000 changes while the device is away; from being back to having them all, durable. */
async function measureCatchUp(browser: Browser, url: string): Promise<number> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${url}/incidents?status=all`);
  await page.evaluate(whenFact('log:cursor', '(value) => typeof value === "string"'));
  await page.waitForTimeout(2000);
  await context.setOffline(true);
  await page.waitForTimeout(1500);
  const [incident] = (await call(url, '/api/db/incidents?select=id,created_by&limit=1')) as {
    id: string;
    created_by: string;
  }[];
  const comments = Array.from({ length: MISSED }, (_, at) => ({
    comment: `missed ${at}`,
    incident_id: incident?.id,
    created_by: incident?.created_by,
  }));
  await call(url, '/api/db/comments', { method: 'POST', body: JSON.stringify(comments) });
  const { cursor } = (await call(url, '/api/sync/changes')) as { cursor: string };
  const startedAt = await page.evaluate<number>('performance.now()');
  await context.setOffline(false);
  const doneAt = await page.evaluate<number>(
    whenFact('log:cursor', `(value) => Number(String(value).split('.')[1]) >= ${cursor.split('.')[1]}`),
  );
  await context.close();
  return doneAt - startedAt;
}

/** Writes a comment as a person does and waits for its paint; answers the milliseconds from the click. */
async function write(page: Page, text: string): Promise<{ clickedAt: number; paintMs: number }> {
  await page.getByLabel('Comment', { exact: true }).fill(text);
  return page.evaluate<{ clickedAt: number; paintMs: number }>(`new Promise((resolve) => {
    const button = [...document.querySelectorAll('button')].find((one) => one.textContent === 'Send');
    const started = performance.now();
    const clickedAt = performance.timeOrigin + started;
    const look = () => {
      const isThere = [...document.querySelectorAll('main *')].some((one) =>
        one.children.length === 0 && one.tagName !== 'TEXTAREA' && one.textContent === ${JSON.stringify(text)});
      if (!isThere) return requestAnimationFrame(look);
      const channel = new MessageChannel();
      channel.port1.onmessage = () => resolve({ clickedAt, paintMs: performance.now() - started });
      channel.port2.postMessage(0);
    };
    button.click();
    requestAnimationFrame(look);
  })`);
}

/** When another page painted that text, on its wall clock. */
const whenPainted = (text: string) => `new Promise((resolve) => {
  const look = () => {
    const isThere = [...document.querySelectorAll('main *')].some((one) =>
      one.children.length === 0 && one.textContent === ${JSON.stringify(text)});
    if (!isThere) return requestAnimationFrame(look);
    requestAnimationFrame(() => resolve(performance.timeOrigin + performance.now()));
  };
  look();
})`;

async function measureWrites(browser: Browser, url: string) {
  const [mine, theirs] = await Promise.all([browser.newContext(), browser.newContext()]);
  const [here, there] = await Promise.all([mine.newPage(), theirs.newPage()]);
  await here.goto(`${url}/incidents?status=all`);
  await here.locator('[data-incident]').first().click();
  await here.getByLabel('Comment', { exact: true }).waitFor();
  await there.goto(here.url());
  await there.getByLabel('Comment', { exact: true }).waitFor();
  await here.waitForTimeout(3000);
  const paints: number[] = [];
  const arrivals: number[] = [];
  for (let at = 0; at < WRITES; at += 1) {
    const text = `bench write ${at}`;
    const arrived = there.evaluate<number>(whenPainted(text));
    const { clickedAt, paintMs } = await write(here, text);
    paints.push(paintMs);
    arrivals.push((await arrived) - clickedAt);
  }
  await Promise.all([mine.close(), theirs.close()]);
  return { localPaintP95Ms: percentile(paints, 0.95), propagateP95Ms: percentile(arrivals, 0.95) };
}

export interface SyncFigures extends ReplicationFigures {
  catchUpMs: number;
  localPaintP95Ms: number;
  propagateP95Ms: number;
}

/** Seeds a server with that many config items, 200 incidents and 1,000 checks, and measures all of it. */
export async function measureSync(configs: number): Promise<SyncFigures> {
  const server = await prepareServer({ env: { LOG_LEVEL: 'warn' } });
  try {
    execFileSync(
      'npm',
      [
        'run',
        '--silent',
        'seed',
        '--',
        '--checks',
        '1000',
        '--incidents',
        '200',
        '--configs',
        String(configs),
      ],
      { stdio: 'inherit', env: { ...process.env, DATA_DIR: server.dataDir } },
    );
    await server.start();
    const proxy = await startSignedInProxy(server.url, await sessionCookie(server.url));
    const browser = await chromium.launch({
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      args: ARGS,
    });
    try {
      const replication = await measureReplication(browser, proxy.url);
      const writes = await measureWrites(browser, proxy.url);
      const catchUpMs = await measureCatchUp(browser, proxy.url);
      return { ...replication, ...writes, catchUpMs };
    } finally {
      await browser.close();
      await proxy.stop();
    }
  } finally {
    await server.dispose();
  }
}
