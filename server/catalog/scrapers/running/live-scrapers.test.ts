/** A cluster that changes while it is watched, through the whole service and a real database. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { pino } from 'pino';
import { z } from 'zod';
import { createSecretReader } from '../../../health/kind/secret-values.ts';
import { createSealer } from '../../../platform/crypto/sealing.ts';
import type { Database } from '../../../platform/db/database.ts';
import { openMigratedDatabase } from '../../../platform/db/test-databases.ts';
import { createServerGuard } from '../../../platform/egress/server-guard.ts';
import { createLeases } from '../../../platform/jobs/leases.ts';
import { nodePlatform } from '../../../platform/platform.ts';
import type { Json } from '../health/health.ts';
import { createScrapeService } from '../scrape-service.ts';
import type { ScrapeService } from '../scrape-service.ts';
import { startWatchedCluster } from '../testing/watched-cluster.ts';
import type { WatchedCluster } from '../testing/watched-cluster.ts';
import { beginRun } from './scraper-runs-query.ts';

const silent = pino({ level: 'silent' });
const WITHIN = { timeout: 45_000, interval: 100 };

const meta = (name: string, more: object = {}) => ({ name, namespace: 'shop', uid: `uid-${name}`, ...more });
const pod = (name: string, phase = 'Running', labels: object = { app: name }): Json => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: meta(name, { labels }),
  spec: { containers: [{ name: 'main' }] },
  status: { phase, conditions: [{ type: 'Ready', status: phase === 'Running' ? 'True' : 'False' }] },
});
const service = (name: string, selector: object): Json => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: meta(name),
  spec: { selector, type: 'ClusterIP' },
});
const event = (name: string, reason: string): Json => ({
  apiVersion: 'v1',
  kind: 'Event',
  metadata: meta(`${name}.${reason}`),
  involvedObject: { kind: 'Pod', name, namespace: 'shop', uid: `uid-${name}` },
  reason,
  type: 'Warning',
  message: 'Back-off restarting failed container',
  lastTimestamp: new Date().toISOString(),
});

let db: Database;
let cluster: WatchedCluster;
const services: ScrapeService[] = [];

const startService = async (isAlone = true): Promise<ScrapeService> => {
  const leases = createLeases({ db, platform: nodePlatform, logger: silent, isAlone });
  const started = createScrapeService({
    db,
    settings: { scrapersDir: null, isExecAllowed: false },
    platform: nodePlatform,
    leases,
    logger: silent,
    guard: createServerGuard({ egressAllow: ['loopback'], egressDeny: [], databaseUrl: null }),
    secret: createSecretReader('/nonexistent'),
    sealer: createSealer(Buffer.alloc(32, 1), nodePlatform),
    notify: () => undefined,
  });
  await leases.start();
  await started.start();
  services.push(started);
  return started;
};
const scraper = async (more: object = {}) => {
  const entry = { clusterName: 'test', kubeconfig: { value: cluster.kubeconfig }, ...more };
  await db.run(`insert into config_scrapers (name, source, spec) values ('cluster', 'UI', $1::jsonb)`, [
    JSON.stringify({ schedule: '@every 1h', kubernetes: [entry] }),
  ]);
};
const items = async (type = 'Pod') => {
  const rows = await db.rows(
    z.custom<{ name: string; status: string | null; deleted: boolean }>(),
    `select name, status, deleted_at is not null as deleted from config_items where type = $1 order by name`,
    [`Kubernetes::${type}`],
  );
  return rows.map(({ name, status, deleted }) => (deleted ? `${name} deleted` : `${name} ${status}`));
};
const until = (expected: string[], type?: string) =>
  vi.waitFor(async () => expect(await items(type)).toEqual(expected), WITHIN);
const lists = () =>
  cluster.asked.filter((url) => url.pathname === '/api/v1/pods' && !url.searchParams.has('watch'));
const isWatched = () => vi.waitFor(() => expect(cluster.watches()).toBeGreaterThanOrEqual(3), WITHIN);

beforeAll(async () => {
  db = await openMigratedDatabase('postgres');
});
afterAll(() => db.close());
beforeEach(async () => {
  cluster = await startWatchedCluster([pod('web'), service('front', { app: 'web' }), event('web', 'Pulled')]);
});
afterEach(async () => {
  for (const started of services.splice(0)) await started.stop(5000);
  await cluster.close();
  for (const table of ['config_changes', 'config_relationships', 'leases', 'job_history', 'scraper_runs'])
    await db.run(`delete from ${table}`);
  await db.run('update config_items set parent_id = null');
  await db.run('delete from config_items');
  await db.run('delete from config_scrapers');
});

test('what changes in a list while its further pages are read is not missed', async () => {
  // More than a page of them.
  for (let at = 0; at < 600; at += 1) cluster.put(pod(`many-${at}`));
  await scraper();
  await startService();
  await vi.waitFor(() => expect(lists().length).toBeGreaterThanOrEqual(2), WITHIN);
  await isWatched();
  cluster.betweenPages(() => cluster.put(pod('many-0', 'Failed')));
  // Begins with a list again.
  cluster.forget();
  cluster.breakWatches();
  await vi.waitFor(async () => expect(await items()).toContain('many-0 Failed'), WITHIN);
});

test('what is added, changed and deleted in a cluster is so in the catalog, without another list', async () => {
  await scraper();
  await startService();
  await until(['web Running']);
  await isWatched();
  const before = lists().length;
  cluster.put(pod('worker'));
  await until(['web Running', 'worker Running']);
  cluster.put(pod('worker', 'Running', { app: 'worker', version: '2' }));
  cluster.put(event('web', 'BackOff'));
  await until(['web Running', 'worker Running']);
  cluster.remove('uid-web');
  await until(['web deleted', 'worker Running']);
  await vi.waitFor(
    async () =>
      expect(
        await db.text(`select string_agg(change_type, ' ' order by change_type) from config_changes
          where change_type in ('BackOff', 'Deleted', 'diff')`),
      ).toBe('BackOff Deleted diff'),
    WITHIN,
  );
  expect(lists()).toHaveLength(before);
  // A service that comes to select a pod is related to it.
  cluster.put(service('back', { app: 'worker' }));
  await vi.waitFor(
    async () =>
      expect(
        await db.text(`select string_agg(c.name || ' ' || relation || ' ' || r.name, ', ') from config_relationships
          join config_items c on c.id = config_id join config_items r on r.id = related_id where r.name = 'worker' and relation = 'ServicePod'`),
      ).toBe('back ServicePod worker'),
    WITHIN,
  );
}, 120_000);

test('a watch that breaks goes on where it was; one whose version is forgotten begins with a list', async () => {
  await scraper();
  await startService();
  await until(['web Running']);
  await isWatched();
  cluster.put(pod('worker'));
  await until(['web Running', 'worker Running']);
  const before = lists().length;
  cluster.bookmark();
  cluster.breakWatches();
  cluster.put(pod('missed'));
  await until(['missed Running', 'web Running', 'worker Running']);
  expect(lists()).toHaveLength(before);
  await isWatched();
  // While nobody watches, an object goes and its deletion is forgotten.
  cluster.breakWatches();
  cluster.remove('uid-worker');
  cluster.forget();
  await until(['missed Running', 'web Running', 'worker deleted']);
  expect(lists().length).toBeGreaterThan(before);
}, 120_000);

test('among several servers one follows, and another one when it ends', async () => {
  await scraper();
  const [first] = [await startService(false), await startService(false)];
  await until(['web Running']);
  await isWatched();
  // Pods, services and events, once each.
  expect(cluster.watches()).toBe(3);
  const [holder, other] = [first, services[1]];
  const following = [holder, other].filter((one) => (one?.stats().followed ?? 0) > 0);
  expect(following).toHaveLength(1);
  await following[0]?.stop(5000);
  cluster.put(pod('worker'));
  await until(['web Running', 'worker Running']);
}, 120_000);

test('a scraper that runs only when asked, or does not want it, is not followed', async () => {
  await scraper({ live: false });
  const started = await startService();
  await until(['web Running']);
  expect(started.stats().followed).toBe(0);
  expect(cluster.asked.some((url) => url.searchParams.has('watch'))).toBe(false);
}, 60_000);

test('a run that began by a clock that was ahead holds up none, one that began just now does', async () => {
  await scraper();
  const scraperId = (await db.text('select id::text from config_scrapers')) ?? '';
  await db.run(
    `insert into scraper_runs (scraper_id, started_at) values ($1, clock_timestamp() + interval '1 hour')`,
    [scraperId],
  );
  expect(await beginRun(db, { scraperId, minAgeMs: 60_000 })).toBe(true);
  expect(await beginRun(db, { scraperId, minAgeMs: 60_000 })).toBe(false);
});
