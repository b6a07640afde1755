/** How punctual a server on one core is that runs 1,000 checks of ten kinds every 30 s against services of this process. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepareServer } from '../../e2e/support/holdfast-server.ts';
import { startTestDns } from '../../server/health/testing/dns-server.ts';
import { startJsonServer } from '../../server/health/testing/json-server.ts';
import type { Asked, JsonAnswer } from '../../server/health/testing/json-server.ts';
import { startTestRedis } from '../../server/health/testing/redis-server.ts';
import type { Bench } from '../core/bench.ts';
import { countCpu } from '../core/machine.ts';
import { latenesses } from './checks-bench.ts';

const EACH = 100;
const SETTLE_MS = 45_000;
const MEASURE_MS = 30_000;
const WINDOWS = 4;
/** Of each kind, those whose stored results are looked at. */
const LOOKED_AT = 5;

function answer({ url }: Asked): JsonAnswer {
  if (url.pathname.endsWith('/_search')) return { body: { hits: { total: { value: 0 }, hits: [] } } };
  if (url.pathname === '/api/v2/alerts') return { body: [] };
  if (url.pathname === '/api/v1/query')
    return {
      body: { status: 'success', data: { resultType: 'vector', result: [{ metric: {}, value: [1, '1'] }] } },
    };
  return { body: 'ok' };
}

/** Services on free ports, and the entries of the ten kinds that call them. */
async function startServices(folder: string) {
  const json = await startJsonServer(answer);
  const redis = await startTestRedis();
  const dns = await startTestDns([{ name: 'load.test.', type: 'A', value: '10.0.0.1' }]);
  const tcp = createServer((socket) => socket.on('error', () => socket.destroy()));
  await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve));
  const { url } = json;
  const kinds: Record<string, object> = {
    http: { url },
    tcp: { endpoint: `127.0.0.1:${(tcp.address() as AddressInfo).port}` },
    dns: { server: '127.0.0.1', port: dns.port, query: 'load.test', minrecords: 1 },
    folder: { path: folder },
    redis: { url: `redis://127.0.0.1:${redis.port}` },
    prometheus: { url, query: 'up', test: { expr: 'double(value) == 1.0' } },
    alertmanager: { url, test: { expr: 'size(results) == 0' } },
    elasticsearch: { url, index: 'a', query: '{}', results: 0 },
    opensearch: { url, index: 'a', query: '{}', results: 0 },
    catalog: { selector: [{ types: ['Kubernetes::Pod'] }], test: { expr: 'size(results) == 0' } },
  };
  const stop = async () => {
    json.stop();
    redis.stop();
    tcp.close();
    await dns.stop();
  };
  return { kinds, stop };
}

function canaryFile(kinds: Record<string, object>): string {
  const documents = Object.entries(kinds).flatMap(([kind, entry]) =>
    Array.from({ length: EACH }, (_, index) => {
      const name = `${kind}-${index}`;
      return JSON.stringify({
        apiVersion: 'canaries.flanksource.com/v1',
        kind: 'Canary',
        metadata: { name, namespace: 'bench' },
        spec: { schedule: '@every 30s', [kind]: [{ ...entry, name }] },
      });
    }),
  );
  return documents.join('\n---\n');
}

/** Measures it on the default database. */
export async function measureCheckKinds(bench: Bench): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'holdfast-kinds-'));
  const { kinds, stop } = await startServices(dir);
  writeFileSync(join(dir, 'load.yaml'), canaryFile(kinds));
  const server = await prepareServer({ env: { CANARIES_DIR: dir, LOG_LEVEL: 'warn' } });
  try {
    await server.start();
    execFileSync('taskset', ['--all-tasks', '--cpu-list', '--pid', '0', String(server.pid())]);
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
    const since = new Date();
    await bench.measure(['check kinds cpu'], WINDOWS, async () => {
      const percent = countCpu(server.pid());
      await new Promise((resolve) => setTimeout(resolve, MEASURE_MS));
      return { 'check kinds cpu': percent() };
    });
    const names = Object.keys(kinds).flatMap((kind) =>
      Array.from({ length: LOOKED_AT }, (_, index) => `${kind}-${index * (EACH / LOOKED_AT)}`),
    );
    await bench.measure(['check kinds late'], 1, async () => {
      const late = await latenesses(server.url, since, names);
      if (late.length < names.length) throw new Error(`only ${late.length} runs were seen`);
      return { 'check kinds late': late };
    });
  } finally {
    await server.dispose();
    await stop();
    rmSync(dir, { recursive: true, force: true });
  }
}
