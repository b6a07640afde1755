/** How long the catalog's front takes in the compute worker's own code; part of `npm run bench -- --only=catalog`. */
import { performance } from 'node:perf_hooks';
import type { CatalogQuery } from '../src/contract/catalog-view.ts';
import type { CollectionName, ReplicatedRow } from '../src/contract/collections.ts';
import { createCatalogBoard } from '../workers/compute/catalog/catalog-board.ts';
import { CatalogItems } from '../workers/compute/catalog/catalog-items.ts';
import { createTallies } from '../workers/compute/catalog/tallies.ts';
import { CollectionIndex, prepareRows } from '../src/contract/row-index/collection-index.ts';
import type { Bench } from './core/bench.ts';
import type { LineKey } from './lines.ts';
import { CATALOG } from './questions.ts';

const RUNS = 40;
const WARM_UP = 8;
const NOW_MS = 1_770_000_000_000;
const TYPES = [
  'Kubernetes::Pod',
  'Kubernetes::Deployment',
  'AWS::EC2::Instance',
  'AWS::RDS',
  'MissionControl::Job',
];

const at = (ms: number) => new Date(ms).toISOString();
const pick = <T>(list: readonly T[], n: number): T | undefined => list[n % list.length];

function config(n: number): ReplicatedRow {
  return {
    id: `config-${n}`,
    name: `${pick(['checkout', 'api', 'billing', 'search'], n)}-${pick(['worker', 'web', 'cache'], n)}-${n}`,
    type: pick(TYPES, n * 7),
    status: pick(['Running', 'Failing', 'Pending'], n),
    health: pick(['healthy', 'healthy', 'unhealthy', 'warning', null], n),
    tags: { cluster: `cluster-${n % 8}`, namespace: `ns-${n % 60}` },
    labels: { app: `app-${n % 500}`, team: `team-${n % 40}` },
    external_id: [`arn:aws:thing/${n}`],
    cost_total_1d: n % 17,
    cost_total_7d: n % 91,
    cost_total_30d: n % 400,
    created_at: at(NOW_MS - n * 60_000),
    updated_at: at(NOW_MS - n * 1000),
    deleted_at: n % 50 === 0 ? at(NOW_MS - 3_600_000) : null,
  };
}

async function sourceOf(collection: CollectionName, rows: ReplicatedRow[]) {
  const index = new CollectionIndex(collection, {
    touchedIds: () => [],
    shown: (row) => (row === null ? null : { row, pending: 'none' }),
  });
  index.replaceAll(await prepareRows(rows, () => Promise.resolve()));
  return { index, isLoaded: () => true };
}

const SUMMARY: CatalogQuery = { ...CATALOG, groupBy: ['config_class', 'type'], hasItems: false };
const TYPED = 'checkout-w';

/** Over 50,000 items with as many changes. */
export async function measureCatalog(bench: Bench): Promise<void> {
  const count = 50_000;
  const rows = Array.from({ length: count }, (_, n) => config(n));
  const configs = await sourceOf('configs', rows);
  const change = (n: number): ReplicatedRow => ({
    id: `change-${n}`,
    config_id: `config-${(n * 31) % count}`,
    created_at: at(NOW_MS - n * 1000),
  });
  const tallies = createTallies({
    changes: await sourceOf(
      'config_changes',
      Array.from({ length: count }, (_, n) => change(n)),
    ),
    insights: await sourceOf('config_insights', []),
  });
  const items = new CatalogItems(configs, tallies);
  const data = { items, hasChanges: () => true, hasAnalysis: () => true, nowMs: () => NOW_MS };
  const ask = createCatalogBoard(data);
  const answer = (query: CatalogQuery) => void ask(query).rows(0, 100);
  const timed = (run: (n: number) => void) => {
    const times: number[] = [];
    for (let n = 0; n < RUNS + WARM_UP; n += 1) {
      const start = performance.now();
      run(n);
      if (n >= WARM_UP) times.push(performance.now() - start);
    }
    return times;
  };
  const one = (key: LineKey, run: (n: number) => void) =>
    bench.measure([key], 1, async () => ({ [key]: timed(run) }));
  await one('catalog summary 50000', (n) => answer({ ...SUMMARY, hideDeleted: n % 2 === 0 }));
  await one('catalog filter 50000', (n) =>
    answer({
      ...CATALOG,
      health: { unhealthy: n % 2 === 0 ? 1 : -1 },
      labels: { [`team:team-${n % 40}`]: -1 },
    }),
  );
  await one('catalog search 50000', (n) =>
    answer({ ...CATALOG, search: TYPED.slice(0, (n % TYPED.length) + 1) }),
  );
  await one('catalog refresh 50000', (n) => {
    configs.index.apply({ upserts: [{ ...config(n), health: 'warning' }], deletedIds: [] });
    items.forget();
    answer(SUMMARY);
  });
}
