/**
 * 10,000 incidents in a real browser against the built server: from the start of navigation to painted rows, from
 * a key in the search to the rows it leaves, from a press on a row to its page, and from a chosen status to its
 * painting without a network.
 */
import type { Page } from 'playwright-core';
import type { Bench } from '../core/bench.ts';
import { withApp, withBrowser } from './app.ts';
import { longestTask, timeToRows, typeWord } from './page-clock.ts';
import { whenOnDevice } from './replication.ts';

const RUNS = 7;
/** After this the worker has read what else the page asks for. */
const SETTLE_MS = 4000;
/** Words of the seeded incidents. */
const WORDS = 'backup ingress worker queue cache memory ledger vault gateway pricing identity reviews'.split(
  ' ',
);

/** Acts inside the page; answers the milliseconds until the condition has been painted. */
const timed = (act: string, condition: string) =>
  `(async () => { const start = performance.now(); ${act}; return (await bench.when(() => ${condition})) - start; })()`;

async function openIncident(page: Page, run: number): Promise<number> {
  const took = await page.evaluate<number>(
    timed(
      `document.querySelectorAll('[data-incident] [data-row-link]')[${run % 8}].click()`,
      `document.querySelector('[aria-label="Title"], main h1') !== null && location.pathname.length > 12`,
    ),
  );
  await page.goBack();
  await page.evaluate(`bench.when(() => document.querySelector('[data-incident]') !== null)`);
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

/** Measures it. */
export async function measureIncidents(bench: Bench): Promise<void> {
  const seed = { checks: 100, components: 50, incidents: 10_000 };
  await withApp({ seed }, ({ url }) =>
    withBrowser(async (page, context) => {
      const list = `${url}/incidents`;
      await timeToRows(page, list);
      await whenOnDevice(page);
      await page.waitForTimeout(SETTLE_MS);
      const starts = ['incidents open 10000', 'incident page 10000', 'incidents long 10000'] as const;
      await bench.measure(starts, RUNS, async (run) => {
        const openMs = await timeToRows(page, list);
        await page.waitForTimeout(SETTLE_MS);
        const pageMs = bench.wants('incident page 10000') ? await openIncident(page, run) : 0;
        return {
          'incidents open 10000': openMs,
          'incident page 10000': pageMs,
          'incidents long 10000': await longestTask(page),
        };
      });
      await bench.measure(['incidents key 10000'], WORDS.length, async (at) => ({
        'incidents key 10000': (await typeWord(page, WORDS[at] ?? 'cache')).keysMs,
      }));
      await context.setOffline(true);
      await bench.measure(['incidents offline 10000'], RUNS, async () => {
        const openMs = await timeToRows(page, list);
        await page.waitForTimeout(SETTLE_MS);
        return { 'incidents offline 10000': openMs };
      });
      await bench.measure(['incident status 10000'], RUNS, async () => {
        await page.waitForTimeout(400);
        return { 'incident status 10000': await changeStatus(page) };
      });
    }),
  );
}
