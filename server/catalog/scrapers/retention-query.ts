/** SQL of the catalog's clean-up. Each statement takes at most `limit` rows; what evidence points at always stays. */
import { z } from 'zod';
import { idRow } from '../../platform/db/row-schema.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { toJson } from '../../platform/db/to-json.ts';

const scraperSpec = z.strictObject({ id: z.string(), name: z.string(), spec: z.unknown() });
export type ScraperSpec = z.infer<typeof scraperSpec>;

/** With their specification as stored. */
export async function liveScrapers(db: Queryable): Promise<ScraperSpec[]> {
  return db.rows(
    scraperSpec,
    `select scraper.id, scraper.name, scraper.spec from config_scrapers as scraper where scraper.deleted_at is null order by scraper.id`,
  );
}

const UNUSED_CHANGE = `not exists (select from evidences where evidences.config_change_id = change.id)`;

/** Changes of all items from before a time. */
export async function deleteOldChanges(tx: Queryable, before: Date, limit: number): Promise<number> {
  return tx.run(
    `delete from config_changes where id in (
       select change.id from config_changes as change
       where change.created_at < $1::timestamptz and ${UNUSED_CHANGE} limit $2::integer)`,
    [before, limit],
  );
}

/** A scraper's changes of one type from before a time. */
export async function deleteOldChangesOf(
  tx: Queryable,
  rule: { scraperId: string; changeType: string; before: Date },
  limit: number,
): Promise<number> {
  return tx.run(
    `delete from config_changes where id in (
       select change.id from config_changes as change join config_items as item on item.id = change.config_id
       where item.scraper_id = $1::uuid and change.change_type = $2 and change.created_at < $3::timestamptz
         and ${UNUSED_CHANGE} limit $4::integer)`,
    [rule.scraperId, rule.changeType, rule.before, limit],
  );
}

/** A scraper's changes of one type beyond the newest so many of each item. */
export async function deleteExcessChangesOf(
  tx: Queryable,
  rule: { scraperId: string; changeType: string; count: number },
  limit: number,
): Promise<number> {
  return tx.run(
    `delete from config_changes where id in (
       select ranked.id from (
         select change.id, row_number() over (
           partition by change.config_id order by change.created_at desc, change.id desc) as place
         from config_changes as change join config_items as item on item.id = change.config_id
         where item.scraper_id = $1::uuid and change.change_type = $2 and ${UNUSED_CHANGE}
       ) as ranked where ranked.place > $3::integer limit $4::integer)`,
    [rule.scraperId, rule.changeType, rule.count, limit],
  );
}

/** Findings that are resolved and were last observed before a time. */
export async function deleteResolvedFindings(tx: Queryable, before: Date, limit: number): Promise<number> {
  return tx.run(
    `delete from config_analysis where id in (
       select finding.id from config_analysis as finding
       where finding.status = 'resolved'
         and coalesce(finding.last_observed, finding.first_observed) < $1::timestamptz
         and not exists (select from evidences where evidences.config_analysis_id = finding.id)
       limit $2::integer)`,
    [before, limit],
  );
}

/** What scrapers told of each other once, and no longer do. */
export async function forgetDroppedLinks(tx: Queryable, before: Date): Promise<number> {
  return tx.run(`delete from config_relationship_scrapers where deleted_at < $1::timestamptz`, [before]);
}

/** Soft-deletes a scraper's live items of a type that were made, or last changed, before a time. */
export async function retireItems(
  tx: Queryable,
  rule: { scraperId: string; type: string; createdBefore: Date | null; updatedBefore: Date | null },
  now: Date,
): Promise<number> {
  return tx.run(
    `update config_items set deleted_at = $5::timestamptz, delete_reason = 'STALE'
     where scraper_id = $1::uuid and type = $2 and deleted_at is null
       and (created_at < $3::timestamptz or updated_at < $4::timestamptz)`,
    [rule.scraperId, rule.type, rule.createdBefore, rule.updatedBefore, now],
  );
}

/**
 * Removes items that were deleted before a time, but for those that an incident, a run or a component points at; of
 * one scraper and type, or all.
 */
export async function removeItems(
  tx: Queryable,
  { before, scraperId, type }: { before: Date; scraperId: string | null; type: string | null },
  limit: number,
): Promise<number> {
  const doomed = await tx.rows(
    idRow,
    `select item.id from config_items as item
     where item.deleted_at < $1::timestamptz and ($2::uuid is null or item.scraper_id = $2::uuid)
       and ($3::text is null or item.type = $3)
       and not exists (select from evidences where evidences.config_id = item.id)
       and not exists (select from playbook_runs where playbook_runs.config_id = item.id)
       and not exists (select from components where components.config_id = item.id)
       and not exists (
         select from config_changes as change join evidences on evidences.config_change_id = change.id
         where change.config_id = item.id)
       and not exists (
         select from config_analysis as finding join evidences on evidences.config_analysis_id = finding.id
         where finding.config_id = item.id)
     limit $4::integer`,
    [before, scraperId, type, limit],
  );
  if (doomed.length === 0) return 0;
  const ids = doomed.map(({ id }) => id);
  await tx.run(`delete from permissions where config_id = any($1::uuid[])`, [ids]);
  await tx.run(
    `update config_items set parent_id = null where parent_id = any($1::uuid[]) and id <> all($1::uuid[])`,
    [ids],
  );
  return tx.run(`delete from config_items where id = any($1::uuid[])`, [ids]);
}

/** Notes the run; `removed` counts rows. */
export async function noteRetention(
  db: Queryable,
  {
    startedAt,
    endedAt,
    removed,
    errors,
  }: {
    startedAt: Date;
    endedAt: Date;
    removed: Readonly<Record<string, number>>;
    errors: readonly string[];
  },
): Promise<void> {
  const total = Object.values(removed).reduce((sum, count) => sum + count, 0);
  const failure = total > 0 ? 'WARNING' : 'FAILED';
  await db.run(
    `insert into job_history (name, resource_type, status, success_count, error_count, details, time_start, time_end,
       duration_millis, created_at)
     values ('CatalogRetention', 'configs', $1, $2, $3, $4::jsonb, $5, $6, $7, $6)`,
    [
      errors.length === 0 ? 'SUCCESS' : failure,
      total,
      errors.length,
      toJson({ summary: removed, ...(errors.length > 0 && { errors }) }),
      startedAt,
      endedAt,
      endedAt.getTime() - startedAt.getTime(),
    ],
  );
}
