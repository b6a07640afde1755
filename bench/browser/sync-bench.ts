/**
 * The sync engine in a real browser against the built server: first replication, catch-up, how fast a write is
 * painted here and on another device. Everything is measured on the page's own clock.
 */
import type { Page } from 'playwright-core';
import type { Bench } from '../core/bench.ts';
import { withApp, withBrowser } from './app.ts';
import { longestTask, untilRows } from './page-clock.ts';
import { whenCaughtUp, whenOnDevice, whenReplicated } from './replication.ts';

const INCIDENTS = '/incidents?status=all';
const RUNS = 5;
const WRITES = 24;
const MISSED = 5000;
/** In one request: all at once may take a busy machine longer than a statement is given. */
const MISSED_EACH = 500;

/** A new device each time. */
async function replicate(
  url: string,
): Promise<{ firstScreenMs: number; wholeMs: number; longestMs: number }> {
  return withBrowser(async (page) => {
    await page.goto(url + INCIDENTS, { waitUntil: 'commit' });
    const replicated = whenReplicated(page);
    const firstScreenMs = await untilRows(page);
    const wholeMs = await replicated;
    return { firstScreenMs, wholeMs, longestMs: await longestTask(page) };
  });
}

async function call(url: string, path: string, init: RequestInit = {}): Promise<unknown> {
  const headers = { 'content-type': 'application/json', origin: url };
  const answer = await fetch(url + path, { ...init, headers });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  const text = await answer.text();
  return text === '' ? null : JSON.parse(text);
}

/** 5,000 changes while the device is away; from being back to having them all, durable. */
function catchUp(url: string, run: number): Promise<number> {
  return withBrowser(async (page, context) => {
    await page.goto(url + INCIDENTS);
    await whenReplicated(page);
    await page.waitForTimeout(2000);
    await context.setOffline(true);
    await page.waitForTimeout(1500);
    const [incident] = (await call(url, '/api/db/incidents?select=id&limit=1')) as { id: string }[];
    const me = (await call(url, '/api/auth/whoami')) as { payload: { user: { id: string } } };
    const comments = Array.from({ length: MISSED }, (_, at) => ({
      comment: `missed ${run} ${at}`,
      incident_id: incident?.id,
      created_by: me.payload.user.id,
    }));
    for (let at = 0; at < MISSED; at += MISSED_EACH) {
      const body = JSON.stringify(comments.slice(at, at + MISSED_EACH));
      await call(url, '/api/db/comments', { method: 'POST', body });
    }
    const { cursor } = (await call(url, '/api/sync/changes')) as { cursor: string };
    const startedAt = await page.evaluate<number>('performance.now()');
    await context.setOffline(false);
    return (await whenCaughtUp(page, cursor)) - startedAt;
  });
}

/** Finds that text on the page, not in the field where it was written. */
const isThere = (text: string) => `[...document.querySelectorAll('main *')].some((one) =>
  one.children.length === 0 && one.tagName !== 'TEXTAREA' && one.textContent === ${JSON.stringify(text)})`;

/** Writes a comment as a person does and waits for its paint; answers the milliseconds from the click. */
async function write(page: Page, text: string): Promise<{ clickedAt: number; paintMs: number }> {
  await page.getByLabel('Comment', { exact: true }).fill(text);
  return page.evaluate<{ clickedAt: number; paintMs: number }>(`(async () => {
    const button = [...document.querySelectorAll('button')].find((one) => one.textContent === 'Send');
    const started = performance.now();
    button.click();
    const at = await bench.when(() => ${isThere(text)});
    return { clickedAt: performance.timeOrigin + started, paintMs: at - started };
  })()`);
}

async function measureWrites(bench: Bench, url: string): Promise<void> {
  if (!bench.wants('local paint p95', 'propagate p95')) return;
  await withBrowser((here) =>
    withBrowser(async (there) => {
      await here.goto(url + INCIDENTS);
      await here.locator('[data-incident]').first().click();
      await here.getByLabel('Comment', { exact: true }).waitFor();
      await there.goto(here.url());
      await there.getByLabel('Comment', { exact: true }).waitFor();
      await Promise.all([whenOnDevice(here), whenOnDevice(there)]);
      await here.waitForTimeout(3000);
      await bench.measure(['local paint p95', 'propagate p95'], WRITES, async (run) => {
        const text = `bench write ${run}`;
        const arrived = there.evaluate<number>(
          `bench.when(() => ${isThere(text)}).then((at) => performance.timeOrigin + at)`,
        );
        const { clickedAt, paintMs } = await write(here, text);
        return { 'local paint p95': paintMs, 'propagate p95': (await arrived) - clickedAt };
      });
    }),
  );
}

/** Measures it all, on servers with 10,000 and 50,000 items, the latter without and with their links. */
export async function measureSync(bench: Bench): Promise<void> {
  const seed = { checks: 1000, incidents: 200 };
  if (bench.wants('replicate 10000'))
    await withApp({ seed: { ...seed, configs: 10_000 } }, ({ url }) =>
      bench.measure(['replicate 10000'], RUNS, async () => ({
        'replicate 10000': (await replicate(url)).wholeMs,
      })),
    );
  const fifty = ['replicate 50000', 'first screen 50000', 'long sync 50000'] as const;
  if (bench.wants(...fifty, 'local paint p95', 'propagate p95', 'catch-up 5000'))
    await withApp({ seed: { ...seed, configs: 50_000 } }, async ({ url }) => {
      await bench.measure(fifty, RUNS, async () => {
        const { firstScreenMs, wholeMs, longestMs } = await replicate(url);
        return {
          'replicate 50000': wholeMs,
          'first screen 50000': firstScreenMs,
          'long sync 50000': longestMs,
        };
      });
      await measureWrites(bench, url);
      await bench.measure(['catch-up 5000'], RUNS, async (run) => ({
        'catch-up 5000': await catchUp(url, run),
      }));
    });
  if (bench.wants('replicate links'))
    await withApp({ seed: { ...seed, configs: 50_000, relationships: 300_000 } }, ({ url }) =>
      bench.measure(['replicate links'], 3, async () => ({
        'replicate links': (await replicate(url)).wholeMs,
      })),
    );
}
