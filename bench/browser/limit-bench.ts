/** What the browser itself needs on this machine, on pages with nothing but rows (limit-pages.ts). */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Bench } from '../core/bench.ts';
import { withBrowser } from './app.ts';
import { PAGE, SCRIPTS } from './limit-pages.ts';
import { longestTask, timeToRows, typeWord } from './page-clock.ts';
import { scroll } from './scrolling.ts';
import { slowCpu } from './slow-cpu.ts';

const WORDS = 'checkout ledger vault worker backup gateway pricing identity reviews media'.split(' ');
const STARTS = 7;
const SCROLLS = 5;

async function measureOn(bench: Bench, url: string): Promise<void> {
  await withBrowser(async (page, context) => {
    await page.goto(url);
    await page.waitForFunction('navigator.serviceWorker.controller !== null');
    await bench.measure(['limit warm'], STARTS, async () => ({ 'limit warm': await timeToRows(page, url) }));
    const endSlowCpu = await slowCpu(context, page, 4);
    await bench.measure(['limit warm cpu4'], STARTS, async () => ({
      'limit warm cpu4': await timeToRows(page, url),
    }));
    await endSlowCpu();
    await bench.measure(['limit key'], WORDS.length, async (at) => ({
      'limit key': (await typeWord(page, WORDS[at] ?? 'vault')).keysMs,
    }));
    await bench.measure(['limit long'], 1, async () => ({ 'limit long': await longestTask(page) }));
    await bench.measure(['limit scroll'], SCROLLS, async () => {
      await timeToRows(page, url);
      return { 'limit scroll': await scroll(context, page) };
    });
  });
}

/** Measures it. */
export async function measureLimit(bench: Bench): Promise<void> {
  const server = createServer(({ url = '/' }, response) => {
    const script = SCRIPTS.get(url);
    response
      .writeHead(200, { 'content-type': script === undefined ? 'text/html' : 'text/javascript' })
      .end(script ?? PAGE);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // Listening on a port, so it has one.
  const { port } = server.address() as AddressInfo;
  try {
    await measureOn(bench, `http://127.0.0.1:${port}/`);
  } finally {
    server.close();
  }
}
