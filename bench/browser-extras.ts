/** What the instrument has no scenario for: an offline start by the clock, and a change on its way to the screen. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import type { BrowserContext, Page } from 'playwright-core';
import { prepareTarget } from '../e2e/support/target-service.ts';
import { percentile } from './percentile.ts';

const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

async function withContext<T>(work: (context: BrowserContext) => Promise<T>): Promise<T> {
  const dir = mkdtempSync(join(tmpdir(), 'holdfast-bench-'));
  const context = await chromium.launchPersistentContext(dir, {
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ARGS,
    viewport: { width: 1440, height: 900 },
  });
  try {
    return await work(context);
  } finally {
    await context.close();
    rmSync(dir, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Runs in the page; as text, because what builds this file adds names that a page doesn't know. */
const TIME_TO_ROWS = `new Promise((resolve) => {
  const look = () => {
    if (document.querySelectorAll('[data-row-kind]').length < 5) return requestAnimationFrame(look);
    requestAnimationFrame(() => {
      const channel = new MessageChannel();
      channel.port1.onmessage = () => resolve(performance.now());
      channel.port2.postMessage(0);
    });
  };
  look();
})`;

/** Milliseconds from the start of navigation to five painted rows. */
async function timeToRows(page: Page, url: string): Promise<number> {
  await page.goto('about:blank');
  await page.waitForTimeout(400);
  await page.goto(url, { waitUntil: 'commit' });
  return page.evaluate<number>(TIME_TO_ROWS);
}

const median = (values: number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** Start to rows with no network, after visits that filled the device; the median of `runs`. */
export async function measureOfflineStart(url: string, runs: number): Promise<number> {
  return withContext(async (context) => {
    const page = context.pages()[0] ?? (await context.newPage());
    const address = `${url}/health?hidePassing=false`;
    for (let visit = 0; visit < 2; visit++) {
      await timeToRows(page, address);
      await page.waitForTimeout(4000);
    }
    await context.setOffline(true);
    const times: number[] = [];
    for (let run = 0; run < runs; run++) times.push(await timeToRows(page, address));
    return median(times);
  });
}

/**
 * From the moment a stored result is visible to others until the open page shows it: a canary on a 1 s interval
 * flips with its target, and the page's row is watched. Answers the p95 of `flips`, measured from the run's own
 * stored start time plus its duration, on one clock.
 */
export async function measurePush(
  url: string,
  input: { checkName: string; target: Awaited<ReturnType<typeof prepareTarget>>; flips: number },
): Promise<number> {
  return withContext(async (context) => {
    const page = context.pages()[0] ?? (await context.newPage());
    await page.goto(
      `${url}/health?hidePassing=false&groupBy=none&query=${encodeURIComponent(input.checkName)}`,
    );
    const row = page.locator('[data-row-kind=check]').filter({ hasText: input.checkName }).first();
    await row.waitFor();
    const delays: number[] = [];
    for (let flip = 0; flip < input.flips; flip++) {
      const isUp = flip % 2 === 1;
      input.target.answer(isUp ? 200 : 500);
      const wanted = isUp ? 'healthy' : 'unhealthy';
      await page
        .locator(`[data-row-kind=check][data-health=${wanted}]`)
        .filter({ hasText: input.checkName })
        .first()
        .waitFor({ timeout: 20_000 });
      const seenAt = Date.now();
      const answer = await page.evaluate(async (name) => {
        const found = await fetch(
          `/api/db/checks?name=eq.${encodeURIComponent(name)}&select=last_transition_time`,
        );
        return (await found.json()) as { last_transition_time: string }[];
      }, input.checkName);
      const changedAt = Date.parse(answer[0]?.last_transition_time ?? '');
      delays.push(seenAt - changedAt);
    }
    return percentile(delays, 0.95);
  });
}
