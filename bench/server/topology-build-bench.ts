/** How long a topology of 10,000 components takes to be stored on PGlite, and how long others wait for the database. */
import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import type { Database } from '../../server/platform/db/database.ts';
import { draftOf, type Draft } from '../../server/topology/build/draft.ts';
import { createProblems } from '../../server/topology/build/problems.ts';
import { storeTopology } from '../../server/topology/store/store-topology.ts';
import type { Bench } from '../core/bench.ts';
import { withDatabase } from './bench-database.ts';

const COUNT = 10_000;
const GROUPS = 100;
const RUNS = 3;
const MEGABYTE = 1024 * 1024;

/** Groups of pods, as a lookup finds them. */
function tree(name: string): Draft {
  const size = COUNT / GROUPS - 1;
  const pod = (group: number, at: number) =>
    draftOf(`pod-${group}-${at}`, {
      type: 'Pod',
      namespace: `namespace-${group}`,
      status: 'Running',
      health: 'healthy',
      labels: { app: `app-${at % 20}`, team: `team-${group % 12}` },
      properties: [
        { name: 'cpu', unit: 'millicores', value: at, max: 100, headline: true },
        { name: 'node', text: `node-${at % 60}` },
      ],
    });
  const groups = Array.from({ length: GROUPS }, (_, group) => ({
    ...draftOf(`group-${group}`, { type: 'Deployment' }),
    children: Array.from({ length: size }, (_unused, at) => pod(group, at)),
  }));
  return { ...draftOf(name, { type: 'Cluster' }), children: groups };
}

/** Asks for nothing much again and again; answers the longest wait. */
function watchWaits(db: Database): () => Promise<number> {
  let longestMs = 0;
  let isOver = false;
  const asking = (async () => {
    while (!isOver) {
      const startedAt = performance.now();
      await db.text('select 1::text');
      longestMs = Math.max(longestMs, performance.now() - startedAt);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  })();
  return async () => {
    isOver = true;
    await asking;
    return longestMs;
  };
}

/** Measures it. */
export async function measureTopologyBuild(bench: Bench): Promise<void> {
  await withDatabase('pglite', async (db) => {
    const memory: number[] = [];
    await bench.measure(
      ['topology build', 'topology build wait', 'topology build same'],
      RUNS,
      async (at) => {
        const id = await db.text(
          `insert into topologies (name, namespace, spec) values ($1, 'bench', '{}') returning id::text`,
          [`bench ${at}`],
        );
        const store = async () => {
          const startedAt = performance.now();
          const built = { root: tree(`bench ${at}`), elsewhere: [] };
          const request = { topologyId: id ?? '', schedule: null, built, isComplete: true };
          const summary = await storeTopology(db, {
            ...request,
            newId: randomUUID,
            problems: createProblems(),
          });
          return { ms: performance.now() - startedAt, summary };
        };
        const waits = watchWaits(db);
        const fresh = await store();
        const waitMs = await waits();
        if (fresh.summary.added !== COUNT + 1) throw new Error(`${fresh.summary.added} were added`);
        const same = await store();
        if (same.summary.changed !== 0) throw new Error(`${same.summary.changed} changed`);
        memory.push(process.memoryUsage().rss / MEGABYTE);
        return {
          'topology build': fresh.ms,
          'topology build wait': waitMs,
          'topology build same': same.ms,
        };
      },
    );
    bench.extra('memory of the process after 1, 2 and 3 topologies of 10,000 components', 'MB', memory);
  });
}
