/** The change log and the feed's views as SQL (migration 0004). Names of views come from the closed list alone. */
import { z } from 'zod';
import { COLLECTIONS, type CollectionName, type ReplicatedRow } from '../../../src/contract/collections.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { HEAD, logState, type LogState } from './state-query.ts';

const logEntry = z.strictObject({
  collection: z.enum(COLLECTIONS),
  entity_id: z.string(),
  seq: z.number(),
  is_minor: z.boolean(),
});
export type LogEntry = z.infer<typeof logEntry>;
const entriesRow = logState.extend({ entries: z.array(logEntry) });

/**
 * Entries after a place, in order, with the state at the same moment: what is not among them up to `head` does
 * not exist.
 */
export async function readEntries(
  db: Queryable,
  { after, limit, collections }: { after: number; limit: number; collections: readonly CollectionName[] },
): Promise<{ state: LogState; entries: LogEntry[] }> {
  const [found] = await db.rows(
    entriesRow,
    `select state.epoch, state.horizon, ${HEAD} as head, (
       select coalesce(json_agg(entry), '[]') from (
         select collection, entity_id, seq, is_minor from change_log
         where seq > $1 and collection = any($3)
         order by seq limit $2
       ) as entry
     ) as entries
     from change_log_state as state`,
    [after, limit, collections],
  );
  if (found === undefined) throw new Error('The change log has no state');
  const { entries, ...state } = found;
  return { state, entries };
}

export interface FeedSource {
  /** Columns that order the rows; together they make the id. */
  keys: { column: string; type: 'uuid' | 'text' }[];
}

const BY_UUID: FeedSource = { keys: [{ column: 'id', type: 'uuid' }] };
const SOURCES: Partial<Record<CollectionName, FeedSource>> = {
  resources: { keys: [{ column: 'id', type: 'text' }] },
  config_relationships: {
    keys: [
      { column: 'related_id', type: 'uuid' },
      { column: 'config_id', type: 'uuid' },
      { column: 'relation', type: 'text' },
    ],
  },
};
/** Kinds of row whose columns the view keeps apart, because their tables differ. */
const NESTED: ReadonlySet<CollectionName> = new Set(['incident_records', 'resources']);

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** What orders its rows. */
export function sourceOf(collection: CollectionName): FeedSource {
  return SOURCES[collection] ?? BY_UUID;
}

/** The view's name; `collection` is one of the closed list, checked once more because it becomes SQL. */
export function viewOf(collection: CollectionName): string {
  if (!COLLECTIONS.includes(collection)) throw new Error(`No collection ${String(collection)}`);
  return `feed_${collection}`;
}

/** Splits an id into its key columns; null when it can't be one of that collection. */
export function keysOf(id: string, { keys }: FeedSource): string[] | null {
  const parts = keys.length === 1 ? [id] : id.split(':');
  const values = keys.map((_, at) =>
    at === keys.length - 1 ? parts.slice(at).join(':') : (parts[at] ?? ''),
  );
  const isSound = keys.every(({ type }, at) => type !== 'uuid' || UUID.test(values[at] ?? ''));
  return isSound ? values : null;
}

interface StoredRow {
  id: string;
  own?: Record<string, unknown>;
}

function flat(row: StoredRow): ReplicatedRow {
  const { own, ...rest } = row;
  return { ...own, ...rest };
}

async function readJson(
  db: Queryable,
  collection: CollectionName,
  rest: { sql: string; params: Parameters<Queryable['text']>[1] },
): Promise<ReplicatedRow[]> {
  const text = await db.text(
    `select coalesce(json_agg(page), '[]')::text from (select * from ${viewOf(collection)} ${rest.sql}) as page`,
    rest.params,
  );
  // The database's own JSON of our view.
  const rows = JSON.parse(text ?? '[]') as StoredRow[];
  return NESTED.has(collection) ? rows.map(flat) : (rows as ReplicatedRow[]);
}

/** The rows of those ids that are in scope, by id. */
export async function readRows(
  db: Queryable,
  collection: CollectionName,
  ids: readonly string[],
): Promise<Map<string, ReplicatedRow>> {
  const source = sourceOf(collection);
  const keys = ids.map((id) => keysOf(id, source)).filter((key) => key !== null);
  if (keys.length === 0) return new Map();
  const columns = source.keys.map(({ column }) => column).join(', ');
  const arrays = source.keys.map(({ type }, at) => `$${at + 1}::${type}[]`).join(', ');
  const rows = await readJson(db, collection, {
    sql: `where (${columns}) in (select * from unnest(${arrays}))`,
    params: source.keys.map((_, at) => keys.map((key) => key[at] ?? '')),
  });
  return new Map(rows.map((row) => [row.id, row]));
}

/**
 * What comes after `select * from` the collection's view for the next rows after an id, at most `limit`. Their keys alone
 * are put in order first: a view over several tables makes the JSON of each row that it sorts, which for the records of
 * 10,000 incidents took longer than a statement may.
 */
export function nextRows(
  collection: CollectionName,
  { after, limit }: { after: string | null; limit: number },
): { sql: string; params: (string | number)[] } {
  const source = sourceOf(collection);
  const columns = source.keys.map(({ column }) => column).join(', ');
  const descending = source.keys.map(({ column }) => `${column} desc`).join(', ');
  const key = after === null ? null : keysOf(after, source);
  const from = source.keys.map(({ type }, at) => `$${at + 2}::${type}`).join(', ');
  const isLater = key === null ? 'true' : `(${columns}) > (${from})`;
  return {
    sql: `where ${isLater} and (${columns}) <= (
        select ${columns} from (
          select ${columns} from ${viewOf(collection)} where ${isLater} order by ${columns} limit $1
        ) as found order by ${descending} limit 1
      ) order by ${columns}`,
    params: [limit, ...(key ?? [])],
  };
}

/** Rows in scope after an id, in the order of their keys. */
export function readPage(
  db: Queryable,
  collection: CollectionName,
  place: { after: string | null; limit: number },
): Promise<ReplicatedRow[]> {
  return readJson(db, collection, nextRows(collection, place));
}

/** The place of the newest change of that collection; 0 when it never changed since the log began. */
export async function newestOf(db: Queryable, collection: CollectionName): Promise<number> {
  return Number(
    await db.text('select coalesce(max(seq), 0)::text from change_log where collection = $1', [collection]),
  );
}

/** How many rows are in scope. */
export async function countRows(db: Queryable, collection: CollectionName): Promise<number> {
  return Number(await db.text(`select count(*)::text from ${viewOf(collection)}`));
}

const tallyRow = z.strictObject({ newest: z.number(), count: z.number(), sum: z.string() });

/** How many rows are in scope, a checksum over their ids, and the newest change of the collection at that moment. */
export async function readTally(
  db: Queryable,
  collection: CollectionName,
): Promise<{ newest: number; count: number; sum: string }> {
  const [tally] = await db.rows(
    tallyRow,
    `select (select coalesce(max(seq), 0) from change_log where collection = $1) as newest, count(*) as count,
       md5(coalesce(string_agg(id::text, ',' order by id::text collate "C"), '')) as sum
     from ${viewOf(collection)}`,
    [collection],
  );
  if (tally === undefined) throw new Error('A count has a row');
  return tally;
}
