/**
 * Rows as packed pages, one IndexedDB record a page, with a log of changes that `tidy` folds in: for sets that
 * are big and mostly read (design §4). Writes append to the log, so their cost doesn't grow with the set.
 * Several writers are safe: every step is one transaction and nothing is cached between them.
 */
import { AppError, ERROR_TEXTS } from '../../src/contract/errors.ts';
import { mergePacked, pagesOf, type PackedDelta, type PackedPage } from './packed-pages.ts';
import {
  afterChange,
  isTrue,
  LEDGER_KEY,
  ledgerOf,
  plus,
  stampOf,
  weigh,
  type Ledger,
  type Records,
  type Stamp,
  type Weight,
} from './packed-ledger.ts';
import { isMade, openTables, pagesIn, type PackedLocation, type Tables } from './packed-tables.ts';
import type { RowChange, RowShape, RowStore } from './row-store.ts';

/** Read whole at every look: this much takes a few milliseconds. */
const SMALL_SIZE = 1_000_000;

async function everything(tables: Tables): Promise<Records> {
  const [pages, deltas] = await Promise.all([tables.pages.toArray(), tables.deltas.toArray()]);
  return { pages, deltas };
}

/** Changes records and the ledger as one. */
async function change(
  tables: Tables,
  work: () => Promise<{ added: Partial<Records>; removed: Partial<Records> | 'all' }>,
): Promise<void> {
  const { db, pages, deltas, ledger } = tables;
  const stamp = await db.transaction('rw', pages, deltas, ledger, async () => {
    // One of before there were ledgers begins with what it has.
    const before = (await ledger.get(LEDGER_KEY)) ?? ledgerOf(await everything(tables), tables.newId());
    const { added, removed } = await work();
    const after =
      removed === 'all'
        ? ledgerOf({ pages: [], deltas: [], ...added }, before.generation, before.writes + 1)
        : afterChange(before, { added, removed });
    await ledger.put(after);
    return stampOf(after);
  });
  // Not before the transaction is through: a full disk refuses it when it ends.
  tables.written = stamp;
}

/** What all records come to, a partition at a time: all at once would hold up whatever else the worker does. */
async function weighAll(tables: Tables): Promise<Weight> {
  let found = weigh({ pages: [], deltas: [] });
  for (const partition of await partitionNames(tables)) {
    const pages = await pagesIn(tables, partition).toArray();
    const deltas = await tables.deltas.where({ partition }).toArray();
    found = plus(found, weigh({ pages, deltas }));
  }
  return found;
}

async function isWhole(tables: Tables, said: Ledger, isThorough: boolean): Promise<boolean> {
  if (isThorough) return isTrue(said, await weighAll(tables));
  if (said.size <= SMALL_SIZE) return isTrue(said, weigh(await everything(tables)));
  return (await tables.pages.count()) === said.pages && (await tables.deltas.count()) === said.deltas;
}

/** How far the database was written; throws when it holds something else than it says. Null before the first change. */
async function lookAt(tables: Tables, isThorough: boolean): Promise<Stamp | null> {
  const { db, pages, deltas, ledger } = tables;
  return db.transaction('r', pages, deltas, ledger, async () => {
    const said = await ledger.get(LEDGER_KEY);
    if (said === undefined) return null;
    if (!(await isWhole(tables, said, isThorough)))
      throw storageError(`${db.name} holds something else than was written`);
    return stampOf(said);
  });
}

function storageError(what: string): AppError {
  return new AppError('storage', ERROR_TEXTS.storage, { cause: new Error(what) });
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

function deltasOf<Row>(shape: RowShape<Row>, rows: RowChange<Row>): PackedDelta[] {
  return [...byPartition(shape, rows)].map(([partition, part]) => ({
    partition,
    upserts: JSON.stringify(part.upserts),
    deletedIds: part.deletedIds,
  }));
}

async function foldPartition<Row>(tables: Tables, partition: string, shape: RowShape<Row>): Promise<void> {
  await change(tables, async () => {
    const pages = await pagesIn(tables, partition).toArray();
    const deltas = await tables.deltas.where({ partition }).toArray();
    const folded = pagesOf(partition, [...mergePacked<Row>(pages, deltas, shape.idOf).values()]);
    await pagesIn(tables, partition).delete();
    await tables.pages.bulkPut(folded);
    await tables.deltas.bulkDelete(deltas.flatMap((delta) => delta.sequence ?? []));
    return { added: { pages: folded }, removed: { pages, deltas } };
  });
}

/** Rows of a page that was made elsewhere; where it stands among those of its partition is ours. */
export type LoosePage = Omit<PackedPage, 'page'>;

/** A packed collection also forgets whole partitions, which is how old history leaves the device. */
export interface PackedRowStore<Row> extends RowStore<Row> {
  /** Swaps everything for these pages as they are, with the change on top. No row is in two of them. */
  replacePages(pages: readonly LoosePage[], change: RowChange<Row>): Promise<void>;
  /** Adds pages as they are. */
  addPages(pages: readonly LoosePage[]): Promise<void>;
  /** The pages as they are, without the log. */
  loadPages(): Promise<LoosePage[]>;
  partitions(): Promise<string[]>;
  dropPartitions(partitions: readonly string[]): Promise<void>;
  /**
   * How far it was written, null before its first change. Throws `storage` when the database holds something else than
   * was written; thorough reads all of it, otherwise a large one's records are only counted.
   */
  stamp(options: { isThorough: boolean }): Promise<Stamp | null>;
  /** As of the last change that this worker made; null when it made none. */
  written(): Stamp | null;
}

/** Whether a store can keep pages as they come. */
export function keepsPages<Row>(store: RowStore<Row>): store is PackedRowStore<Row> {
  return 'replacePages' in store;
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
  const [pages, deltas] = await tables.db.transaction('r', tables.pages, tables.deltas, () =>
    Promise.all([pagesIn(tables, partition).toArray(), tables.deltas.where({ partition }).toArray()]),
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
  await change(tables, async () => {
    const all = [...parts].flatMap(([partition, part]) => {
      const unique = new Map(part.upserts.map((row) => [shape.idOf(row), row]));
      return pagesOf(partition, [...unique.values()]);
    });
    await Promise.all([tables.pages.clear(), tables.deltas.clear()]);
    await tables.pages.bulkPut(all);
    return { added: { pages: all }, removed: 'all' };
  });
}

/** Numbers pages in their partitions, after those that are there. */
function numbered(pages: readonly LoosePage[], known: Iterable<readonly [string, number]>): PackedPage[] {
  const next = new Map<string, number>();
  for (const [partition, page] of known) next.set(partition, Math.max(next.get(partition) ?? 0, page + 1));
  return pages.map((loose) => {
    const page = next.get(loose.partition) ?? 0;
    next.set(loose.partition, page + 1);
    return { ...loose, page };
  });
}

async function replacePages<Row>(
  tables: Tables,
  shape: RowShape<Row>,
  { pages: loose, change: rows }: { pages: readonly LoosePage[]; change: RowChange<Row> },
): Promise<void> {
  const pages = numbered(loose, []);
  const deltas = deltasOf(shape, rows);
  await change(tables, async () => {
    await Promise.all([tables.pages.clear(), tables.deltas.clear()]);
    await tables.pages.bulkPut(pages);
    await tables.deltas.bulkAdd(deltas);
    return { added: { pages, deltas }, removed: 'all' };
  });
}

async function addPages(tables: Tables, loose: readonly LoosePage[]): Promise<void> {
  await change(tables, async () => {
    const pages = numbered(loose, await tables.pages.toCollection().primaryKeys());
    await tables.pages.bulkPut(pages);
    return { added: { pages }, removed: {} };
  });
}

async function dropPartitions(tables: Tables, partitions: readonly string[]): Promise<void> {
  for (const partition of partitions) {
    await change(tables, async () => {
      const pages = pagesIn(tables, partition);
      const deltas = tables.deltas.where({ partition });
      const removed = { pages: await pages.toArray(), deltas: await deltas.toArray() };
      await pages.delete();
      await deltas.delete();
      return { added: {}, removed };
    });
  }
}

/** Opens a packed collection; its database is made with the first row that is written. */
export function createPackedRowStore<Row>(place: PackedLocation, shape: RowShape<Row>): PackedRowStore<Row> {
  const tables = openTables(place);
  const read = async <Found>(work: () => Promise<Found>, none: Found): Promise<Found> =>
    (await isMade(tables)) ? work() : none;
  const replaceAll = async (rows: readonly Row[]) => {
    if (rows.length > 0 || (await isMade(tables))) await replaceEverything(tables, shape, rows);
  };
  const loadAll = (partition?: string) =>
    read(
      () =>
        partition === undefined ? loadEverything(tables, shape) : loadPartition(tables, shape, partition),
      [],
    );
  const loadParts = async function* parts() {
    for (const partition of await read(() => partitionNames(tables), [])) yield await loadAll(partition);
  };
  return {
    loadAll,
    loadParts,
    async apply(rows) {
      const deltas = deltasOf(shape, rows);
      await change(tables, async () => {
        await tables.deltas.bulkAdd(deltas);
        return { added: { deltas }, removed: {} };
      });
    },
    replaceAll,
    replacePages: (pages, rows) => replacePages(tables, shape, { pages, change: rows }),
    addPages: (pages) => addPages(tables, pages),
    loadPages: () => read(() => tables.pages.toArray(), []),
    async count() {
      let count = 0;
      for await (const part of loadParts()) count += part.length;
      return count;
    },
    clear: () => replaceAll([]),
    async tidy() {
      const logged = await read(() => loggedPartitions(tables), []);
      for (const partition of logged) await foldPartition(tables, partition, shape);
    },
    partitions: () => read(() => partitionNames(tables), []),
    dropPartitions: (partitions) => dropPartitions(tables, partitions),
    stamp: ({ isThorough }) => lookAt(tables, isThorough),
    written: () => tables.written,
    close: async () => tables.db.close(),
  };
}
