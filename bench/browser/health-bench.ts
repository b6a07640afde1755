/** The health dashboard in a real browser against the built server, with 1,000 and with 10,000 checks. */
import type { Page } from 'playwright-core';
import type { Bench } from '../core/bench.ts';
import type { LineKey } from '../lines.ts';
import { withApp, withBrowser } from './app.ts';
import { measureInitialJs } from './initial-js.ts';
import { longestTask, timeToChange, timeToRows, typeWord } from './page-clock.ts';
import { whenOnDevice } from './replication.ts';
import { scroll } from './scrolling.ts';
import { slowCpu } from './slow-cpu.ts';
import { openSlowLine } from './slow-line.ts';

const ALL = '/health?hidePassing=false';
const UNGROUPED = `${ALL}&groupBy=none`;
/** Parts of the seeded estate's names. */
const WORDS =
  'vault queue cache mail ledger search worker ingress gateway backup pricing identity reviews media'.split(
    ' ',
  );
const STARTS = 7;
const SLOW_STARTS = 3;
const SLOW = { kbps: 400, latencyMs: 400 };
const SLOW_LIMIT_MS = 180_000;
/** Then a visit has come to rest. */
const FILL_MS = 5000;

interface Starts {
  warm: LineKey;
  offline: LineKey;
  slowCpu: LineKey;
  cold: LineKey;
  longest: LineKey[];
}

async function fill(page: Page, address: string): Promise<void> {
  for (let visit = 0; visit < 2; visit += 1) {
    await timeToRows(page, address);
    await whenOnDevice(page);
    await page.waitForTimeout(FILL_MS);
  }
}

async function measureStarts(bench: Bench, url: string, lines: Starts): Promise<void> {
  const address = `${url}${ALL}`;
  await bench.measure([lines.cold], STARTS, () =>
    withBrowser(async (page) => ({ [lines.cold]: await timeToRows(page, address) })),
  );
  if (!bench.wants(lines.warm, lines.offline, lines.slowCpu, ...lines.longest)) return;
  await withBrowser(async (page, context) => {
    await fill(page, address);
    await bench.measure([lines.warm, ...lines.longest], STARTS, async () => {
      const warmMs = await timeToRows(page, address);
      await page.waitForTimeout(1500);
      const longestMs = await longestTask(page);
      return { [lines.warm]: warmMs, ...Object.fromEntries(lines.longest.map((key) => [key, longestMs])) };
    });
    if (bench.wants(lines.slowCpu)) {
      const endSlowCpu = await slowCpu(context, page, 4);
      await bench.measure([lines.slowCpu], STARTS, async () => {
        const startMs = await timeToRows(page, address);
        await page.waitForTimeout(1500);
        return { [lines.slowCpu]: startMs };
      });
      await endSlowCpu();
    }
    await context.setOffline(true);
    await bench.measure([lines.offline], STARTS, async () => ({
      [lines.offline]: await timeToRows(page, address),
    }));
  });
}

/** A start half a minute after the last one: the browser has ended the service worker meanwhile. */
async function measureStopped(bench: Bench, address: string): Promise<void> {
  if (!bench.wants('warm stopped 1000')) return;
  await withBrowser(async (page, context) => {
    await fill(page, address);
    const session = await context.newCDPSession(page);
    await session.send('ServiceWorker.enable');
    await bench.measure(['warm stopped 1000'], STARTS, async () => {
      await page.goto('about:blank');
      await session.send('ServiceWorker.stopAllWorkers');
      const startMs = await timeToRows(page, address);
      await page.waitForTimeout(1500);
      return { 'warm stopped 1000': startMs };
    });
  });
}

/** The first visit of all and one after it, each with a line of its own. */
async function measureSlowLine(bench: Bench, url: string): Promise<void> {
  await bench.measure(['slow cold 1000', 'slow warm 1000'], SLOW_STARTS, async () => {
    const line = await openSlowLine(url, SLOW);
    try {
      return await withBrowser(async (page) => {
        const coldMs = await timeToRows(page, `${line.url}${ALL}`, SLOW_LIMIT_MS);
        bench.note('slow cold 1000', `${line.receivedKb().toFixed(0)} KB down the line until then`);
        await page.waitForTimeout(FILL_MS);
        return { 'slow cold 1000': coldMs, 'slow warm 1000': await timeToRows(page, `${line.url}${ALL}`) };
      });
    } finally {
      await line.stop();
    }
  });
}

/** Types the words on a page that stands, one word a run. */
async function measureKeys(
  bench: Bench,
  address: string,
  lines: { key: LineKey; clear?: LineKey; longest?: LineKey },
): Promise<void> {
  const { key, clear, longest } = lines;
  const asked = [key, clear, longest].filter((one) => one !== undefined);
  if (!bench.wants(...asked)) return;
  await withBrowser(async (page) => {
    await fill(page, address);
    await bench.measure(asked, WORDS.length, async (at) => {
      await page.evaluate('globalThis.bench.longest = 0');
      const { keysMs, clearMs } = await typeWord(page, WORDS[at] ?? 'vault');
      const longestMs = await longestTask(page);
      return {
        [key]: keysMs,
        ...(clear === undefined ? {} : { [clear]: clearMs }),
        ...(longest === undefined ? {} : { [longest]: longestMs }),
      };
    });
  });
}

async function measureExpand(bench: Bench, url: string): Promise<void> {
  if (!bench.wants('expand 10000')) return;
  await withBrowser(async (page) => {
    await fill(page, `${url}${ALL}`);
    const group = page.locator('[data-row-kind=group]');
    await bench.measure(['expand 10000'], 12, async () => {
      const press = () => group.nth(1).click({ position: { x: 60, y: 12 } });
      const opened = await timeToChange(page, 'pointerdown', press);
      await page.waitForTimeout(400);
      await press();
      await page.waitForTimeout(400);
      if (opened === null) throw new Error('the group did not open');
      return { 'expand 10000': opened };
    });
  });
}

async function measureScroll(bench: Bench, url: string): Promise<void> {
  if (!bench.wants('scroll 10000', 'nodes 10000')) return;
  await withBrowser(async (page, context) => {
    await fill(page, `${url}${UNGROUPED}`);
    await bench.measure(['nodes 10000'], 1, async () => ({
      'nodes 10000': await page.evaluate<number>(`document.getElementsByTagName('*').length`),
    }));
    await bench.measure(['scroll 10000'], 5, async () => {
      await timeToRows(page, `${url}${UNGROUPED}`);
      await page.waitForTimeout(2000);
      return { 'scroll 10000': await scroll(context, page) };
    });
  });
}

/** With 1,000 checks. */
export async function measureThousand(bench: Bench): Promise<void> {
  await withApp({ seed: { checks: 1000 } }, async ({ url }) => {
    const lines = {
      warm: 'warm 1000',
      offline: 'offline 1000',
      slowCpu: 'warm cpu4 1000',
      cold: 'cold 1000',
    } as const;
    await bench.measure(['js initial'], 1, async () => ({
      'js initial': (await measureInitialJs(url)).pageKb,
    }));
    await measureStarts(bench, url, { ...lines, longest: [] });
    await measureStopped(bench, `${url}${ALL}`);
    await measureKeys(bench, `${url}${ALL}`, { key: 'key grouped 1000' });
    await measureSlowLine(bench, url);
  });
}

/** With 10,000 checks. */
export async function measureTenThousand(bench: Bench): Promise<void> {
  await withApp({ seed: { checks: 10_000 } }, async ({ url }) => {
    await measureStarts(bench, url, {
      warm: 'warm 10000',
      offline: 'offline 10000',
      slowCpu: 'warm cpu4 10000',
      cold: 'cold 10000',
      longest: ['long warm 10000'],
    });
    await measureKeys(bench, `${url}${ALL}`, {
      key: 'key grouped 10000',
      clear: 'clear grouped 10000',
      longest: 'long key 10000',
    });
    await measureKeys(bench, `${url}${UNGROUPED}`, { key: 'key ungrouped 10000' });
    await measureExpand(bench, url);
    await measureScroll(bench, url);
  });
}
