/**
 * The relationship graph in a real browser against the built server, with everything on the device: from a press on
 * the item's tab to cards that are painted, and from a pressed direction to the new picture.
 */
import { execFileSync } from 'node:child_process';
import type { BrowserContext, Page } from 'playwright-core';
import { clusterEstate, treeEstate } from '../../e2e/support/graph-estate.ts';
import type { Bench } from '../core/bench.ts';
import { withApp, withBrowser } from './app.ts';
import { whenOnDevice } from './replication.ts';

const SIZES = [500, 2000] as const;
const RUNS = 7;
const ESTATES = { cluster: clusterEstate, tree: treeEstate };

const OPEN = `(async () => {
  const tab = [...document.querySelectorAll('a[href*="/relationships"]')][0];
  const start = performance.now();
  tab.click();
  return (await bench.when(() => document.querySelector('.react-flow__node [data-card]') !== null)) - start;
})()`;
const TURN = (label: string) => `(async () => {
  const graph = document.querySelector('[data-testid="relationship-graph"]');
  const before = graph.dataset.direction;
  const start = performance.now();
  document.querySelector('[role="radio"][aria-label="${label}"]').click();
  return (await bench.when(() => graph.dataset.direction !== before)) - start;
})()`;
const AS_GRAPH = `localStorage.setItem('relationshipGraphTableToggle', 'Graph');`;

/** From the item's page, which has come to rest. */
async function openTab(page: Page, address: string): Promise<number> {
  await page.goto('about:blank');
  await page.goto(address, { waitUntil: 'commit' });
  await page.locator('a[href*="/relationships"]').first().waitFor();
  await page.waitForTimeout(2500);
  return page.evaluate<number>(OPEN);
}

async function measureEstates(bench: Bench, url: string, [page, context]: [Page, BrowserContext]) {
  await context.addInitScript(AS_GRAPH);
  await page.goto(`${url}/catalog`);
  await whenOnDevice(page);
  await page.waitForTimeout(3000);
  for (const size of SIZES) {
    const line = `graph ${size}` as const;
    const turns: Record<string, number[]> = {};
    await bench.measure([line], RUNS, async () => {
      const opens: number[] = [];
      for (const [name, make] of Object.entries(ESTATES)) {
        opens.push(await openTab(page, `${url}/catalog/${make(size).rootId}`));
        await page.waitForTimeout(300);
        turns[name] ??= [];
        for (const label of ['Top to bottom', 'Left to right'])
          turns[name].push(await page.evaluate<number>(TURN(label)));
      }
      // The worse of both estates.
      return { [line]: Math.max(...opens) };
    });
    for (const [name, times] of Object.entries(turns))
      bench.extra(`${name} of ${size}: another direction painted`, 'ms', times);
  }
}

/** Measures it. */
export async function measureGraph(bench: Bench): Promise<void> {
  const fill = (dataDir: string) =>
    void execFileSync(
      process.execPath,
      ['--import', 'tsx', 'e2e/support/add-estate-query.ts', dataDir, ...SIZES.map(String)],
      { stdio: 'inherit' },
    );
  await withApp({ fill }, ({ url }) =>
    withBrowser((page, context) => measureEstates(bench, url, [page, context])),
  );
}
