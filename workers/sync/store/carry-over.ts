/**
 * Collections that an earlier version of the app kept elsewhere: canaries in a RxDB collection of another layout,
 * playbooks in packed pages. They are read there until whoever leads has brought them over, which is before its first
 * pull; so they are there without a network, too. Then what they were in is removed. Cut short, it begins again.
 * Checks were in RxDB as well, with the same rows in the packed pages where they are now.
 */
import type { RxJsonSchema } from 'rxdb/plugins/core';
import type { CollectionName, ReplicatedRow } from '../../../src/contract/collections.ts';
import { COLLECTION_FACTS } from '../../../src/contract/collections.ts';
import { deleteDatabase } from '../../store/dexie-on.ts';
import type { KeyValue } from '../../store/key-value.ts';
import { createPackedRowStore } from '../../store/packed-row-store.ts';
import { RXDB_SCHEMAS, type RowDocument } from '../../store/rxdb-documents.ts';
import { createRxdbHandle, readDocuments } from '../../store/rxdb-row-store.ts';
import { packedMark, rowShape, wholeMark } from '../../store/store-facts.ts';
import { isOfStore, packedDbName } from '../../store/store-names.ts';
import type { ReplicaCollection } from '../log/replica-collection.ts';

const MOVED = Object.keys(RXDB_SCHEMAS) as (keyof typeof RXDB_SCHEMAS)[];
/** The checks' mark of before, besides the one that still counts. */
const BOOT_MARK = 'boot:checks';

/** How the first layout kept a row. */
const BODY_SCHEMA: RxJsonSchema<RowDocument> = {
  version: 0,
  primaryKey: 'id',
  type: 'object',
  properties: { id: { type: 'string', maxLength: 200 }, body: { type: 'string' } },
  required: ['id', 'body'],
};

interface Place {
  store: { storeName: string; meta: Pick<KeyValue, 'get' | 'delete'> };
  idb: IDBFactory;
}

export interface CarryOverParts extends Place {
  kept: Readonly<Record<CollectionName, Pick<ReplicaCollection, 'replaceAll'>>>;
}

/** Whether a database holds a collection that is kept elsewhere now. */
export function isRetired(storeName: string, database: string): boolean {
  if (!isOfStore(storeName, database)) return false;
  const wasPacked = MOVED.some(
    (name) => COLLECTION_FACTS[name].store === 'rxdb' && database === packedDbName(storeName, name),
  );
  // The first layout's RxDB database had the store's own name, which RxDB puts before two dashes.
  return wasPacked || database.includes(`${storeName}--`);
}

/** The first layout's RxDB database had the store's own name. */
async function readFirstLayout({ store, idb }: Place, collection: CollectionName): Promise<ReplicatedRow[]> {
  const handle = createRxdbHandle({ name: store.storeName, idb, schemas: { [collection]: BODY_SCHEMA } });
  try {
    const documents = await readDocuments(handle, collection);
    return documents.map(({ body }) => JSON.parse(String(body)) as ReplicatedRow);
  } finally {
    await handle.close();
  }
}

async function readPacked({ store, idb }: Place, collection: CollectionName): Promise<ReplicatedRow[]> {
  const name = packedDbName(store.storeName, collection);
  const packed = createPackedRowStore<ReplicatedRow>({ name, idb }, rowShape);
  try {
    await packed.stamp({ isThorough: true });
    return await packed.loadAll();
  } finally {
    await packed.close();
  }
}

async function retiredOf({ store, idb }: Place): Promise<string[]> {
  const names = (await idb.databases()).flatMap(({ name }) => name ?? []);
  return names.filter((name) => isRetired(store.storeName, name));
}

/** The rows of a collection where an earlier version kept them; null when they are not there, or not any more. */
export async function readBefore(place: Place, collection: CollectionName): Promise<ReplicatedRow[] | null> {
  const { storeName, meta } = place.store;
  const before = packedMark(collection);
  if (before === wholeMark(collection) || (await meta.get(before)) !== true) return null;
  const retired = await retiredOf(place);
  if (retired.includes(packedDbName(storeName, collection))) return readPacked(place, collection);
  const wasInRxdb = retired.some((name) => name.endsWith(`--${collection}`));
  return wasInRxdb ? readFirstLayout(place, collection) : [];
}

/** Brings over what is not here yet, and removes what was left behind; only whoever leads calls it. */
export async function carryOver(parts: CarryOverParts): Promise<void> {
  const { store, idb, kept } = parts;
  const { meta } = store;
  for (const collection of MOVED) {
    const [before, now] = [packedMark(collection), wholeMark(collection)];
    if (before === now || (await meta.get(before)) === undefined) continue;
    const rows = (await meta.get(now)) === true ? null : await readBefore(parts, collection);
    if (rows !== null) await kept[collection].replaceAll(rows);
    await meta.delete(before);
  }
  const retired = await retiredOf(parts);
  if (retired.length === 0) return;
  for (const name of retired) await deleteDatabase(name, idb);
  await meta.delete(BOOT_MARK);
}
