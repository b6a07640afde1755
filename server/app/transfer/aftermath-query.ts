/** What has to follow from imported rows: counters that go on after them, and whatever is computed from them. */
import type { Queryable } from '../../platform/db/database.ts';
import { HIDE_STORED } from '../../platform/db/migrations/0021-spec-secrets.ts';
import { HIDE_STORED as HIDE_OTHERS } from '../../platform/db/migrations/0035-chain-and-kept-specs.ts';
import { quoted } from './model-query.ts';

/** Columns whose default counts, with the counter. */
const COUNTERS = `
select distinct tab.relname as "table", a.attname as "column", seq.relname as counter
from pg_depend dep
join pg_class seq on seq.oid = dep.refobjid and seq.relkind = 'S'
join pg_attrdef def on dep.classid = 'pg_attrdef'::regclass and dep.objid = def.oid
join pg_class tab on tab.oid = def.adrelid and tab.relnamespace = 'public'::regnamespace
join pg_attribute a on a.attrelid = tab.oid and a.attnum = def.adnum`;

/** Lets counters go on behind the greatest number that a row ends with (INC-17). */
export async function advanceCounters(tx: Queryable): Promise<void> {
  const counters = await tx.rows<{ table: string; column: string; counter: string }>(COUNTERS);
  for (const { table, column, counter } of counters) {
    await tx.text(
      `select setval('${quoted(counter)}', used.highest)::text
       from (select max((regexp_match(${quoted(column)}::text, '(\\d{1,15})$'))[1]::bigint) as highest
         from ${quoted(table)}) as used
       where used.highest > (select case when is_called then last_value else 0 end from ${quoted(counter)})`,
    );
  }
}

const SEVERITIES = "('critical', 'blocker', 'high', 'medium', 'low', 'warning', 'info')";
const WITH_SEVERITY = ['incidents', 'config_changes', 'config_analysis'] as const;

/** Other servers write `Blocker`; here severities are small letters, and the triggers that see to it were at rest. */
export async function lowerSeverities(tx: Queryable): Promise<void> {
  for (const table of WITH_SEVERITY)
    await tx.run(
      `update ${table} set severity = lower(severity)
       where severity <> lower(severity) and lower(severity) in ${SEVERITIES}`,
    );
}

/** Computes views anew that are stored. */
export async function refreshStoredViews(tx: Queryable): Promise<void> {
  const views = await tx.rows<{ name: string }>(
    "select matviewname as name from pg_matviews where schemaname = 'public' order by matviewname",
  );
  for (const { name } of views) await tx.script(`refresh materialized view ${quoted(name)}`);
}

/** Takes what signs in somewhere out of the rows that bring it along; their triggers have to be awake. */
export async function hideSecrets(tx: Queryable): Promise<void> {
  await tx.run('update teams set spec = spec where spec is not null');
  await tx.script(HIDE_STORED);
  await tx.script(HIDE_OTHERS);
}

/** Paths of config items, which triggers derive from parents as rows are written; here they were resting. */
export async function derivePaths(tx: Queryable): Promise<void> {
  await tx.text('select derive_all_config_paths()::text');
}
