import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { expect, test } from 'vitest';
import { deleteDatabase } from '../store/dexie-on.ts';
import { packedDbName } from '../store/store-names.ts';
import { openUserStore } from './user-store.ts';

const STORE = 'holdfast-test';
const ROW = { id: 'a', title: 'kept' };

function device() {
  const idb = new IDBFactory();
  const broken: unknown[] = [];
  return { idb, broken, open: () => openUserStore(STORE, idb, (error) => broken.push(error)) };
}

test('a store whose databases are as they were made is in order', async () => {
  const { open, broken } = device();
  const store = open();
  await store.verify();
  await store.rows.incidents.apply({ upserts: [ROW], deletedIds: [] });
  await store.close();
  const again = open();
  await again.verify();
  expect(await again.rows.incidents.loadAll()).toEqual([ROW]);
  await again.close();
  expect(broken).toEqual([]);
});

test('a database that somebody removed is noticed before its emptiness is taken for the truth', async () => {
  const { open, idb } = device();
  const store = open();
  await store.rows.incidents.apply({ upserts: [ROW], deletedIds: [] });
  await store.close();
  await deleteDatabase(packedDbName(STORE, 'incidents'), idb);
  const again = open();
  await expect(again.verify()).rejects.toMatchObject({ code: 'storage' });
  await again.close();
});

test('and when it is made anew before anybody looked', async () => {
  const { open, idb, broken } = device();
  const store = open();
  await store.rows.incidents.apply({ upserts: [ROW], deletedIds: [] });
  await store.close();
  await deleteDatabase(packedDbName(STORE, 'incidents'), idb);
  const again = open();
  await again.rows.incidents.loadAll();
  await expect.poll(() => broken).toMatchObject([{ code: 'storage' }]);
  await again.close();
});
