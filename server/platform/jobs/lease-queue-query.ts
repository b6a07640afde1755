/** SQL that all queues have in common. */
import { z } from 'zod';
import type { Queryable, SqlValue } from '../db/database.ts';

/** What waits in a table, as its *-query.ts describes it. */
export interface QueueTable<Item extends { id: string }> {
  /** From the table, called `item`; `where` says which are due: $1 is the time now, `params` follow from $2. */
  name: string;
  key: string;
  where: string;
  order: string;
  params?: readonly SqlValue[];
  /** Counts the attempt, of those that are still due; their `id` is the key. */
  claim: (tx: Queryable, keys: readonly string[], now: Date) => Promise<Item[]>;
}

interface Asked {
  /** What comes before the key in the name of its lease. */
  prefix: string;
  now: Date;
  limit: number;
}

const keyRow = z.strictObject({ key: z.string() });

/** Keys of what is due and nobody has, in order. */
export async function dueKeys(
  db: Queryable,
  table: Omit<QueueTable<{ id: string }>, 'claim'>,
  { prefix, now, limit }: Asked,
): Promise<string[]> {
  const { name, key, where, order, params = [] } = table;
  const at = params.length + 2;
  const rows = await db.rows(
    keyRow,
    `select item.${key}::text as key from ${name} as item
      where $1::timestamptz is not null and (${where})
        and not exists (select from leases
          where leases.name = $${at} || item.${key}::text and leases.until > clock_timestamp())
      order by ${order} limit $${at + 1}`,
    [now, ...params, prefix, limit],
  );
  return rows.map((row) => row.key);
}
