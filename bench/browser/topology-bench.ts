/** 2,000 components as cards in a real browser: starts, and keys in the search. */
import type { Bench } from '../core/bench.ts';
import { withApp, withBrowser } from './app.ts';
import { longestTask, timeToRows, typeWord } from './page-clock.ts';
import { whenOnDevice } from './replication.ts';

const SEED = { checks: 200, components: 2000 };
const WORDS = 'checkout ledger vault worker backup gateway pricing identity reviews media'.split(' ');
/** Half of the keys change no card; of 200 that do, the p95 lies between the p92 and the p98 with a confidence of 90 %. */
const ROUNDS = 8;
const STARTS = 7;

/** Measures it. */
export async function measureTopology(bench: Bench): Promise<void> {
  await withApp({ seed: SEED }, async ({ url }) =>
    withBrowser(async (page, context) => {
      const address = `${url}/topology`;
      await timeToRows(page, address);
      await whenOnDevice(page);
      await page.waitForTimeout(5000);
      await bench.measure(['topology warm 2000'], STARTS, async () => {
        const startMs = await timeToRows(page, address);
        await page.waitForTimeout(2000);
        return { 'topology warm 2000': startMs };
      });
      await bench.measure(['topology key 2000'], ROUNDS * WORDS.length, async (at) => ({
        'topology key 2000': (await typeWord(page, WORDS[at % WORDS.length] ?? 'vault')).keysMs,
      }));
      await bench.measure(['topology long 2000'], 1, async () => ({
        'topology long 2000': await longestTask(page),
      }));
      await context.setOffline(true);
      await bench.measure(['topology offline 2000'], STARTS, async () => {
        const startMs = await timeToRows(page, address);
        await page.waitForTimeout(2000);
        return { 'topology offline 2000': startMs };
      });
    }),
  );
}
