/**
 * What a reader of the change log gets (design §4 laws 2, 3, 10): pages of current rows after a cursor, snapshots
 * with the log position before them, and 'start over' where a cursor means nothing here. Rows are read after the
 * entries, so a row may be newer than its entry (it comes again), never older.
 */
import type { CollectionName } from '../../../src/contract/collections.ts';
import type {
  Change,
  ChangesAnswer,
  Cursor,
  SmallSnapshot,
  SnapshotPage,
} from '../../../src/contract/sync.ts';
import type { Transactions } from '../../platform/db/database.ts';
import { countRows, newestOf, readEntries, readPage, readRows, type LogEntry } from './feed-query.ts';
import { readState } from './state-query.ts';
import { groupBy } from '../../../src/lib/group-by.ts';

/** A cursor's parts; null when it isn't one. */
export function parseCursor(cursor: string): { epoch: string; sequence: number } | null {
  const match = /^([\w-]+)\.(\d{1,15})$/.exec(cursor);
  return match === null ? null : { epoch: match[1] ?? '', sequence: Number(match[2]) };
}

/** Why a reader at that cursor has to start over; null when it may go on. */
export function startOverReason(
  at: { epoch: string; sequence: number },
  state: { epoch: string; head: number; horizon: number },
): 'epoch' | 'horizon' | 'ahead' | null {
  if (at.epoch !== state.epoch) return 'epoch';
  if (at.sequence > state.head) return 'ahead';
  return at.sequence < state.horizon ? 'horizon' : null;
}

/** The entries as changes: the present row of each, or that it is gone. */
export async function changesOf(db: Transactions, entries: readonly LogEntry[]): Promise<Change[]> {
  const byCollection = groupBy(entries, ({ collection }) => collection);
  const rows = new Map(
    await Promise.all(
      [...byCollection].map(
        async ([collection, group]) =>
          [
            collection,
            await readRows(
              db,
              collection,
              group.map((entry) => entry.entity_id),
            ),
          ] as const,
      ),
    ),
  );
  return entries.map(({ collection, entity_id: id }) => ({
    collection,
    id,
    row: rows.get(collection)?.get(id) ?? null,
  }));
}

export interface FeedReader {
  /** Collections that the roles of this moment allow. */
  readable: readonly CollectionName[];
  now: () => number;
}

export interface ChangesQuestion {
  cursor: Cursor | null;
  limit: number;
  /** Only these; all that are readable when null. */
  collections: readonly CollectionName[] | null;
}

/** Answers that the reader has to start over where the cursor is of another epoch or older than the log remembers. */
export async function readChanges(
  db: Transactions,
  reader: FeedReader,
  question: ChangesQuestion,
): Promise<ChangesAnswer> {
  const answer = { server_time: new Date(reader.now()).toISOString() };
  const readable = [...reader.readable];
  const at = question.cursor === null ? null : parseCursor(question.cursor);
  if (at === null) {
    const { epoch, head } = await readState(db);
    const cursor = `${epoch}.${head}`;
    return { kind: 'page', cursor, is_caught_up: true, readable, changes: [], ...answer };
  }
  const wanted = question.collections;
  const collections = wanted === null ? readable : readable.filter((name) => wanted.includes(name));
  const { state, entries } = await readEntries(db, {
    after: at.sequence,
    limit: question.limit,
    collections,
  });
  const reason = startOverReason(at, state);
  if (reason !== null) return { kind: 'start-over', reason, ...answer };
  const isCaughtUp = entries.length < question.limit;
  const sequence = isCaughtUp ? state.head : (entries.at(-1)?.seq ?? state.head);
  return {
    kind: 'page',
    cursor: `${state.epoch}.${sequence}`,
    is_caught_up: isCaughtUp,
    readable,
    changes: await changesOf(db, entries),
    ...answer,
  };
}

/** A page of a collection's rows, and where the newest change stood that it had before they were read. */
export async function readSnapshot(
  db: Transactions,
  collection: CollectionName,
  { after, limit }: { after: string | null; limit: number },
): Promise<SnapshotPage> {
  const { epoch } = await readState(db);
  const newest = await newestOf(db, collection);
  const total = after === null ? await countRows(db, collection) : null;
  const rows = await readPage(db, collection, { after, limit });
  const next = rows.length < limit ? null : (rows.at(-1)?.id ?? null);
  return { cursor: `${epoch}.${newest}`, rows, next, total };
}

/** More rows, or more text, is a collection that a device asks for by itself. */
const SMALL_ROWS = 100;
const SMALL_LENGTH = 64 * 1024;

/** All of those collections that are small, whole, each as of a moment of its own. */
export async function readSmallSnapshots(
  db: Transactions,
  collections: readonly CollectionName[],
): Promise<SmallSnapshot[]> {
  return db.transaction(async (tx) => {
    const { epoch } = await readState(tx);
    const small: SmallSnapshot[] = [];
    for (const collection of collections) {
      const newest = await newestOf(tx, collection);
      const rows = await readPage(tx, collection, { after: null, limit: SMALL_ROWS });
      if (rows.length === SMALL_ROWS || JSON.stringify(rows).length > SMALL_LENGTH) continue;
      small.push({ collection, cursor: `${epoch}.${newest}`, rows });
    }
    return small;
  });
}
