/** A device whose store an earlier version of the app laid out: everything is there, also without a network. */
import 'fake-indexeddb/auto';
import { randomUUID } from 'node:crypto';
import { createRxDatabase } from 'rxdb/plugins/core';
import { getRxStorageDexie } from 'rxdb/plugins/storage-dexie';
import { beforeAll, expect, test } from 'vitest';
import type { CollectionName, ReplicatedRow } from '../../src/contract/collections.ts';
import { openSyncDevice, type SyncDevice } from '../backends/sync-device.ts';
import { seedDatabase } from '../../server/app/seed/seed-query.ts';
import { openMigratedDatabase } from '../../server/platform/db/test-databases.ts';
import { readCollection } from '../../workers/compute/live/read-collection.ts';
import { deleteDatabase } from '../../workers/store/dexie-on.ts';
import { openKeyValue } from '../../workers/store/key-value.ts';
import { createPackedRowStore } from '../../workers/store/packed-row-store.ts';
import { requestRows } from '../../workers/store/row-requests.ts';
import { packedMark, rowShape, wholeMark } from '../../workers/store/store-facts.ts';
import { metaDbName, packedDbName, rxdbDatabaseName } from '../../workers/store/store-names.ts';
import { startTestServer, type TestServer } from '../security/support/test-server.ts';

const SIZE = { checks: 6, configs: 4, components: 2, incidents: 2, changes: 2, jobs: 2, seed: 6 };
const SETTLE = { timeout: 30_000 };
const MOVED = ['canaries', 'playbooks'] as const;

let server: TestServer;

beforeAll(async () => {
  const db = await openMigratedDatabase('postgres');
  await seedDatabase(db, { ...SIZE, nowMs: Date.now() });
  await db.script(
    `insert into playbooks (id, namespace, name, title, spec, source) values
       (gen_random_uuid(), 'default', 'restart', 'Restart it', '{}', 'UI')`,
  );
  server = await startTestServer(db, { heartbeatMs: 400 });
  return async () => {
    await server.stop();
    await db.close();
  };
}, 120_000);

/** What a page shows of a collection; null while it can't. */
async function shown({ bus, idb }: SyncDevice, storeName: string, collection: CollectionName) {
  const channel = {
    ...bus,
    newId: () => randomUUID(),
    later: (ms: number, run: () => void) => setTimeout(run, ms),
  };
  const until = Date.now() + 1000;
  const answer =
    collection === 'checks'
      ? await readCollection({ idb, storeName, collection })
      : await requestRows(channel, { storeName, collection }, () => Date.now() < until);
  return answer?.isWhole === true ? answer.rows.toSorted((a, b) => (a.id < b.id ? -1 : 1)) : null;
}

/** Lays a stopped device's store out as the version before did: checks and canaries as texts in RxDB, playbooks packed. */
async function layOutAsBefore(
  idb: IDBFactory,
  storeName: string,
  rows: Record<'checks' | 'canaries' | 'playbooks', readonly ReplicatedRow[]>,
): Promise<void> {
  for (const { name } of await idb.databases())
    if (name?.includes(rxdbDatabaseName(storeName)) === true) await deleteDatabase(name, idb);
  const schema = {
    version: 0,
    primaryKey: 'id',
    type: 'object',
    properties: { id: { type: 'string', maxLength: 200 }, body: { type: 'string' } },
    required: ['id', 'body'],
  } as const;
  const database = await createRxDatabase({
    name: storeName,
    storage: getRxStorageDexie({ indexedDB: idb, IDBKeyRange }),
    multiInstance: false,
  });
  const made = await database.addCollections({ checks: { schema }, canaries: { schema } });
  for (const name of ['checks', 'canaries'] as const)
    await made[name].bulkInsert(rows[name].map((row) => ({ id: row.id, body: JSON.stringify(row) })));
  await database.close();
  const packed = createPackedRowStore<ReplicatedRow>(
    { name: packedDbName(storeName, 'playbooks'), idb, newId: () => randomUUID() },
    rowShape,
  );
  await packed.replaceAll(rows.playbooks);
  await packed.close();
  const meta = openKeyValue(metaDbName(storeName), idb);
  for (const name of MOVED) {
    await meta.delete(wholeMark(name));
    await meta.set(packedMark(name), true);
  }
  await meta.set('boot:checks', true);
  meta.close();
}

test('rows stay without a network, what was left behind goes, an unsent command is sent once, a draft stays', async () => {
  const { email } = await server.account('admin');
  const device = await openSyncDevice(server, email);
  if (device.seen.session.kind !== 'signed-in') throw new Error('nobody is signed in');
  const { storeName } = device.seen.session.user;
  const rowsOf = async (collection: CollectionName) => {
    await expect.poll(() => shown(device, storeName, collection), SETTLE).not.toBeNull();
    return (await shown(device, storeName, collection)) ?? [];
  };
  const rows = {
    checks: await rowsOf('checks'),
    canaries: await rowsOf('canaries'),
    playbooks: await rowsOf('playbooks'),
  };
  for (const [name, some] of Object.entries(rows)) expect(some.length, name).toBeGreaterThan(0);

  device.cut(true);
  await device.service.writeDraft('comment:1', 'half a thought');
  const incidentId = randomUUID();
  const args = { id: incidentId, rootHypothesisId: randomUUID(), title: 'Written before the update' };
  expect(await device.service.send({ name: 'create_incident', args })).toMatchObject({ ok: true });
  await device.service.stop();
  await layOutAsBefore(device.idb, storeName, rows);

  await device.restart();
  for (const name of ['checks', 'canaries', 'playbooks'] as const)
    await expect.poll(() => shown(device, storeName, name), SETTLE).toEqual(rows[name]);
  const drafts: unknown[] = [];
  await device.service.ask('drafts', {}, (view) => drafts.push(view));
  await expect.poll(() => JSON.stringify(drafts.at(-1)), SETTLE).toContain('half a thought');
  device.cut(false);
  const count = () => server.db.text('select count(*)::text from incidents where id = $1', [incidentId]);
  await expect.poll(count, SETTLE).toBe('1');
  await expect.poll(() => device.seen.outbox.items, SETTLE).toEqual([]);
  expect(await count()).toBe('1');
  const names = async () => (await device.idb.databases()).map(({ name }) => name ?? '');
  const left = (name: string) =>
    name.includes(`${storeName}--`) || MOVED.some((one) => name === packedDbName(storeName, one));
  await expect.poll(async () => (await names()).filter(left), SETTLE).toEqual([]);
  for (const name of MOVED) expect(await shown(device, storeName, name)).toEqual(rows[name]);
  await device.stop();
}, 120_000);
