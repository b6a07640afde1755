/** Prints how long the compute worker's questions take, at 1,000 and 10,000 checks. Run: npx tsx bench/compute-bench.ts */
import { performance } from 'node:perf_hooks';
import { checkSchema } from '../src/contract/http/canary.ts';
import type { HealthQuery } from '../src/contract/worker.ts';
import type { Check } from '../src/domain/check/check.ts';
import { createCheckIndex } from '../src/contract/health-board/check-index.ts';
import { boardOf } from '../src/contract/health-board/health-board.ts';
import { HEALTH } from './questions.ts';

const NOW = Date.parse('2026-01-01T12:00:00Z');
const BASE: HealthQuery = { ...HEALTH, hidePassing: true };

function checks(count: number): Check[] {
  return Array.from({ length: count }, (_, at) =>
    checkSchema.parse({
      id: `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`,
      canary_id: `canary-${at % (count / 20)}`,
      canary_name: `canary-${at % (count / 20)}`,
      name: `service-${(at * 7919) % count}/probe`,
      namespace: `team-${at % 12}`,
      type: ['http', 'tcp', 'dns', 'icmp'][at % 4],
      description: `Watches service ${at}`,
      endpoint: `https://service-${at}.example.test/healthz`,
      labels: { app: `app-${at % 200}`, tier: ['web', 'db', 'queue'][at % 3], region: `r${at % 5}` },
      status: at % 9 === 0 ? 'unhealthy' : 'healthy',
      uptime: { passed: 100, failed: at % 9 },
      latency: { p95: (at * 31) % 900 },
      last_runtime: '2026-01-01T11:59:50Z',
      next_runtime: '2026-01-01T12:00:20Z',
      last_transition_time: new Date(NOW - at * 60_000).toISOString(),
    }),
  );
}

const QUESTIONS: Record<string, Partial<HealthQuery>> = {
  'grouped, passing hidden': {},
  'grouped, all': { hidePassing: false },
  'one letter typed': { query: 's', hidePassing: false },
  'a word typed': { query: 'service-77', hidePassing: false },
  'ungrouped by name': { groupBy: 'none', hidePassing: false },
  'ungrouped by latency': { groupBy: 'none', hidePassing: false, sortBy: 'latency', sortDesc: true },
  'one group expanded': { hidePassing: false, expanded: ['canary-7'] },
  'pivot by region': { hidePassing: false, pivotBy: 'region' },
  'label included': { hidePassing: false, labels: { 'canary:tier:web': 1 } },
};
const RUNS = 60;

function percentiles(times: number[]) {
  const ascending = times.toSorted((a, b) => a - b);
  const at = (share: number) => Number((ascending[Math.floor(ascending.length * share)] ?? 0).toFixed(2));
  return { 'p50 ms': at(0.5), 'p95 ms': at(0.95) };
}

function timed(run: (at: number) => void) {
  const times: number[] = [];
  for (let at = 0; at < RUNS + 10; at += 1) {
    const start = performance.now();
    run(at);
    // The first runs are the compiler's.
    if (at >= 10) times.push(performance.now() - start);
  }
  return percentiles(times);
}

for (const count of [1000, 10_000]) {
  const rows = checks(count);
  const index = createCheckIndex();
  const table: Record<string, ReturnType<typeof percentiles>> = {
    'load everything': timed(() => {
      index.replaceAll(rows, NOW);
      index.entries();
      index.facets();
    }),
    'apply 100 changes': timed((at) => {
      index.apply({ upserts: rows.slice(at, at + 100), deletedIds: [] }, NOW);
      index.entries();
    }),
    'clock tick': timed((at) => index.reevaluate(NOW + at)),
  };
  for (const [name, part] of Object.entries(QUESTIONS)) {
    table[name] = timed(() => {
      const input = { isLoaded: true, entries: index.entries(), facets: index.facets(), summaryRange: '1h' };
      boardOf({ ...input, summaryRange: '1h' }, { ...BASE, ...part }).rows(0, 100);
    });
  }
  console.log(`\n${count} checks`);
  console.table(table);
}
