/** 50,000 catalog items in a real browser: starts, keys, and keys on another page while the items replicate. */
import type { Bench } from '../core/bench.ts';
import { withApp, withBrowser } from './app.ts';
import { longestTask, timeToRows, typeWord, untilRows } from './page-clock.ts';
import { whenOnDevice, whenReplicated } from './replication.ts';

const SEED = { checks: 1000, configs: 50_000, changes: 10_000 };
const LIST = '/catalog?groupBy=none';
const WORDS =
  'checkout ledger vault worker backup gateway pricing identity reviews media queue ingress'.split(' ');
const MEANWHILE = ['vault', 'queue', 'cache', 'mail'];
const STARTS = 7;
/** A load that is over soon has room for a few keys. */
const LOADS = 10;

async function measureList(bench: Bench, url: string): Promise<void> {
  const lines = ['catalog warm 50000', 'catalog offline 50000', 'catalog key 50000'] as const;
  if (!bench.wants(...lines)) return;
  await withBrowser(async (page, context) => {
    const address = url + LIST;
    await timeToRows(page, address);
    await whenOnDevice(page);
    await page.waitForTimeout(5000);
    await bench.measure(['catalog warm 50000'], STARTS, async () => {
      const startMs = await timeToRows(page, address);
      await page.waitForTimeout(3000);
      return { 'catalog warm 50000': startMs };
    });
    await bench.measure(['catalog key 50000'], WORDS.length, async (at) => ({
      'catalog key 50000': (await typeWord(page, WORDS[at] ?? 'vault')).keysMs,
    }));
    await context.setOffline(true);
    await bench.measure(['catalog offline 50000'], STARTS, async () => {
      const startMs = await timeToRows(page, address);
      await page.waitForTimeout(3000);
      return { 'catalog offline 50000': startMs };
    });
  });
}

/** A new device each time, on the health page, as long as the catalog is not all there. */
async function measureMeanwhile(bench: Bench, url: string): Promise<void> {
  await bench.measure(['key while replicating', 'long replicating'], LOADS, () =>
    withBrowser(async (page) => {
      await page.goto(`${url}/health?hidePassing=false`, { waitUntil: 'commit' });
      await untilRows(page);
      let isReplicated = false;
      const replicated = whenReplicated(page).then(() => (isReplicated = true));
      const keysMs: number[] = [];
      for (const word of MEANWHILE) {
        if (isReplicated) break;
        keysMs.push(...(await typeWord(page, word, () => !isReplicated)).keysMs);
      }
      await replicated;
      return { 'key while replicating': keysMs, 'long replicating': await longestTask(page) };
    }),
  );
}

/** Measures it. */
export async function measureCatalogPages(bench: Bench): Promise<void> {
  await withApp({ seed: SEED }, async ({ url }) => {
    await measureList(bench, url);
    await measureMeanwhile(bench, url);
  });
}
