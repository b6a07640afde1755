/** One suite for every storage behind the port (style 36). */
import 'fake-indexeddb/auto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { installDisk } from '../../tests/backends/full-disk.ts';
import { openKeyValue } from './key-value.ts';
import { finishDeletions, markForDeletion } from './delete-store.ts';
import { createPackedRowStore } from './packed-row-store.ts';
import type { RowStore } from './row-store.ts';
import { createRxdbHandle, createRxdbRowStore } from './rxdb-row-store.ts';
import { storeNameOf } from '../../src/domain/store-name.ts';
import { storageFailureOf } from './storage-failure.ts';
import { DEVICE_DB, metaDbName, packedDbName, rxdbDatabaseName } from './store-names.ts';

interface Row {
  id: string;
  text: string;
  labels?: Record<string, string>;
}
const shape = { idOf: (row: Row) => row.id, partitionOf: (id: string) => id.slice(0, 1) };
let serial = 0;

const kinds: Record<string, (storeName: string) => RowStore<Row>> = {
  rxdb: (storeName) =>
    createRxdbRowStore(
      createRxdbHandle({ name: rxdbDatabaseName(storeName), idb: indexedDB }),
      'canaries',
      shape,
    ),
  packed: (storeName) =>
    createPackedRowStore({ name: packedDbName(storeName, 'check_statuses'), idb: indexedDB }, shape),
};

describe.each(Object.keys(kinds))('%s rows', (kind) => {
  let storeName: string;
  let store: RowStore<Row>;
  const reopen = async () => {
    await store.close();
    store = kinds[kind]!(storeName);
  };
  const texts = async (partition?: string) =>
    (await store.loadAll(partition)).map((row) => `${row.id}=${row.text}`).toSorted();

  beforeEach(() => {
    serial += 1;
    storeName = storeNameOf('http://test', `user-${serial}`);
    store = kinds[kind]!(storeName);
  });
  afterEach(() => store.close());

  test('an empty store answers with no rows', async () => {
    expect(await texts()).toEqual([]);
    expect(await store.count()).toBe(0);
  });

  test('what was applied is there after closing and opening again', async () => {
    await store.apply({
      upserts: [
        { id: 'a1', text: 'x' },
        { id: 'b1', text: 'y' },
      ],
      deletedIds: [],
    });
    await reopen();
    expect(await texts()).toEqual(['a1=x', 'b1=y']);
  });

  test('the same change twice leaves what one left', async () => {
    const change = { upserts: [{ id: 'a1', text: 'x' }], deletedIds: ['b1'] };
    await store.apply({ upserts: [{ id: 'b1', text: 'old' }], deletedIds: [] });
    await store.apply(change);
    await store.apply(change);
    expect(await texts()).toEqual(['a1=x']);
  });

  test('a later write of a row wins, before and after tidying', async () => {
    await store.apply({ upserts: [{ id: 'a1', text: 'first' }], deletedIds: [] });
    await store.apply({ upserts: [{ id: 'a1', text: 'second' }], deletedIds: [] });
    expect(await texts()).toEqual(['a1=second']);
    await store.tidy();
    expect(await texts()).toEqual(['a1=second']);
  });

  test('a deleted row stays deleted after tidying and opening again', async () => {
    await store.apply({
      upserts: [
        { id: 'a1', text: 'x' },
        { id: 'a2', text: 'y' },
      ],
      deletedIds: [],
    });
    await store.tidy();
    await store.apply({ upserts: [], deletedIds: ['a1'] });
    await store.tidy();
    await reopen();
    expect(await texts()).toEqual(['a2=y']);
  });

  test('a row can come back after it was deleted', async () => {
    await store.apply({ upserts: [{ id: 'a1', text: 'x' }], deletedIds: [] });
    await store.apply({ upserts: [], deletedIds: ['a1'] });
    await store.apply({ upserts: [{ id: 'a1', text: 'again' }], deletedIds: [] });
    expect(await texts()).toEqual(['a1=again']);
  });

  test('one partition is read alone', async () => {
    await store.apply({
      upserts: [
        { id: 'a1', text: 'x' },
        { id: 'b1', text: 'y' },
      ],
      deletedIds: [],
    });
    await store.tidy();
    await store.apply({ upserts: [{ id: 'a2', text: 'z' }], deletedIds: ['b1'] });
    expect(await texts('a')).toEqual(['a1=x', 'a2=z']);
    expect(await texts('b')).toEqual([]);
  });

  test('replacing leaves exactly the new rows', async () => {
    await store.apply({
      upserts: [
        { id: 'a1', text: 'x' },
        { id: 'b1', text: 'y' },
      ],
      deletedIds: [],
    });
    await store.replaceAll([
      { id: 'b1', text: 'new' },
      { id: 'c1', text: 'z' },
    ]);
    expect(await texts()).toEqual(['b1=new', 'c1=z']);
    expect(await store.count()).toBe(2);
  });

  test('clearing leaves nothing, and the store is usable after it', async () => {
    await store.apply({ upserts: [{ id: 'a1', text: 'x' }], deletedIds: [] });
    await store.clear();
    expect(await store.count()).toBe(0);
    await store.apply({ upserts: [{ id: 'a1', text: 'x' }], deletedIds: [] });
    expect(await store.count()).toBe(1);
  });

  test('thousands of rows come back whole', async () => {
    const rows = Array.from({ length: 2100 }, (_, i) => ({ id: `a${i}`, text: `t${i}` }));
    await store.replaceAll(rows);
    expect((await store.loadAll()).length).toBe(2100);
    expect((await store.loadAll('a')).length).toBe(2100);
  });

  test('part after part they are all there once', async () => {
    const rows = Array.from({ length: 1200 }, (_, i) => ({ id: `${i % 3}-${i}`, text: `t${i}` }));
    await store.replaceAll(rows);
    await store.apply({
      upserts: [
        { id: '1-1', text: 'new' },
        { id: '4-1', text: 'only logged' },
      ],
      deletedIds: ['2-2'],
    });
    const found: string[] = [];
    for await (const part of store.loadParts()) found.push(...part.map((row) => `${row.id}=${row.text}`));
    expect(found.toSorted()).toEqual(await texts());
  });

  test('label names with pipes, dots and underscores come back as they were', async () => {
    const labels = { '|pipe': '1', __double: '2', 'a.b/c': '3' };
    await store.apply({ upserts: [{ id: 'a1', text: 'x', labels }], deletedIds: [] });
    await reopen();
    expect((await store.loadAll())[0]?.labels).toEqual(labels);
  });
});

test('where nothing was written no read makes a database, and whoever reads is told that there is none', async () => {
  const name = 'never written';
  let missing = 0;
  const store = createPackedRowStore<Row>({ name, idb: indexedDB, onMissing: () => (missing += 1) }, shape);
  const looks = [
    () => store.loadAll(),
    () => store.loadAll('a'),
    () => store.count(),
    () => store.partitions(),
    () => store.loadPages(),
    () => store.loadParts().next(),
    () => store.tidy(),
    () => store.clear(),
    () => store.replaceAll([]),
  ];
  const isThere = async () => (await indexedDB.databases()).some((database) => database.name === name);
  for (const look of looks) {
    await look();
    expect(await isThere()).toBe(false);
  }
  expect(missing).toBe(looks.length);
  await store.apply({ upserts: [{ id: 'a1', text: 'x' }], deletedIds: [] });
  expect(await store.count()).toBe(1);
  expect(await isThere()).toBe(true);
  await store.close();
});

test('a write that a full disk refuses leaves everything as it was, also what the store says of itself', async () => {
  const disk = installDisk();
  const store = createPackedRowStore<Row>({ name: 'refused', idb: indexedDB }, shape);
  await store.apply({ upserts: [{ id: 'a1', text: 'x' }], deletedIds: [] });
  const before = store.written();
  disk.refuses = () => true;
  const change = { upserts: [{ id: 'a1', text: 'y' }], deletedIds: [] };
  expect(await store.apply(change).catch(storageFailureOf)).toMatchObject({ code: 'quota' });
  expect(await store.replaceAll(change.upserts).catch(storageFailureOf)).toMatchObject({ code: 'quota' });
  expect(store.written()).toEqual(before);
  disk.uninstall();
  expect(await store.stamp({ isThorough: true })).toEqual(before);
  expect(await store.loadAll()).toEqual([{ id: 'a1', text: 'x' }]);
  await store.close();
});

describe('a store of one user', () => {
  const exists = async (name: string) =>
    (await indexedDB.databases()).some((database) => database.name === name);

  test('users and servers have different stores, the same pair always the same', () => {
    expect(storeNameOf('http://a', '1')).toBe(storeNameOf('http://a', '1'));
    const names = [storeNameOf('http://a', '1'), storeNameOf('http://a', '2'), storeNameOf('http://b', '1')];
    expect(new Set(names).size).toBe(3);
  });

  test('deleting a store leaves no database of it', async () => {
    const name = storeNameOf('http://wipe', 'me');
    const rows = kinds.rxdb!(name);
    await rows.apply({ upserts: [{ id: 'a1', text: 'x' }], deletedIds: [] });
    await rows.close();
    const packed = kinds.packed!(name);
    await packed.apply({ upserts: [{ id: 'a1', text: 'x' }], deletedIds: [] });
    await packed.close();
    const device = openKeyValue(DEVICE_DB, indexedDB);
    await markForDeletion({ device, idb: indexedDB }, name);
    await finishDeletions({ device, idb: indexedDB });
    const left = (await indexedDB.databases()).filter((database) => database.name?.includes(name));
    expect(left).toEqual([]);
    device.close();
  });

  test('a deletion that was cut short is finished at the next start', async () => {
    const name = storeNameOf('http://wipe', 'cut');
    const meta = openKeyValue(metaDbName(name), indexedDB);
    await meta.set('asOf', 1);
    meta.close();
    const device = openKeyValue(DEVICE_DB, indexedDB);
    await markForDeletion({ device, idb: indexedDB }, name);
    device.close();
    const nextStart = openKeyValue(DEVICE_DB, indexedDB);
    await finishDeletions({ device: nextStart, idb: indexedDB });
    expect(await exists(metaDbName(name))).toBe(false);
    nextStart.close();
  });
});
