/** How long the catalog takes to store what a scrape brought: 5,000 items, new and then the same again, among 50,000. */
import type { Database } from '../../server/platform/db/database.ts';
import { seedDatabase } from '../../server/app/seed/seed-query.ts';
import { ingest, type IngestRun } from '../../server/catalog/scrapers/ingest/ingest.ts';
import { aRun, anItem, later } from '../../server/catalog/scrapers/ingest/testing/scraped.ts';
import type { ScrapedItem } from '../../server/catalog/scrapers/specs/scraped.ts';
import type { Bench } from '../core/bench.ts';
import type { LineKey } from '../lines.ts';
import { withDatabase } from './bench-database.ts';

const ITEMS = 5000;
const RUNS = 3;
const SIZE = {
  checks: 10,
  configs: 50_000,
  components: 0,
  incidents: 0,
  changes: 50_000,
  relationships: 300_000,
  jobs: 0,
  seed: 1,
};

/** As a cluster tells of a pod, without what changes by itself. */
function pod(run: number, at: number): ScrapedItem {
  const namespace = `namespace-${at % 40}`;
  const name = `checkout-worker-${run}-${at}`;
  const labels = { app: `app-${at % 200}`, team: `team-${at % 12}`, tier: 'critical', run: `${run}` };
  return anItem({
    externalIds: [`pod/${namespace}/${name}`],
    type: 'Kubernetes::Pod',
    configClass: 'Pod',
    name,
    health: at % 17 === 0 ? 'unhealthy' : 'healthy',
    status: at % 17 === 0 ? 'CrashLoopBackOff' : 'Running',
    labels,
    tags: { cluster: 'bench', namespace },
    config: {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name, namespace, labels, annotations: { 'example.org/revision': `${at % 9}` } },
      spec: {
        nodeName: `node-${at % 60}`,
        serviceAccountName: 'default',
        containers: ['main', 'proxy', 'logs'].map((container) => ({
          name: container,
          image: `registry.example.org/${container}:1.${at % 30}`,
          args: ['--listen', '0.0.0.0:8080', '--log-level', 'info'],
          env: Array.from({ length: 8 }, (_, n) => ({ name: `SETTING_${n}`, value: `value-${n}-${at % 7}` })),
          resources: { limits: { cpu: '500m', memory: '256Mi' }, requests: { cpu: '50m', memory: '128Mi' } },
        })),
      },
      status: { phase: 'Running', podIP: `10.0.${at % 250}.${at % 241}` },
    },
  });
}

async function timed(db: Database, run: IngestRun, items: ScrapedItem[]): Promise<[number, number]> {
  const startedAt = performance.now();
  const { errors, summary } = await ingest(db, run, { items, changes: [], analyses: [] });
  const took = performance.now() - startedAt;
  if (errors.length > 0) throw new Error(errors[0]);
  return [took, summary['Kubernetes::Pod']?.unchanged ?? 0];
}

async function measureKind(bench: Bench, kind: Database['kind'], lines: { fresh: LineKey; same: LineKey }) {
  await withDatabase(kind, async (db) => {
    await seedDatabase(db, { ...SIZE, nowMs: Date.now() });
    await db.script('analyze');
    await bench.measure([lines.fresh, lines.same], RUNS, async (at) => {
      const items = Array.from({ length: ITEMS }, (_, n) => pod(at, n));
      const run = await aRun(db, `bench ${at}`);
      const [freshMs] = await timed(db, run, items);
      const [sameMs, unchanged] = await timed(db, later(run, 1), structuredClone(items));
      if (unchanged !== ITEMS) throw new Error(`${unchanged} of ${ITEMS} were found unchanged`);
      return { [lines.fresh]: freshMs, [lines.same]: sameMs };
    });
  });
}

/** Measures it on PGlite. */
export async function measureOnPglite(bench: Bench): Promise<void> {
  await measureKind(bench, 'pglite', { fresh: 'ingest new pglite', same: 'ingest same pglite' });
}

/** Measures it on PostgreSQL. */
export async function measureOnPostgres(bench: Bench): Promise<void> {
  await measureKind(bench, 'postgres', { fresh: 'ingest new postgres', same: 'ingest same postgres' });
}
