/** A log of 100,000 lines in a real browser: first lines, keys in the search, and a live tail of 500 lines a second. */
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { Bench } from '../core/bench.ts';
import { withApp, withBrowser, type App } from './app.ts';
import { longestTask, timeToRows, typeWord } from './page-clock.ts';
import { whenOnDevice } from './replication.ts';

const COMPONENT = '00000000-0000-4000-8000-000000000100';
const LINES = 100_000;
const STARTS = 5;
const TAIL_SECONDS = 10;
const TAILS = 5;
const TAIL_LINES = 500;
/** Of 500 keys the p95 lies between the p93 and the p97, with a confidence of 90 %; of 120 it may be the p98. */
const ROUNDS = 8;
const WORDS = 'timeout checkout refused gateway ledger retry payment session cache queue'.split(' ');
const LEVELS = ['INFO', 'INFO', 'INFO', 'WARN', 'ERROR'];

const lineAt = (atMs: number, at: number) =>
  `${new Date(atMs).toISOString()} ${LEVELS[at % 5]} ${WORDS[at % 10]} ${WORDS[(at * 7) % 10]} request ${at} took ${at % 997} ms for customer-${at % 4000}\n`;

async function writeEstate(page: Page, url: string): Promise<void> {
  const post = async (path: string, data: object) => {
    const answer = await page.request.post(`${url}${path}`, { data, headers: { origin: url } });
    if (!answer.ok()) throw new Error(await answer.text());
  };
  const selectors = [{ name: 'app', labels: { app: 'shop' } }];
  const component = { id: COMPONENT, name: 'shop', external_id: 'shop', type: 'Service', status: 'healthy' };
  await post('/api/db/components', { ...component, log_selectors: selectors });
  await post('/api/db/logging_backends', {
    name: 'files',
    spec: { file: { paths: ['$(labels.app)/*.log'] } },
  });
}

/** Measures it. */
export async function measureLogs(bench: Bench): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-bench-logs-'));
  mkdirSync(join(folder, 'shop'));
  const file = join(folder, 'shop', 'app.log');
  const startMs = Date.now() - 50 * 60_000;
  writeFileSync(file, Array.from({ length: LINES }, (_, at) => lineAt(startMs + at * 25, at)).join(''));
  try {
    await withApp({ env: { LOGS_DIR: folder } }, async ({ url, takeAnswers }) =>
      withBrowser(async (page) => {
        await writeEstate(page, url);
        const address = `${url}/logs?topologyId=${COMPONENT}&start=2h`;
        await timeToRows(page, address);
        await whenOnDevice(page);
        await bench.measure(['logs open 100000', 'logs first 100000'], STARTS, () =>
          open(page, address, takeAnswers),
        );
        await page.getByRole('button', { name: 'Read all' }).click();
        await page.getByText('100,000 lines', { exact: true }).waitFor({ timeout: 180_000 });
        await bench.measure(['logs key 100000', 'logs long 100000'], ROUNDS * WORDS.length, async (at) => {
          await page.evaluate('globalThis.bench.longest = 0');
          const { keysMs } = await typeWord(page, WORDS[at % WORDS.length] ?? 'retry');
          return { 'logs key 100000': keysMs, 'logs long 100000': await longestTask(page) };
        });
        await page.getByRole('button', { name: 'Live tail' }).click();
        await bench.measure(['logs tail'], TAILS, async (run) => ({
          'logs tail': await tail(page, file, run),
        }));
      }),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A warm start to painted lines, and what of it came after the first byte of the server's first page. */
async function open(page: Page, address: string, takeAnswers: App['takeAnswers']) {
  const rowsMs = await timeToRows(page, address);
  const startedMs = await page.evaluate<number>('performance.timeOrigin');
  // The page before this one may still have been reading.
  const first = takeAnswers().find(({ path, atMs }) => path.startsWith('/api/logs') && atMs >= startedMs);
  if (first === undefined) throw new Error('the server was not asked for lines');
  return { 'logs open 100000': rowsMs, 'logs first 100000': startedMs + rowsMs - first.atMs };
}

/** The longest task while lines come; throws when they do not. */
async function tail(page: Page, file: string, run: number): Promise<number> {
  await page.evaluate('globalThis.bench.longest = 0');
  let at = LINES + run * TAIL_SECONDS * TAIL_LINES;
  for (let second = 0; second < TAIL_SECONDS; second += 1) {
    const nowMs = Date.now();
    const lines = Array.from({ length: TAIL_LINES }, (_, index) => lineAt(nowMs + index, at + index));
    appendFileSync(file, lines.join(''));
    at += TAIL_LINES;
    await page.waitForTimeout(1000);
  }
  await page.getByText(`request ${at - 1} took`).waitFor({ timeout: 30_000 });
  return longestTask(page);
}
