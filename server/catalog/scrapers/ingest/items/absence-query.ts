/** SQL of items that a scraper no longer sees. */
import { z } from 'zod';
import type { Queryable } from '../../../../platform/db/database.ts';

const staleRow = z.strictObject({ id: z.string(), type: z.string() });

/** Soft-deletes the live items of a scraper that were last seen before a time; answers their types. */
export async function deleteStale(
  tx: Queryable,
  { scraperId, now, seenBefore }: { scraperId: string; now: Date; seenBefore: Date },
): Promise<{ type: string }[]> {
  const stale = await tx.rows(
    staleRow,
    `select item.id, item.type from config_items as item
     where item.scraper_id = $1::uuid and item.deleted_at is null
       and coalesce(item.last_scraped_time, item.updated_at, item.created_at) < $2::timestamptz
     for update of item`,
    [scraperId, seenBefore],
  );
  if (stale.length === 0) return [];
  await tx.run(
    `update config_items set deleted_at = $2::timestamptz, delete_reason = 'STALE' where id = any($1::uuid[])`,
    [stale.map(({ id }) => id), now],
  );
  return stale;
}
