/** A device against our real server whose databases somebody changes under it: the next pull puts everything right. */
import 'fake-indexeddb/auto';
import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { damageRxdb } from '../backends/damage-rxdb.ts';
import { openSyncDevice, type SyncDevice } from '../backends/sync-device.ts';
import { COLLECTION_FACTS, COLLECTIONS, type CollectionName } from '../../src/contract/collections.ts';
import { seedDatabase } from '../../server/app/seed/seed-query.ts';
import { openMigratedDatabase } from '../../server/platform/db/test-databases.ts';
import { startTestServer, type TestServer } from '../security/support/test-server.ts';
import { deleteDatabase, dexieOn } from '../../workers/store/dexie-on.ts';
import { readCollection } from '../../workers/compute/live/read-collection.ts';
import { KEY_VALUE_TABLE } from '../../workers/store/key-value-table.ts';
import { requestRows } from '../../workers/store/row-requests.ts';
import { metaDbName, packedDbName } from '../../workers/store/store-names.ts';

const SIZE = { checks: 6, configs: 12, components: 4, incidents: 3, changes: 8, jobs: 4, seed: 5 };
const MORE = { relationships: 8, insights: 4 };
const SETTLE = { timeout: 30_000 };

let server: TestServer;

beforeAll(async () => {
  const db = await openMigratedDatabase('postgres');
  await seedDatabase(db, { ...SIZE, ...MORE, nowMs: Date.now() });
  server = await startTestServer(db, { heartbeatMs: 400 });
  return async () => {
    await server.stop();
    await db.close();
  };
}, 120_000);

const DAMAGES = ['removed', 'rows removed', 'a row changed', 'cursor ahead', 'marks lost'] as const;
type Damage = (typeof DAMAGES)[number];

const CURSOR = 'log:cursor';
const MOMENTS = ['before a pull', 'during a pull', 'before a start'] as const;

const isInRxdb = (collection: CollectionName) => COLLECTION_FACTS[collection].store === 'rxdb';

async function damage(
  { idb }: SyncDevice,
  storeName: string,
  { collection, how }: { collection: CollectionName; how: Damage },
): Promise<void> {
  const ofRxdb = { removed: 'removed', 'rows removed': 'emptied', 'a row changed': 'a row changed' } as const;
  if (isInRxdb(collection) && how in ofRxdb) {
    await damageRxdb(idb, { storeName, collection }, ofRxdb[how as keyof typeof ofRxdb]);
    return;
  }
  const place = { name: packedDbName(storeName, collection), table: 'pages', field: 'body' };
  if (how === 'removed') return deleteDatabase(place.name, idb);
  if (how === 'marks lost') return deleteDatabase(metaDbName(storeName), idb);
  const isOfMarks = how === 'cursor ahead';
  const there = (await idb.databases()).some(({ name }) => name === place.name);
  // A collection without rows has no database yet.
  if (!isOfMarks && !there) return;
  const db = dexieOn(isOfMarks ? metaDbName(storeName) : place.name, idb);
  await db.open();
  try {
    if (isOfMarks) {
      const facts = db.table<{ key: string; value: unknown }>(KEY_VALUE_TABLE);
      const known = await facts.get(CURSOR);
      const [epoch = '', sequence = ''] = String(known?.value).split('.');
      await facts.put({ key: CURSOR, value: `${epoch}.${Number(sequence) + 1000}` });
    } else if (how === 'rows removed') await db.table(place.table).clear();
    else {
      const record = await db.table<Record<string, unknown>>(place.table).toCollection().first();
      if (record !== undefined)
        await db
          .table(place.table)
          .put({ ...record, [place.field]: String(record[place.field]).replace(/[0-9a-f]{4}/, 'beef') });
    }
  } finally {
    db.close();
  }
}

/** What a page would show of a collection; null while it isn't whole. */
async function shown({ idb, bus }: SyncDevice, storeName: string, collection: CollectionName) {
  try {
    const askUntil = Date.now() + 2000;
    const channel = {
      ...bus,
      newId: () => randomUUID(),
      later: (ms: number, run: () => void) => setTimeout(run, ms),
    };
    const answer = isInRxdb(collection)
      ? await requestRows(channel, { storeName, collection }, () => Date.now() < askUntil)
      : await readCollection({ idb, storeName, collection });
    const { isWhole, rows } = answer ?? { isWhole: false, rows: [] };
    return isWhole ? rows.toSorted((a, b) => (a.id < b.id ? -1 : 1)) : null;
  } catch {
    return null;
  }
}

const scene = fc.record({
  // Those in RxDB more often than their number says.
  collection: fc.oneof(
    fc.constantFrom(...COLLECTIONS),
    fc.constantFrom('playbooks' as const, 'canaries' as const),
  ),
  how: fc.constantFrom(...DAMAGES),
  moment: fc.constantFrom(...MOMENTS),
});

test('whatever happens to the rows of a collection or to what vouches for them, one pull later all is as it was', async () => {
  const { email } = await server.account('admin');
  await fc.assert(
    fc.asyncProperty(scene, async ({ collection, how, moment }) => {
      const device = await openSyncDevice(server, email);
      try {
        if (device.seen.session.kind !== 'signed-in') throw new Error('nobody is signed in');
        const { storeName } = device.seen.session.user;
        await expect.poll(() => shown(device, storeName, collection), SETTLE).not.toBeNull();
        const before = await shown(device, storeName, collection);
        if (moment === 'during a pull') void device.service.refresh();
        if (moment === 'before a start') await device.service.stop();
        await damage(device, storeName, { collection, how });
        if (moment === 'before a start') await device.restart();
        await expect
          .poll(
            async () => {
              // What a pull that began before the damage did not see, the next one does.
              await device.service.refresh();
              return shown(device, storeName, collection);
            },
            { ...SETTLE, interval: 500 },
          )
          .toEqual(before);
      } finally {
        await device.stop();
      }
    }),
    { numRuns: 20 },
  );
}, 300_000);
