/**
 * The relationship graph in a real browser against the built server: from the start of navigation, with everything
 * on the device, to cards that are painted; and from a pressed direction to the new picture.
 */
import { execFileSync } from 'node:child_process';
import { chromium } from 'playwright-core';
import type { Browser, Page } from 'playwright-core';
import { prepareServer } from '../e2e/support/holdfast-server.ts';
import { clusterEstate, treeEstate } from '../e2e/support/graph-estate.ts';
import { percentile } from './percentile.ts';
import { sessionCookie, startSignedInProxy } from './signed-in-proxy.ts';
import { LONG_TASKS } from './long-tasks.ts';

const ARGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync'];
const RUNS = 12;

/** Runs in the page, as text: the page's time when cards are painted, and when another picture is. */
const WHEN_DRAWN = `new Promise((resolve) => {
  const look = () => {
    if (document.querySelector('.react-flow__node [data-card]') === null) return requestAnimationFrame(look);
    requestAnimationFrame(() => {
      const channel = new MessageChannel();
      channel.port1.onmessage = () => resolve(performance.now());
      channel.port2.postMessage(0);
    });
  };
  look();
})`;
const TURN = (label: string) => `new Promise((resolve) => {
  const graph = document.querySelector('[data-testid="relationship-graph"]');
  const before = graph.dataset.direction;
  const start = performance.now();
  document.querySelector('[role="radio"][aria-label="${label}"]').click();
  const look = () => {
    if (graph.dataset.direction === before) return requestAnimationFrame(look);
    requestAnimationFrame(() => resolve(performance.now() - start));
  };
  look();
})`;
const AS_GRAPH = `localStorage.setItem('relationshipGraphTableToggle', 'Graph');`;

interface GraphFigures {
  estate: string;
  openP50Ms: number;
  openP95Ms: number;
  turnP50Ms: number;
  turnP95Ms: number;
  longestTaskMs: number;
}

async function measureOne(page: Page, address: string): Promise<Omit<GraphFigures, 'estate'>> {
  const opens: number[] = [];
  const turns: number[] = [];
  let longestTaskMs = 0;
  for (let run = 0; run < RUNS; run += 1) {
    await page.goto('about:blank');
    await page.waitForTimeout(300);
    await page.goto(address, { waitUntil: 'commit' });
    opens.push(await page.evaluate<number>(WHEN_DRAWN));
    await page.waitForTimeout(300);
    turns.push(
      await page.evaluate<number>(TURN('Top to bottom')),
      await page.evaluate<number>(TURN('Left to right')),
    );
    longestTaskMs = Math.max(longestTaskMs, await page.evaluate<number>('globalThis.longest'));
  }
  return {
    openP50Ms: Math.round(percentile(opens, 0.5)),
    openP95Ms: Math.round(percentile(opens, 0.95)),
    turnP50Ms: Math.round(percentile(turns, 0.5)),
    turnP95Ms: Math.round(percentile(turns, 0.95)),
    longestTaskMs,
  };
}

async function measureEstates(
  browser: Browser,
  url: string,
  sizes: readonly number[],
): Promise<GraphFigures[]> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  await context.addInitScript(LONG_TASKS);
  await context.addInitScript(AS_GRAPH);
  const page = await context.newPage();
  const found: GraphFigures[] = [];
  const addressOf = (id: string) => `${url}/catalog/${id}/relationships?relationship=soft`;
  // Fills the device.
  await page.goto(addressOf(clusterEstate(sizes[0] ?? 1).rootId));
  await page.evaluate(WHEN_DRAWN);
  await page.waitForTimeout(3000);
  for (const size of sizes) {
    for (const [name, make] of [
      ['cluster', clusterEstate],
      ['tree', treeEstate],
    ] as const) {
      const figures = await measureOne(page, addressOf(make(size).rootId));
      found.push({ estate: `${name} of ${size}`, ...figures });
    }
  }
  await context.close();
  return found;
}

/** Prints a table; answers the p95 of opening, the worse of both estates, for each size. */
export async function measureGraph(sizes: readonly number[]): Promise<number[]> {
  const server = await prepareServer({ env: { LOG_LEVEL: 'warn' } });
  try {
    execFileSync(
      process.execPath,
      ['--import', 'tsx', 'e2e/support/add-estate-query.ts', server.dataDir, ...sizes.map(String)],
      {
        stdio: 'inherit',
      },
    );
    await server.start();
    const proxy = await startSignedInProxy(server.url, await sessionCookie(server.url));
    const browser = await chromium.launch({
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      args: ARGS,
    });
    try {
      const found = await measureEstates(browser, proxy.url, sizes);
      console.table(found);
      return sizes.map((size) =>
        Math.max(
          ...found.filter(({ estate }) => estate.endsWith(` ${size}`)).map(({ openP95Ms }) => openP95Ms),
        ),
      );
    } finally {
      await browser.close();
      await proxy.stop();
    }
  } finally {
    await server.dispose();
  }
}
