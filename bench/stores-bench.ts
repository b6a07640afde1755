/**
 * The six collections that change and that people look at (docs/decisions/0021), in RxDB and in packed pages, in a real
 * browser: part of `npm run bench -- --only=stores`. Each figure is the median of some runs, each on a store of its own.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { chromium } from 'playwright-core';
import type { Page } from 'playwright-core';
import { build } from 'vite';
import type { Bench } from './core/bench.ts';
import { percentile } from './percentile.ts';
import { KINDS, type KindName } from './stores/rows.ts';
import type { StoreTask } from './stores/store-worker.ts';

const SIZES = (Object.keys(KINDS) as KindName[]).flatMap((kind) =>
  KINDS[kind].sizes.map((count) => [kind, count] as const),
);
const RUNS = 5;
const KILLS = 3;
const ENTRY = 'bench/stores/store-worker.ts';

interface Done {
  ms: number;
  rounds: string[];
  /** From making the worker to its answer. */
  wholeMs: number;
}

async function buildWorker(): Promise<Map<string, string>> {
  const output = await build({
    configFile: false,
    logLevel: 'silent',
    build: {
      write: false,
      minify: true,
      target: 'es2022',
      // Its helper for imports wants a document.
      modulePreload: false,
      rolldownOptions: { input: ENTRY, output: { entryFileNames: 'worker.js' } },
    },
  });
  const files = new Map<string, string>();
  const built = [output].flat().flatMap((one) => ('output' in one ? one.output : []));
  for (const file of built) if (file.type === 'chunk') files.set(`/${file.fileName}`, file.code);
  return files;
}

/** Serves the worker, and counts what is asked for. */
async function serve(files: ReadonlyMap<string, string>) {
  const asked = new Set<string>();
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    const code = files.get(path);
    if (code !== undefined) asked.add(path);
    response.setHeader('content-type', code === undefined ? 'text/html' : 'text/javascript');
    response.setHeader('cache-control', 'max-age=3600');
    response.end(code ?? '<!doctype html><title>stores</title>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const gzipKb = () =>
    [...asked].reduce((sum, path) => sum + gzipSync(files.get(path) ?? '').length, 0) / 1024;
  return { url: `http://127.0.0.1:${port}`, asked, gzipKb, close: () => server.close() };
}

/** Does one task in a worker of its own. */
function run(page: Page, task: StoreTask, killAfterMs: number | null = null): Promise<Done | null> {
  return page.evaluate(
    ([given, killMs]) =>
      new Promise<Done | null>((resolve, reject) => {
        const start = performance.now();
        const worker = new Worker('/worker.js', { type: 'module' });
        worker.addEventListener('error', (event) => reject(new Error(event.message)));
        worker.addEventListener(
          'message',
          ({ data }: MessageEvent<Done | { isReplacing: true } | { failure: string }>) => {
            if ('failure' in data) reject(new Error(data.failure));
            else if (!('isReplacing' in data)) {
              worker.terminate();
              resolve({ ...data, wholeMs: performance.now() - start });
            } else if (killMs !== null)
              setTimeout(() => {
                worker.terminate();
                resolve(null);
              }, killMs);
          },
        );
        worker.postMessage(given);
      }),
    [task, killAfterMs] as const,
  );
}

const median = (times: readonly number[]) => Number(percentile([...times], 0.5).toFixed(1));

interface Line {
  kind: KindName;
  rows: number;
  store: StoreTask['store'];
  'first write ms': number;
  'one row ms': number;
  'read ms': number;
  'worker to rows ms': number;
  'cut: mixed': string;
}

async function measureStore(
  page: Page,
  kind: KindName,
  count: number,
  store: StoreTask['store'],
): Promise<Line & { wholeMs: number[] }> {
  const times = {
    write: [] as number[],
    update: [] as number[],
    read: [] as number[],
    whole: [] as number[],
  };
  const task = (serial: string, what: StoreTask['do']): StoreTask => ({
    store,
    kind,
    count,
    storeName: `bench-${store}-${kind}-${count}-${serial}`,
    do: what,
  });
  for (let at = 0; at < RUNS; at += 1) {
    const name = `run${at}`;
    times.write.push((await run(page, task(name, 'write')))?.ms ?? Number.NaN);
    times.update.push((await run(page, task(name, 'update')))?.ms ?? Number.NaN);
    const read = await run(page, task(name, 'read'));
    times.read.push(read?.ms ?? Number.NaN);
    times.whole.push(read?.wholeMs ?? Number.NaN);
  }
  const swapMs = (await run(page, task('run0', 'replace')))?.ms ?? 0;
  let mixed = 0;
  for (let at = 0; at < KILLS; at += 1) {
    await run(page, task(`kill${at}`, 'write'));
    await run(page, task(`kill${at}`, 'replace'), (swapMs * (at + 1)) / (KILLS + 1));
    const left = await run(page, task(`kill${at}`, 'read'));
    if ((left?.rounds.length ?? 0) > 1) mixed += 1;
  }
  return {
    kind,
    rows: count,
    store,
    'first write ms': median(times.write),
    'one row ms': median(times.update),
    'read ms': median(times.read),
    'worker to rows ms': median(times.whole),
    'cut: mixed': `${mixed} of ${KILLS}`,
    wholeMs: times.whole,
  };
}

/** Prints the table; what a reader takes to have rows is a line of its own. */
export async function measureStores(bench: Bench): Promise<void> {
  const server = await serve(await buildWorker());
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  });
  try {
    const lines: Line[] = [];
    for (const store of ['packed', 'rxdb'] as const) {
      const page = await browser.newPage();
      await page.goto(server.url);
      await run(page, { store, kind: 'playbooks', count: 100, storeName: `warm-${store}`, do: 'write' });
      server.asked.clear();
      const reader = await (await browser.newContext()).newPage();
      await reader.goto(server.url);
      await run(reader, { store, kind: 'playbooks', count: 100, storeName: `warm-${store}`, do: 'read' });
      console.log(`${store}: ${server.gzipKb().toFixed(1)} KB gzip before a reader has rows`);
      for (const [kind, count] of SIZES) {
        const { wholeMs, ...line } = await measureStore(page, kind, count, store);
        lines.push(line);
        bench.extra(`${count} ${kind} in ${store}: worker to rows`, 'ms', wholeMs);
      }
    }
    console.table(lines.toSorted((a, b) => a.kind.localeCompare(b.kind) || a.rows - b.rows));
  } finally {
    await browser.close();
    server.close();
  }
}
