/**
 * `npm run bench`: measures the numbers to hold and prints them beside what was before and the goal. Wants an
 * otherwise idle machine, a Chromium and the browser instrument (UI_BENCH, else ../shared/tools/ui-bench.mjs).
 * `npm run bench -- --only=browser|checks|sync|catalog|incidents|devices|data-api|graph|stores` runs a part.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { prepareServer } from '../e2e/support/holdfast-server.ts';
import { prepareTarget } from '../e2e/support/target-service.ts';
import { measureOfflineStart, measurePush } from './browser-extras.ts';
import { measureChecks } from './checks-bench.ts';
import { measureDataApi } from './data-api-bench.ts';
import { measureCatalog } from './catalog-bench.ts';
import { measureDevices } from './devices-bench.ts';
import { note, printTable } from './goals.ts';
import { measureGraph } from './graph-bench.ts';
import { measureIncidents } from './incidents-bench.ts';
import { measureInitialJs } from './initial-js.ts';
import { scenariosFor } from './scenarios.ts';
import { measureQueries } from './live-query-bench.ts';
import { measureStores } from './stores-bench.ts';
import { measureSync } from './sync-bench.ts';
import { sessionCookie, startSignedInProxy } from './signed-in-proxy.ts';

const OUT = '.tmp/bench';
const only = process.argv.find((arg) => arg.startsWith('--only='))?.slice('--only='.length);

type Aggregate = Record<string, number | string | { criticalNodes?: number; seriousNodes?: number }>;

/** The proxy lives in this process, so the instrument runs beside it, not instead of it. */
async function runInstrument(url: string, checks: number): Promise<Map<string, Aggregate>> {
  const spec = `${OUT}/scenarios-${checks}.json`;
  const results = `${OUT}/results-${checks}.json`;
  writeFileSync(spec, JSON.stringify(scenariosFor(checks)));
  const tool = process.env.UI_BENCH ?? resolve('../shared/tools/ui-bench.mjs');
  const instrument = spawn(process.execPath, [tool, '--app', `holdfast,${url},${spec}`, '--out', results], {
    stdio: 'inherit',
  });
  const [code] = (await once(instrument, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`the instrument ended with ${code}`);
  const records = JSON.parse(readFileSync(results, 'utf8')) as { name: string; agg: Aggregate }[];
  return new Map(records.map((record) => [record.name, record.agg]));
}

const num = (value: unknown) => (typeof value === 'number' ? value : null);

function noteThousand(found: Map<string, Aggregate>): void {
  note('warm 1000', num(found.get('load 1000')?.['warm.ready']));
  note('cold 1000', num(found.get('load 1000')?.['cold.ready']));
  note('warm cpu4 1000', num(found.get('load cpu4 1000')?.['warm.ready']));
  note('key grouped 1000', num(found.get('type grouped 1000')?.oneKeyToRows));
  note('slow cold 1000', num(found.get('slow network 1000')?.['cold.ready']));
  note('slow warm 1000', num(found.get('slow network 1000')?.['warm.ready']));
  const pages = Object.values(found.get('axe') ?? {}).filter((page) => typeof page === 'object');
  note(
    'axe worst',
    pages.reduce((sum, page) => sum + (page.criticalNodes ?? 0) + (page.seriousNodes ?? 0), 0),
  );
}

function noteTenThousand(found: Map<string, Aggregate>): void {
  note('warm 10000', num(found.get('load 10000')?.['warm.ready']));
  note('cold 10000', num(found.get('load 10000')?.['cold.ready']));
  note('warm cpu4 10000', num(found.get('load cpu4 10000')?.['warm.ready']));
  note('long load 10000', num(found.get('load 10000')?.['warm.longMax']));
  note('heap 10000', num(found.get('load 10000')?.['warm.liveHeapMB']));
  note('key grouped 10000', num(found.get('type grouped 10000')?.oneKeyToRowsMax));
  note('key ungrouped 10000', num(found.get('type ungrouped 10000')?.oneKeyToRowsMax));
  note('long type 10000', num(found.get('type ungrouped 10000')?.longMax));
  note('expand 10000', num(found.get('expand 10000')?.clickToRows));
  note('scroll 10000', num(found.get('scroll 10000')?.fps));
  note('nodes 10000', num(found.get('load ungrouped 10000')?.['warm.dom']));
}

async function measureBrowser(checks: number): Promise<void> {
  const server = await prepareServer({ env: { LOG_LEVEL: 'warn' } });
  try {
    execFileSync('npm', ['run', '--silent', 'seed', '--', '--checks', String(checks)], {
      stdio: 'inherit',
      env: { ...process.env, DATA_DIR: server.dataDir },
    });
    await server.start();
    const proxy = await startSignedInProxy(server.url, await sessionCookie(server.url));
    try {
      const found = await runInstrument(proxy.url, checks);
      if (checks === 1000) noteThousand(found);
      else noteTenThousand(found);
      note(checks === 1000 ? 'offline 1000' : 'offline 10000', await measureOfflineStart(proxy.url, 5));
      if (checks === 1000) note('js initial', (await measureInitialJs(proxy.url)).pageKb);
    } finally {
      await proxy.stop();
    }
  } finally {
    await server.dispose();
  }
}

async function measureLive(): Promise<void> {
  const target = await prepareTarget();
  await target.up();
  const dir = resolve(OUT, 'canaries');
  mkdirSync(dir, { recursive: true });
  writeFileSync(
    `${dir}/flip.yaml`,
    `apiVersion: canaries.flanksource.com/v1\nkind: Canary\nmetadata: { name: flip }\nspec: { schedule: "@every 1s", http: [{ name: flip-check, url: "${target.url}" }] }\n`,
  );
  const server = await prepareServer({ env: { LOG_LEVEL: 'warn', CANARIES_DIR: dir } });
  try {
    await server.start();
    const proxy = await startSignedInProxy(server.url, await sessionCookie(server.url));
    try {
      note('push p95', await measurePush(proxy.url, { checkName: 'flip-check', target, flips: 20 }));
    } finally {
      await proxy.stop();
    }
  } finally {
    await server.dispose();
    await target.down();
  }
}

mkdirSync(OUT, { recursive: true });
if (only === undefined || only === 'browser') {
  await measureBrowser(1000);
  await measureBrowser(10_000);
  await measureLive();
}
if (only === undefined || only === 'checks') {
  const checks = await measureChecks();
  note('checks cpu', checks.cpuPercent);
  note('checks late p95', checks.lateP95Ms);
  note('server rss', checks.rssMb);
}
if (only === undefined || only === 'sync') {
  const ten = await measureSync(10_000);
  note('replicate 10000', ten.wholeMs);
  const fifty = await measureSync(50_000);
  note('replicate 50000', fifty.wholeMs);
  note('first screen 50000', fifty.firstScreenMs);
  note('long sync 50000', fifty.longestTaskMs);
  note('tab memory 50000', fifty.memoryMb);
  note('catch-up 5000', fifty.catchUpMs);
  note('propagate p95', fifty.propagateP95Ms);
  note('local paint p95', fifty.localPaintP95Ms);
  const [small = Number.NaN, large = Number.NaN] = await measureQueries([10_000, 50_000]);
  note('query 10000', small);
  note('query 50000', large);
}
if (only === undefined || only === 'catalog') {
  const catalog = await measureCatalog(50_000);
  note('catalog summary 50000', catalog.summaryMs);
  note('catalog filter 50000', catalog.filterMs);
  note('catalog search 50000', catalog.searchMs);
  note('catalog refresh 50000', catalog.refreshMs);
}
if (only === undefined || only === 'incidents') {
  const incidents = await measureIncidents(10_000);
  note('incidents open 10000', incidents.openListP95Ms);
  note('incidents key 10000', incidents.keyP95Ms);
  note('incident page 10000', incidents.openPageP95Ms);
  note('incident status 10000', incidents.statusP95Ms);
  note('incidents long 10000', incidents.longestTaskMs);
}
if (only === undefined || only === 'devices') {
  const devices = await measureDevices();
  note('devices p95', devices.propagationP95Ms);
  note('devices cpu', devices.cpuPercent);
  note('devices rss', devices.rssMb);
  note('storm all', devices.stormAllMs);
  note('storm pull p95', devices.stormPullP95Ms);
  note('storm errors', devices.stormErrors);
  note('storm rss', devices.stormRssMb);
}
if (only === undefined || only === 'data-api') {
  note('data api pglite', await measureDataApi('pglite'));
  note('data api postgres', await measureDataApi('postgres'));
}
if (only === undefined || only === 'graph') {
  const [small = Number.NaN, large = Number.NaN] = await measureGraph([500, 2000]);
  note('graph 500', small);
  note('graph 2000', large);
}
if (only === undefined || only === 'stores') await measureStores();
printTable();
