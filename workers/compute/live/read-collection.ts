/** Reads one packed collection from a store, as its writer laid it out. */
import type { CollectionName, ReplicatedRow } from '../../../src/contract/collections.ts';
import { KEY_VALUE_TABLE } from '../../store/key-value-table.ts';
import type { PackedDelta, PackedPage } from '../../store/packed-pages.ts';
import { readRaw, readRawInSteps } from '../../store/raw-idb.ts';
import { wholeMark } from '../../store/store-facts.ts';
import { metaDbName, packedDbName } from '../../store/store-names.ts';
import { RowTable } from '../../../src/contract/row-index/row-table.ts';

async function readIsWhole({
  idb,
  storeName,
  collection,
}: Pick<PackedVisit, 'idb' | 'storeName' | 'collection'>): Promise<boolean> {
  const [facts = []] = await readRaw(idb, metaDbName(storeName), [
    { table: KEY_VALUE_TABLE, range: IDBKeyRange.only(wholeMark(collection)) },
  ]);
  return (facts as { value: unknown }[]).some((fact) => fact.value === true);
}

export interface PackedVisit {
  idb: IDBFactory;
  storeName: string;
  collection: CollectionName;
  /** Rows of the pages; each once. */
  fill: (rows: ReplicatedRow[]) => void;
  /** Changes since the pages were written, in order: deletes, then upserts. */
  apply: (change: { deletedIds: readonly string[]; upserts: ReplicatedRow[] }) => void;
}

/**
 * Reads a packed collection a page at a time without ever holding all rows, each page in a task of its own, so that
 * questions about others are answered meanwhile. Answers whether the collection is whole; nothing is visited before it
 * is. The mark is read before the rows: it is set after them, so a set mark vouches for what is read next.
 */
export async function visitPacked(visit: PackedVisit): Promise<boolean> {
  if (!(await readIsWhole(visit))) return false;
  const { idb, storeName, collection, fill, apply } = visit;
  await readRawInSteps(idb, packedDbName(storeName, collection), {
    table: 'pages',
    size: 1,
    visit: (pages) => {
      // Rows were parsed by the sync worker, which alone writes them, when they came in.
      for (const page of pages as PackedPage[]) fill(JSON.parse(page.body) as ReplicatedRow[]);
    },
    last: {
      table: 'deltas',
      visit: (deltas) => {
        const inOrder = (deltas as PackedDelta[]).toSorted((a, b) => (a.sequence ?? 0) - (b.sequence ?? 0));
        for (const { deletedIds, upserts } of inOrder)
          apply({ deletedIds, upserts: JSON.parse(upserts) as ReplicatedRow[] });
      },
    },
  });
  return true;
}

/** Reads a packed collection into a table that is empty. */
export function readInto(
  table: RowTable,
  place: Pick<PackedVisit, 'idb' | 'storeName' | 'collection'>,
): Promise<boolean> {
  const putAll = (rows: readonly ReplicatedRow[]) => {
    for (const row of rows) table.put(row);
  };
  return visitPacked({
    ...place,
    fill: putAll,
    apply: ({ deletedIds, upserts }) => {
      for (const id of deletedIds) table.remove(id);
      putAll(upserts);
    },
  });
}

/** The rows of a packed collection as they are read for questions. */
export async function readCollection(
  place: Pick<PackedVisit, 'idb' | 'storeName' | 'collection'>,
): Promise<{ isWhole: boolean; rows: ReplicatedRow[] }> {
  const table = new RowTable();
  const isWhole = await readInto(table, place);
  return {
    isWhole,
    rows: Array.from(table.takenSlots(), (slot) => table.rowAt(slot)).filter((row) => row !== null),
  };
}
