/**
 * Reads one packed collection from a store, as its writer laid it out. Big ones are parsed in steps with a pause between
 * them, so that questions about others are answered meanwhile.
 */
import type { CollectionName, ReplicatedRow } from '../../../src/contract/collections.ts';
import { KEY_VALUE_TABLE } from '../../store/key-value-table.ts';
import { mergeInto, type PackedDelta, type PackedPage } from '../../store/packed-pages.ts';
import { readRaw, readRawInSteps } from '../../store/raw-idb.ts';
import { wholeMark } from '../../store/store-facts.ts';
import { metaDbName, packedDbName } from '../../store/store-names.ts';

/** About 20 ms of parsing. */
const STEP_PAGES = 4;

export interface CollectionSnapshot {
  /** The first load is in; what is kept before that is never shown (law 10). */
  isWhole: boolean;
  rows: ReplicatedRow[];
}

export interface ReadCollection {
  idb: IDBFactory;
  storeName: string;
  collection: CollectionName;
  /** Lets other work run. */
  pause: () => Promise<void>;
}

async function readIsWhole({
  idb,
  storeName,
  collection,
}: Pick<ReadCollection, 'idb' | 'storeName' | 'collection'>): Promise<boolean> {
  const [facts = []] = await readRaw(idb, metaDbName(storeName), [
    { table: KEY_VALUE_TABLE, range: IDBKeyRange.only(wholeMark(collection)) },
  ]);
  return (facts as { value: unknown }[]).some((fact) => fact.value === true);
}

// Rows were parsed by the sync worker, which alone writes them, when they came in.

async function readPacked({ idb, storeName, collection, pause }: ReadCollection): Promise<ReplicatedRow[]> {
  const [pages = [], deltas = []] = await readRaw(idb, packedDbName(storeName, collection), [
    { table: 'pages' },
    { table: 'deltas' },
  ]);
  const rows = new Map<string, ReplicatedRow>();
  const idOf = (row: ReplicatedRow) => row.id;
  for (let start = 0; start < pages.length; start += STEP_PAGES) {
    if (start > 0) await pause();
    const step = pages.slice(start, start + STEP_PAGES) as PackedPage[];
    mergeInto(rows, { pages: step, deltas: [] }, idOf);
  }
  mergeInto(rows, { pages: [], deltas: deltas as PackedDelta[] }, idOf);
  return [...rows.values()];
}

/** Reads the mark before the rows: it is set after them, so a set mark vouches for what is read next. */
export async function readCollection(options: ReadCollection): Promise<CollectionSnapshot> {
  if (!(await readIsWhole(options))) return { isWhole: false, rows: [] };
  return { isWhole: true, rows: await readPacked(options) };
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
 * Reads a packed collection a few pages at a time without ever holding all rows: for who keeps them in a form of
 * their own. Answers whether the collection is whole; nothing is visited before it is.
 */
export async function visitPacked(visit: PackedVisit): Promise<boolean> {
  if (!(await readIsWhole(visit))) return false;
  const { idb, storeName, collection, fill, apply } = visit;
  await readRawInSteps(idb, packedDbName(storeName, collection), {
    table: 'pages',
    size: STEP_PAGES,
    visit: (pages) => {
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
