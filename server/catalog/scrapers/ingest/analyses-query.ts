/** SQL of stored findings. Statements take whole sets; call them inside a transaction. */
import { z } from 'zod';
import type { Queryable } from '../../../platform/db/database.ts';
import { toJson } from '../../../platform/db/to-json.ts';

export interface FindingRow {
  id: string | null;
  config_id: string;
  analyzer: string;
  analysis_type: string | null;
  severity: string | null;
  summary: string | null;
  message: string | null;
  status: string;
  source: string | null;
  analysis: unknown;
  first_observed: string;
  last_observed: string;
}

const storedFinding = z.strictObject({
  id: z.string(),
  config_id: z.string(),
  analyzer: z.string(),
  analysis_type: z.string().nullable(),
  summary: z.string().nullable(),
});
export type StoredFinding = z.infer<typeof storedFinding>;
const openFinding = z.strictObject({ id: z.string(), config_id: z.string() });

const COLUMNS = `id uuid, config_id uuid, analyzer text, analysis_type text, severity text, summary text, message text,
  status text, source text, analysis jsonb, first_observed timestamptz, last_observed timestamptz`;
const TOLD = ['analysis_type', 'severity', 'summary', 'message', 'source', 'analysis'];
const told = (of: string) => TOLD.map((name) => `${of}.${name}`).join(', ');

/** What a scraper found on these items before, also what is resolved. */
export async function findFindings(
  tx: Queryable,
  scraperId: string,
  itemIds: readonly string[],
): Promise<StoredFinding[]> {
  return tx.rows(
    storedFinding,
    `select finding.id, finding.config_id, finding.analyzer, finding.analysis_type, finding.summary
     from config_analysis as finding
     where finding.config_id = any($1::uuid[]) and finding.scraper_id = $2::uuid
     order by finding.first_observed, finding.id`,
    [itemIds, scraperId],
  );
}

/** For findings that were not stored before. */
export async function insertFindings(
  tx: Queryable,
  scraperId: string,
  rows: readonly FindingRow[],
): Promise<void> {
  if (rows.length === 0) return;
  await tx.run(
    `insert into config_analysis (config_id, scraper_id, analyzer, status, first_observed, last_observed,
       ${TOLD.join(', ')})
     select input.config_id, $2::uuid, input.analyzer, input.status, input.first_observed, input.last_observed,
       ${told('input')}
     from json_to_recordset($1::json) as input(${COLUMNS})`,
    [toJson(rows), scraperId],
  );
}

/**
 * Findings that were observed again: what is silenced stays so, what was resolved is open again. One that says the
 * same moves its time only now and then: every move is told to all devices.
 */
export async function observeFindings(
  tx: Queryable,
  rows: readonly FindingRow[],
  stepMinutes: number,
): Promise<void> {
  if (rows.length === 0) return;
  await tx.run(
    `update config_analysis as finding set
       status = case when finding.status = 'silenced' then 'silenced' else input.status end,
       last_observed = input.last_observed,
       ${TOLD.map((name) => `${name} = input.${name}`).join(', ')}
     from json_to_recordset($1::json) as input(${COLUMNS})
     where finding.id = input.id and (
       finding.last_observed is null
       or finding.last_observed <= input.last_observed - make_interval(mins => $2::integer)
       or (finding.status <> 'silenced' and finding.status <> input.status)
       or (${told('finding')}) is distinct from (${told('input')}))`,
    [toJson(rows), stepMinutes],
  );
}

/** Open findings of a scraper, by id and item. */
export async function openFindings(
  db: Queryable,
  scraperId: string,
): Promise<{ id: string; config_id: string }[]> {
  return db.rows(
    openFinding,
    `select finding.id, finding.config_id from config_analysis as finding
     where finding.scraper_id = $1::uuid and finding.status = 'open'`,
    [scraperId],
  );
}

/** Those of them that are open; what is silenced stays so. */
export async function resolveFindings(tx: Queryable, ids: readonly string[]): Promise<void> {
  await tx.run(
    `update config_analysis set status = 'resolved' where id = any($1::uuid[]) and status = 'open'`,
    [ids],
  );
}
