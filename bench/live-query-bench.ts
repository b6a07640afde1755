/** How long live queries take in the compute worker's own code, warm; part of `npm run bench -- --only=sync`. */
import { performance } from 'node:perf_hooks';
import type { ReplicatedRow } from '../src/contract/collections.ts';
import type { LiveQuestion } from '../src/contract/live-query.ts';
import { CollectionIndex, prepareRows } from '../src/contract/row-index/collection-index.ts';
import { commandReader } from '../workers/compute/live/command-reader.ts';
import { createLiveQuery } from '../workers/compute/live/live-query.ts';
import { Overlay } from '../workers/compute/live/overlay.ts';
import { outboxItem } from '../src/contract/outbox/testing/outbox-item.ts';
import type { Bench } from './core/bench.ts';
import { percentile } from './percentile.ts';

const RUNS = 60;
const WARM_UP = 10;

const idOf = (at: number) => `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`;

function incident(at: number, count: number): ReplicatedRow {
  return {
    id: idOf(at),
    incident_id: `INC-${at}`,
    title: `Service ${(at * 7919) % count} is slow`,
    description: `Seen by the probes of team ${at % 40} in region r${at % 5}`,
    type: ['availability', 'cost', 'performance'][at % 3],
    severity: ['low', 'medium', 'high', 'critical'][at % 4],
    status: ['open', 'investigating', 'mitigated', 'closed'][at % 4],
    labels: { team: `team-${at % 40}`, region: `r${at % 5}` },
    created_at: new Date(1_700_000_000_000 + ((at * 104_729) % count) * 60_000).toISOString(),
  };
}

const BASE: LiveQuestion = {
  collection: 'incidents',
  where: [],
  search: '',
  sort: [{ field: 'created_at', isDescending: true }],
  groupBy: null,
  window: { start: 0, end: 100 },
};
const OPEN: LiveQuestion['where'][number] = { field: 'status', op: 'in', values: ['open', 'investigating'] };
const QUESTIONS: Record<string, Partial<LiveQuestion>> = {
  'all, newest first': {},
  'filtered and grouped': { where: [OPEN], groupBy: 'severity' },
  'a window in the middle': { window: { start: 5000, end: 5100 } },
  'one letter typed': { search: 's' },
  'two words typed': { search: 'service-none team-7' },
  'filter, words, groups': { where: [OPEN], search: 'team-7 slow', groupBy: 'severity' },
  'a count': { where: [OPEN], sort: [], window: { start: 0, end: 0 } },
  'one row by id': { where: [{ field: 'id', op: 'eq', value: idOf(77) }], window: { start: 0, end: 1 } },
};

function timed(run: (at: number) => void) {
  const times: number[] = [];
  for (let at = 0; at < RUNS + WARM_UP; at += 1) {
    const start = performance.now();
    run(at);
    if (at >= WARM_UP) times.push(performance.now() - start);
  }
  return times;
}

const rounded = (times: number[], share: number) => Number(percentile(times, share).toFixed(2));

const rename = (at: number) =>
  outboxItem(at, { name: 'edit_incident', args: { id: idOf(at), changes: { title: `Mine ${at}` } } });

/** Prints a table; answers the slowest question's times, ms. */
async function measure(count: number): Promise<{ name: string; times: number[] }> {
  const rows = Array.from({ length: count }, (_, at) => incident(at, count));
  const overlay = new Overlay(commandReader);
  const index = new CollectionIndex('incidents', overlay);
  const source = { index, isLoaded: () => true };
  let longestStepMs = 0;
  let stepStart = performance.now();
  const loadStart = stepStart;
  const prepared = await prepareRows(rows, async () => {
    longestStepMs = Math.max(longestStepMs, performance.now() - stepStart);
    await new Promise((resolve) => setTimeout(resolve, 0));
    stepStart = performance.now();
  });
  index.replaceAll(prepared);
  const loadMs = performance.now() - loadStart;
  const sortStart = performance.now();
  createLiveQuery({ question: BASE, source }, () => {});
  const sortMs = performance.now() - sortStart;
  console.log(
    `\n${count} rows: indexed in ${loadMs.toFixed(0)} ms (longest step ${longestStepMs.toFixed(0)} ms), ` +
      `first sort ${sortMs.toFixed(0)} ms`,
  );
  const table: Record<string, ReturnType<typeof timed>> = {};
  for (const [name, part] of Object.entries(QUESTIONS))
    table[name] = timed(() => void createLiveQuery({ question: { ...BASE, ...part }, source }, () => {}));
  const query = createLiveQuery({ question: { ...BASE, where: [OPEN] }, source }, () => {});
  table['100 rows from the server'] = timed((at) => {
    query.hear(index.apply({ upserts: rows.slice(at * 100, at * 100 + 100), deletedIds: [] }));
    query.refresh();
  });
  for (let at = 1000; at < 1200; at += 1) overlay.apply({ upserts: [rename(at)], deletedIds: [] });
  table['a command, 200 pending'] = timed((at) => {
    const touched = overlay.apply({ upserts: [rename(at * 4)], deletedIds: [] });
    query.hear(index.recompute(touched.get('incidents') ?? []));
    query.refresh();
  });
  console.table(
    Object.fromEntries(
      Object.entries(table).map(([name, times]) => [
        name,
        { 'p50 ms': rounded(times, 0.5), 'p95 ms': rounded(times, 0.95) },
      ]),
    ),
  );
  const [name = '', times = []] =
    Object.entries(table).toSorted(([, a], [, b]) => percentile(b, 0.95) - percentile(a, 0.95))[0] ?? [];
  return { name, times };
}

/** The slowest question for each size. */
export async function measureQueries(bench: Bench): Promise<void> {
  for (const count of [10_000, 50_000] as const) {
    const line = `query ${count}` as const;
    await bench.measure([line], 1, async () => {
      const { name, times } = await measure(count);
      bench.note(line, name);
      return { [line]: times };
    });
  }
}
