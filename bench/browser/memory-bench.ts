/** What a tab and its workers hold in memory, with 10,000 checks and 50,000 items on the device. */
import { treeMb } from '../core/machine.ts';
import type { Bench } from '../core/bench.ts';
import { withApp, withBrowser } from './app.ts';
import { timeToRows } from './page-clock.ts';
import { whenReplicated } from './replication.ts';

const RUNS = 3;
const REST_MS = 8000;

/** Of the renderers: tabs and shared workers. */
const rendererMb = () => treeMb(process.pid, (command) => command.includes('--type=renderer'));

/** Measures it: a browser that has been started again and shows the health page, less one that shows nothing. */
export async function measureMemory(bench: Bench): Promise<void> {
  await withApp({ seed: { checks: 10_000, configs: 50_000 } }, ({ url }) =>
    bench.measure(['tab memory'], RUNS, () =>
      withBrowser(async (page) => {
        await page.goto('about:blank');
        await page.waitForTimeout(1000);
        const blankMb = rendererMb();
        await timeToRows(page, `${url}/health?hidePassing=false`);
        await whenReplicated(page);
        await page.waitForTimeout(REST_MS);
        await timeToRows(page, `${url}/health?hidePassing=false`);
        await page.waitForTimeout(REST_MS);
        return { 'tab memory': rendererMb() - blankMb };
      }),
    ),
  );
}
