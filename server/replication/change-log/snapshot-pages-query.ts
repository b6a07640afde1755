/** Snapshots as pages that devices keep as they are: the database writes them, nothing here reads a row. */
import { z } from 'zod';
import type { CollectionName } from '../../../src/contract/collections.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { nextRows, sourceOf, viewOf } from './feed-query.ts';
import { HEAD } from './state-query.ts';

const placeRow = z.strictObject({
  epoch: z.string(),
  horizon: z.number(),
  head: z.number(),
  /** Of the collection's changes; 0 when it never changed since the log began. */
  newest: z.number(),
  /** Changes of the collection since, as far as they were counted. */
  later: z.number(),
});
export type SnapshotPlace = z.infer<typeof placeRow>;

/** Where the log stands, and how much of the collection changed after a place; counts to `most`. */
export async function readPlace(
  db: Queryable,
  collection: CollectionName,
  { since, most }: { since: number; most: number },
): Promise<SnapshotPlace> {
  const [place] = await db.rows(
    placeRow,
    `select state.epoch, state.horizon, ${HEAD} as head,
       (select coalesce(max(seq), 0) from change_log where collection = $1) as newest,
       (select count(*) from (
          select 1 from change_log where collection = $1 and seq > $2 limit $3
        ) as changed) as later
     from change_log_state as state`,
    [collection, since, most],
  );
  if (place === undefined) throw new Error('The change log has no state');
  return place;
}

const factsRow = z.strictObject({ count: z.number(), last: z.string().nullable() });

export interface WrittenPages extends z.infer<typeof factsRow> {
  /** JSON text of the list of pages (`snapshotPagesSchema`). */
  pages: string;
}

/** Rows in scope after an id, in the order of their keys, as pages by the last character of their ids. */
export async function readPages(
  db: Queryable,
  collection: CollectionName,
  { after, limit }: { after: string | null; limit: number },
): Promise<WrittenPages> {
  const descending = sourceOf(collection)
    .keys.map(({ column }) => `${column} desc`)
    .join(', ');
  const { sql, params } = nextRows(collection, { after, limit });
  const text = await db.text(
    `with row as materialized (select * from ${viewOf(collection)} ${sql})
     select json_build_object(
       'count', (select count(*) from row),
       'last', (select id::text from row order by ${descending} limit 1)
     )::text || chr(10) || (
       select coalesce(json_agg(page), '[]')::text from (
         select right(row.id::text, 1) as partition, count(*) as count, json_agg(row)::text as body
         from row group by 1
       ) as page
     )`,
    params,
  );
  if (text === null) throw new Error('A count has a row');
  // The facts are one line of JSON. The pages are megabytes, and nobody here looks into them.
  const end = text.indexOf('\n');
  return { ...factsRow.parse(JSON.parse(text.slice(0, end))), pages: text.slice(end + 1) };
}
