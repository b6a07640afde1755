/** A worker that keeps rows in one kind of store and times it; built and opened by `../stores-bench.ts`. */
import type { ReplicatedRow } from '../../src/contract/collections.ts';
import type { RowStore } from '../../workers/store/row-store.ts';
import { readRaw } from '../../workers/store/raw-idb.ts';
import { mergeInto, type PackedDelta, type PackedPage } from '../../workers/store/packed-pages.ts';
import { packedDbName } from '../../workers/store/store-names.ts';
import type { KindName } from './rows.ts';

/** What the page asks for. */
export interface StoreTask {
  store: 'rxdb' | 'packed';
  kind: KindName;
  storeName: string;
  count: number;
  do: 'write' | 'update' | 'read' | 'replace';
}

const byId = { idOf: (row: ReplicatedRow) => row.id, partitionOf: (id: string) => id.slice(-1) };

async function openWriter({ store, kind, storeName }: StoreTask): Promise<RowStore<ReplicatedRow>> {
  if (store === 'packed') {
    const { createPackedRowStore } = await import('../../workers/store/packed-row-store.ts');
    return createPackedRowStore({ name: packedDbName(storeName, kind), idb: indexedDB }, byId);
  }
  const { createRxdbHandle, createRxdbRowStore } = await import('../../workers/store/rxdb-row-store.ts');
  const { documentSchema } = await import('../../workers/store/rxdb-documents.ts');
  const { columnsOf } = await import('./rows.ts');
  const schemas = { [kind]: documentSchema(columnsOf(kind)) };
  return createRxdbRowStore(createRxdbHandle({ name: storeName, idb: indexedDB, schemas }), kind, byId);
}

/** As a reader does: packed pages without any library, RxDB through its collection. */
async function readAll(task: StoreTask): Promise<ReplicatedRow[]> {
  if (task.store === 'rxdb') return (await openWriter(task)).loadAll();
  const [pages = [], deltas = []] = await readRaw(indexedDB, packedDbName(task.storeName, task.kind), [
    { table: 'pages' },
    { table: 'deltas' },
  ]);
  const rows = new Map<string, ReplicatedRow>();
  mergeInto(rows, { pages: pages as PackedPage[], deltas: deltas as PackedDelta[] }, byId.idOf);
  return [...rows.values()];
}

async function perform(task: StoreTask): Promise<{ ms: number; rounds: string[] }> {
  if (task.do === 'read') {
    const start = performance.now();
    const rows = await readAll(task);
    const ms = performance.now() - start;
    const counts = new Map<string, number>();
    for (const row of rows) counts.set(String(row['round']), (counts.get(String(row['round'])) ?? 0) + 1);
    return { ms, rounds: [...counts].map(([round, count]) => `${round}: ${count}`) };
  }
  const { rowsOf } = await import('./rows.ts');
  const rows = rowsOf(task.kind, task.count, task.do === 'write' ? 0 : 1);
  const start = performance.now();
  const store = await openWriter(task);
  if (task.do !== 'update') {
    if (task.do === 'replace') postMessage({ isReplacing: true });
    await store.replaceAll(rows);
    return { ms: performance.now() - start, rounds: [] };
  }
  // Opened and warm: the second one counts.
  await store.apply({ upserts: rows.slice(0, 1), deletedIds: [] });
  const again = performance.now();
  await store.apply({ upserts: rows.slice(1, 2), deletedIds: [] });
  return { ms: performance.now() - again, rounds: [] };
}

globalThis.addEventListener('message', (event: MessageEvent<StoreTask>) => {
  perform(event.data).then(
    (result) => postMessage(result),
    (error: unknown) => postMessage({ failure: String(error) }),
  );
});
