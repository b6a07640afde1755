/**
 * Rows as packed pages, one IndexedDB record a page, with a log of changes that `tidy` folds in: for sets that
 * are big and mostly read (design §4). Writes append to the log, so their cost doesn't grow with the set.
 * Several writers are safe: every step is one transaction and nothing is cached between them.
 */
import type { Dexie, Table } from 'dexie';
import { dexieOn } from './dexie-on.ts';
import { mergePacked, pagesOf, type PackedDelta, type PackedPage } from './packed-pages.ts';
import type { RowShape, RowStore } from './row-store.ts';

/** Both ends of the compound key of a partition's pages; an empty array sorts after every number. */
function pageRange(partition: string): [[string], [string, never[]]] {
  return [[partition], [partition, []]];
}

/** The database of one packed collection. */
export interface PackedPlace {
  name: string;
  idb: IDBFactory;
  /** Told when the database was made because there was none: the first time, and after somebody removed it. */
  onMade?: () => void;
}

interface Tables {
  db: Dexie;
  pages: Table<PackedPage, [string, number]>;
  deltas: Table<PackedDelta, number>;
}

function openTables({ name, idb, onMade }: PackedPlace): Tables {
  const db = dexieOn(name, idb);
  if (onMade !== undefined) db.on('populate', () => onMade());
  db.version(1).stores({ pages: '[partition+page]', deltas: '++sequence, partition' });
  return { db, pages: db.table('pages'), deltas: db.table('deltas') };
}

function byPartition<Row>(
  shape: RowShape<Row>,
  change: { upserts: readonly Row[]; deletedIds: readonly string[] },
) {
  const parts = new Map<string, { upserts: Row[]; deletedIds: string[] }>();
  const part = (id: string) => {
    const partition = shape.partitionOf(id);
    const found = parts.get(partition) ?? { upserts: [], deletedIds: [] };
    parts.set(partition, found);
    return found;
  };
  for (const id of change.deletedIds) part(id).deletedIds.push(id);
  for (const row of change.upserts) part(shape.idOf(row)).upserts.push(row);
  return parts;
}

async function foldPartition<Row>(tables: Tables, partition: string, shape: RowShape<Row>): Promise<void> {
  await tables.db.transaction('rw', tables.pages, tables.deltas, async () => {
    const [from, to] = pageRange(partition);
    const pages = await tables.pages.where('[partition+page]').between(from, to).toArray();
    const deltas = await tables.deltas.where({ partition }).toArray();
    const rows = [...mergePacked<Row>(pages, deltas, shape.idOf).values()];
    await tables.pages.where('[partition+page]').between(from, to).delete();
    await tables.pages.bulkPut(pagesOf(partition, rows));
    await tables.deltas.bulkDelete(deltas.flatMap((delta) => delta.sequence ?? []));
  });
}

/** A packed collection also forgets whole partitions, which is how old history leaves the device. */
export interface PackedRowStore<Row> extends RowStore<Row> {
  partitions(): Promise<string[]>;
  dropPartitions(partitions: readonly string[]): Promise<void>;
}

async function loggedPartitions(tables: Tables): Promise<string[]> {
  const keys = await tables.deltas.orderBy('partition').uniqueKeys();
  return keys.filter((key): key is string => typeof key === 'string');
}

async function partitionNames(tables: Tables): Promise<string[]> {
  const keys = await tables.pages.toCollection().primaryKeys();
  return [...new Set([...keys.map(([partition]) => partition), ...(await loggedPartitions(tables))])];
}

async function loadPartition<Row>(tables: Tables, shape: RowShape<Row>, partition: string): Promise<Row[]> {
  const [from, to] = pageRange(partition);
  const [pages, deltas] = await tables.db.transaction('r', tables.pages, tables.deltas, () =>
    Promise.all([
      tables.pages.where('[partition+page]').between(from, to).toArray(),
      tables.deltas.where({ partition }).toArray(),
    ]),
  );
  return [...mergePacked<Row>(pages, deltas, shape.idOf).values()];
}

async function loadEverything<Row>(tables: Tables, shape: RowShape<Row>): Promise<Row[]> {
  const [pages, deltas] = await tables.db.transaction('r', tables.pages, tables.deltas, () =>
    Promise.all([tables.pages.toArray(), tables.deltas.toArray()]),
  );
  return [...mergePacked<Row>(pages, deltas, shape.idOf).values()];
}

async function replaceEverything<Row>(
  tables: Tables,
  shape: RowShape<Row>,
  rows: readonly Row[],
): Promise<void> {
  const parts = byPartition(shape, { upserts: rows, deletedIds: [] });
  await tables.db.transaction('rw', tables.pages, tables.deltas, async () => {
    await Promise.all([tables.pages.clear(), tables.deltas.clear()]);
    for (const [partition, part] of parts) {
      const unique = new Map(part.upserts.map((row) => [shape.idOf(row), row]));
      await tables.pages.bulkPut(pagesOf(partition, [...unique.values()]));
    }
  });
}

async function dropPartitions(tables: Tables, partitions: readonly string[]): Promise<void> {
  await tables.db.transaction('rw', tables.pages, tables.deltas, async () => {
    for (const partition of partitions) {
      const [from, to] = pageRange(partition);
      await tables.pages.where('[partition+page]').between(from, to).delete();
      await tables.deltas.where({ partition }).delete();
    }
  });
}

/** Opens (and makes, if need be) a packed collection. */
export function createPackedRowStore<Row>(place: PackedPlace, shape: RowShape<Row>): PackedRowStore<Row> {
  const tables = openTables(place);
  return {
    loadAll: (partition) =>
      partition === undefined ? loadEverything(tables, shape) : loadPartition(tables, shape, partition),
    async apply(change) {
      const deltas = [...byPartition(shape, change)].map(([partition, part]) => ({
        partition,
        upserts: JSON.stringify(part.upserts),
        deletedIds: part.deletedIds,
      }));
      await tables.deltas.bulkAdd(deltas);
    },
    replaceAll: (rows) => replaceEverything(tables, shape, rows),
    count: async () => (await loadEverything(tables, shape)).length,
    clear: () => replaceEverything(tables, shape, []),
    async tidy() {
      for (const partition of await loggedPartitions(tables)) await foldPartition(tables, partition, shape);
    },
    partitions: () => partitionNames(tables),
    dropPartitions: (partitions) => dropPartitions(tables, partitions),
    close: async () => tables.db.close(),
  };
}
