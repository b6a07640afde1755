/** What a page and its workers hold after a collection of garbage, and how that grows. */
import type { CDPSession, Page } from 'playwright-core';

const MB = 1024 * 1024;

interface TargetQuestion {
  targetId: string;
  /** One after the other; the last one's result is the answer. */
  methods: readonly string[];
  /** Hears of the target's events until then. */
  hearEvent?: (method: string, params: unknown) => void;
}

interface Told {
  id?: number;
  result?: unknown;
  method?: string;
  params?: unknown;
}

/** Asks one target of the browser, such as a shared worker, by its own protocol. */
export async function askTarget(browser: CDPSession, { targetId, methods, hearEvent }: TargetQuestion) {
  const { sessionId } = await browser.send('Target.attachToTarget', { targetId, flatten: false });
  const last = methods.length;
  const answer = new Promise<unknown>((resolve) => {
    const hear = ({ sessionId: from, message }: { sessionId: string; message: string }) => {
      const told = JSON.parse(message) as Told;
      if (from !== sessionId) return;
      if (told.method !== undefined) hearEvent?.(told.method, told.params);
      if (told.id !== last) return;
      browser.off('Target.receivedMessageFromTarget', hear);
      resolve(told.result);
    };
    browser.on('Target.receivedMessageFromTarget', hear);
  });
  for (const [at, method] of methods.entries())
    await browser.send('Target.sendMessageToTarget', {
      sessionId,
      message: JSON.stringify({ id: at + 1, method }),
    });
  const result = await answer;
  await browser.send('Target.detachFromTarget', { sessionId });
  return result;
}

/** The targets of all shared workers of the browser. */
export async function sharedWorkersOf(browser: CDPSession): Promise<string[]> {
  const { targetInfos } = await browser.send('Target.getTargets');
  return targetInfos.filter(({ type }) => type === 'shared_worker').map(({ targetId }) => targetId);
}

const COLLECTED = ['HeapProfiler.collectGarbage', 'Runtime.getHeapUsage'];
const usedMb = (usage: unknown) =>
  ((usage as { usedSize?: number } | undefined)?.usedSize ?? Number.NaN) / MB;

interface Sessions {
  session: CDPSession;
  /** Of the browser: a worker that is shared is a target of it. */
  browser: CDPSession;
}

/** Lends the work a session of the page and one of its browser. */
export async function withSessions<T>(page: Page, work: (sessions: Sessions) => Promise<T>): Promise<T> {
  const context = page.context();
  const browser = await context.browser()?.newBrowserCDPSession();
  if (browser === undefined) throw new Error('the browser has no session');
  const session = await context.newCDPSession(page);
  try {
    return await work({ session, browser });
  } finally {
    await session.detach();
    await browser.detach();
  }
}

/** Of the page and of its workers, MB. */
export function heapsOf(page: Page): Promise<{ pageMb: number; workersMb: number; nodes: number }> {
  return withSessions(page, async ({ session, browser }) => {
    await session.send('HeapProfiler.collectGarbage');
    const pageMb = usedMb(await session.send('Runtime.getHeapUsage'));
    const { nodes } = await session.send('Memory.getDOMCounters');
    let workersMb = 0;
    for (const targetId of await sharedWorkersOf(browser))
      workersMb += usedMb(await askTarget(browser, { targetId, methods: COLLECTED }));
    return { pageMb, workersMb, nodes };
  });
}

const LOOKS = 3;
const BETWEEN_MS = 2000;

/** What they hold when nothing is on its way: the least of three looks, because an answer that is being read is no growth. */
export async function restingHeapsOf(page: Page): Promise<Awaited<ReturnType<typeof heapsOf>>> {
  const looks: Awaited<ReturnType<typeof heapsOf>>[] = [];
  for (let look = 0; look < LOOKS; look += 1) {
    if (look > 0) await page.waitForTimeout(BETWEEN_MS);
    looks.push(await heapsOf(page));
  }
  const total = (one: (typeof looks)[number]) => one.pageMb + one.workersMb;
  return looks.reduce((least, one) => (total(one) < total(least) ? one : least));
}

/** The line through the points by least squares: growth for each unit of `x`, and its standard error. */
export function slopeOf(points: readonly { x: number; y: number }[]): { slope: number; error: number } {
  const count = points.length;
  const mean = (pick: (point: { x: number; y: number }) => number) =>
    points.reduce((sum, point) => sum + pick(point), 0) / count;
  const [meanX, meanY] = [mean(({ x }) => x), mean(({ y }) => y)];
  const spread = points.reduce((sum, { x }) => sum + (x - meanX) ** 2, 0);
  const slope = points.reduce((sum, { x, y }) => sum + (x - meanX) * (y - meanY), 0) / spread;
  const left = points.reduce((sum, { x, y }) => sum + (y - meanY - slope * (x - meanX)) ** 2, 0);
  return { slope, error: Math.sqrt(left / Math.max(1, count - 2) / spread) };
}
