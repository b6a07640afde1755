/**
 * The compute worker's own code over a full store, one process a line: from attach to the first whole answer, the first
 * key and the keys after it, the longest time in which nothing else ran, and what stays in memory.
 * Run: npx tsx --expose-gc bench/worker-bench.ts [checks|checks-flat|catalog|incidents …]
 */
import 'fake-indexeddb/auto';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import type { CollectionName, ReplicatedRow } from '../src/contract/collections.ts';
import type { LiveQuestion } from '../src/contract/live-query.ts';
import { LIVE_HANDLERS } from '../tests/backends/live-query-handlers.ts';
import { createComputeService } from '../workers/compute/compute-service.ts';
import { openKeyValue } from '../workers/store/key-value.ts';
import { createPackedRowStore } from '../workers/store/packed-row-store.ts';
import { rowShape, wholeMark } from '../workers/store/store-facts.ts';
import { metaDbName, packedDbName } from '../workers/store/store-names.ts';
import { percentile } from './percentile.ts';
import { CATALOG, HEALTH } from './questions.ts';
import { changeRow, checkRow, configRow, incidentRow, recordRows } from './stores/estate-rows.ts';

const STORE = 'holdfast-bench';
const ME = '00000000-0000-4000-8000-00000000abcd';
const WINDOW = { start: 0, end: 100 };

const INCIDENTS: LiveQuestion = {
  collection: 'incidents',
  where: [{ field: 'status', op: 'eq', value: 'open' }],
  search: '',
  sort: [{ field: 'created_at', isDescending: true }],
  groupBy: null,
  window: WINDOW,
};

interface Scenario {
  rows: () => Partial<Record<CollectionName, ReplicatedRow[]>>;
  query: string;
  ask: (typed: string) => unknown;
  typed: string;
  beside?: readonly [string, unknown][];
}

const times = <T>(count: number, make: (at: number) => T) =>
  Array.from({ length: count }, (_, at) => make(at));

const SCENARIOS: Record<string, Scenario> = {
  checks: {
    rows: () => ({ checks: times(10_000, checkRow) }),
    query: 'live-health',
    ask: (typed) => ({ query: { ...HEALTH, query: typed }, window: WINDOW }),
    typed: 'gateway-12',
  },
  'checks-flat': {
    rows: () => ({ checks: times(10_000, checkRow) }),
    query: 'live-health',
    ask: (typed) => ({ query: { ...HEALTH, groupBy: 'none', query: typed }, window: WINDOW }),
    typed: 'gateway-12',
  },
  catalog: {
    rows: () => ({
      configs: times(50_000, configRow),
      config_changes: times(10_000, changeRow),
      config_insights: [],
    }),
    query: 'live-catalog',
    ask: (typed) => ({ query: { ...CATALOG, search: typed }, window: WINDOW }),
    typed: 'checkout-w',
  },
  incidents: {
    rows: () => ({
      incidents: times(10_000, incidentRow),
      incident_records: times(10_000, recordRows).flat(),
      resources: [],
    }),
    query: 'live-rows',
    ask: (typed) => ({ ...INCIDENTS, search: typed }),
    typed: 'cache mem',
    beside: [['live-unread', { userId: ME }]],
  },
};

async function fill(rows: Partial<Record<CollectionName, ReplicatedRow[]>>): Promise<void> {
  const meta = openKeyValue(metaDbName(STORE), indexedDB);
  for (const [name, list] of Object.entries(rows)) {
    const store = createPackedRowStore<ReplicatedRow>(
      { name: packedDbName(STORE, name), idb: indexedDB },
      rowShape,
    );
    await store.replaceAll(list);
    await store.close();
    await meta.set(wholeMark(name as CollectionName), true);
  }
  meta.close();
}

/** The longest time in which nothing else ran until it is stopped, ms. */
function watchTurns(): () => number {
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  return () => {
    delays.disable();
    return delays.max / 1e6;
  };
}

const heapMb = () => {
  globalThis.gc?.();
  globalThis.gc?.();
  const { heapUsed, external, arrayBuffers } = process.memoryUsage();
  return (heapUsed + external + arrayBuffers) / 1e6;
};
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function measure(scenario: Scenario) {
  await fill(scenario.rows());
  await pause(50);
  const emptyMb = heapMb();
  const service = createComputeService(
    {
      newId: () => 'bench',
      now: () => Date.now(),
      later: (delayMs, callback) => {
        setTimeout(callback, delayMs);
      },
      every: () => {},
      announce: () => {},
      idb: indexedDB,
      listen: () => () => {},
      report: (error) => console.error(error),
    },
    LIVE_HANDLERS,
  );
  // The name of the query says what its arguments are; here both come out of a table.
  const ask = service.ask as (
    name: string,
    args: unknown,
    listener: (message: unknown) => void,
  ) => Promise<{ update: (args: unknown, generation: number) => Promise<void> }>;
  const cpu = process.cpuUsage();
  const start = performance.now();
  const turns = watchTurns();
  await service.attach(STORE);
  let wholeAtMs = 0;
  const isWhole = (message: unknown) =>
    (message as { frame?: { isLoaded: boolean } }).frame?.isLoaded === true;
  const seen = new Promise<void>((resolve) => {
    void ask(scenario.query, scenario.ask(''), (message) => {
      if (wholeAtMs > 0 || !isWhole(message)) return;
      wholeAtMs = performance.now() - start;
      resolve();
    }).then((opened) => {
      update = (typed, generation) => opened.update(scenario.ask(typed), generation);
    });
  });
  let update: (typed: string, generation: number) => Promise<void> = () => Promise.resolve();
  for (const [query, args] of scenario.beside ?? []) await ask(query, args, () => {});
  await seen;
  const firstMb = heapMb();
  await pause(4000);
  const longestMs = turns();
  const { user, system } = process.cpuUsage(cpu);
  const keys: number[] = [];
  let generation = 0;
  for (let round = 0; round < 8; round += 1)
    for (let at = 1; at <= scenario.typed.length; at += 1) {
      const begun = performance.now();
      generation += 1;
      await update(scenario.typed.slice(0, at), generation);
      keys.push(performance.now() - begun);
    }
  const [firstKey = 0, ...others] = keys;
  const rounded = (value: number) => Number(value.toFixed(1));
  return {
    'first answer ms': rounded(wholeAtMs),
    'CPU until idle ms': rounded((user + system) / 1000),
    'longest turn ms': rounded(longestMs),
    'first key ms': rounded(firstKey),
    'key p50': rounded(percentile(others, 0.5)),
    'key p95': rounded(percentile(others, 0.95)),
    'MB at first answer': rounded(firstMb - emptyMb),
    'MB after': rounded(heapMb() - emptyMb),
  };
}

const [name] = process.argv.slice(2);
const scenario = SCENARIOS[name ?? ''];
if (scenario === undefined) {
  console.error(`usage: npx tsx --expose-gc bench/worker-bench.ts ${Object.keys(SCENARIOS).join('|')}`);
  process.exit(1);
}
console.log(name, JSON.stringify(await measure(scenario)));
process.exit(0);
