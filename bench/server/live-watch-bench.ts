/** A cluster of 5,000 objects that is watched: how soon a change of one is in the catalog, and the memory that it takes. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepareServer } from '../../e2e/support/holdfast-server.ts';
import { startWatchedCluster } from '../../server/catalog/scrapers/testing/watched-cluster.ts';
import type { Bench } from '../core/bench.ts';
import { treeMb } from '../core/machine.ts';
import { sessionCookie } from '../signed-in-proxy.ts';

const OBJECTS = 5000;
const CHANGES = 30;
const LIMIT_MS = 120_000;
const LOOK_EVERY_MS = 50;

const pod = (at: number, phase: 'Running' | 'Failed') => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name: `worker-${at}`,
    namespace: `namespace-${at % 40}`,
    uid: `uid-${at}`,
    labels: { app: `app-${at % 200}`, team: `team-${at % 12}` },
  },
  spec: {
    nodeName: `node-${at % 60}`,
    containers: ['main', 'proxy'].map((name) => ({
      name,
      image: `registry.example.org/${name}:1.${at % 30}`,
      env: Array.from({ length: 8 }, (_, n) => ({ name: `SETTING_${n}`, value: `value-${n}-${at % 7}` })),
    })),
  },
  status: { phase, conditions: [{ type: 'Ready', status: phase === 'Running' ? 'True' : 'False' }] },
});

/** Asks until it holds; answers the milliseconds. */
async function until(holds: () => Promise<boolean>): Promise<number> {
  const startedAt = performance.now();
  while (performance.now() - startedAt < LIMIT_MS) {
    if (await holds()) return performance.now() - startedAt;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
  throw new Error(`not within ${LIMIT_MS / 1000} s`);
}

/** Measures it on the default database. */
export async function measureLiveWatch(bench: Bench): Promise<void> {
  const cluster = await startWatchedCluster(Array.from({ length: OBJECTS }, (_, at) => pod(at, 'Running')));
  const dir = mkdtempSync(join(tmpdir(), 'holdfast-watch-'));
  const kubernetes = [{ clusterName: 'bench', kubeconfig: { value: cluster.kubeconfig } }];
  const document = {
    apiVersion: 'configs.flanksource.com/v1',
    kind: 'ScrapeConfig',
    metadata: { name: 'cluster', namespace: 'bench' },
    spec: { schedule: '@every 1h', kubernetes },
  };
  writeFileSync(join(dir, 'cluster.yaml'), JSON.stringify(document));
  const env = { SCRAPERS_DIR: dir, EGRESS_ALLOW: 'loopback', LOG_LEVEL: 'warn' };
  const server = await prepareServer({ env });
  try {
    await server.start();
    const headers = { cookie: await sessionCookie(server.url) };
    const count = async (where: string) => {
      const answer = await fetch(`${server.url}/api/db/config_items?select=id&limit=1&${where}`, {
        headers: { ...headers, prefer: 'count=exact' },
      });
      await answer.arrayBuffer();
      return Number(answer.headers.get('content-range')?.split('/')[1]);
    };
    await until(async () => (await count('type=eq.Kubernetes::Pod')) === OBJECTS);
    await until(async () => cluster.watches() > 0);
    await bench.measure(['watch change'], CHANGES, async (at) => {
      const changed = (at * 157) % OBJECTS;
      cluster.put(pod(changed, 'Failed'));
      const took = await until(
        async () => (await count(`name=eq.worker-${changed}&health=eq.unhealthy`)) === 1,
      );
      return { 'watch change': took };
    });
    await bench.measure(['watch memory'], 1, async () => ({ 'watch memory': treeMb(server.pid()) }));
  } finally {
    await server.dispose();
    await cluster.close();
    rmSync(dir, { recursive: true, force: true });
  }
}
