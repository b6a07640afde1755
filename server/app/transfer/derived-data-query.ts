/** What has to follow from imported rows: counters that go on after them, and whatever is computed from them. */
import { z } from 'zod';
import { nameRow } from '../../platform/db/row-schema.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { quoted } from './model-query.ts';

/** Columns whose default counts, with the counter. */
const COUNTERS = `
select distinct tab.relname as "table", a.attname as "column", seq.relname as counter
from pg_depend dep
join pg_class seq on seq.oid = dep.refobjid and seq.relkind = 'S'
join pg_attrdef def on dep.classid = 'pg_attrdef'::regclass and dep.objid = def.oid
join pg_class tab on tab.oid = def.adrelid and tab.relnamespace = 'public'::regnamespace
join pg_attribute a on a.attrelid = tab.oid and a.attnum = def.adnum`;

const counterRow = z.strictObject({ table: z.string(), column: z.string(), counter: z.string() });

/** Lets counters go on behind the greatest number that a row ends with (INC-17). */
export async function advanceCounters(tx: Queryable): Promise<void> {
  const counters = await tx.rows(counterRow, COUNTERS);
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
  const views = await tx.rows(
    nameRow,
    "select matviewname as name from pg_matviews where schemaname = 'public' order by matviewname",
  );
  for (const { name } of views) await tx.script(`refresh materialized view ${quoted(name)}`);
}

/** Tables whose specifications lose their literal credentials as they are written (migrations 0021 and 0035). */
const WITH_SPEC = [
  'canaries',
  'config_scrapers',
  'checks',
  'playbooks',
  'topologies',
  'logging_backends',
  'integrations',
  'incident_rules',
  'playbook_runs',
] as const;

const HIDE_OF_NOTIFICATIONS = `
update notifications set custom_services = custom_services
where shown_spec(custom_services, false) <> custom_services`;

const HIDE_OF_CONNECTIONS = `
update connections set url = url, username = username, password = password, certificate = certificate, properties = properties
where shown_spec(jsonb_build_object('url', url, 'password', password, 'certificate', certificate, 'properties', properties), false)
  <> jsonb_build_object('url', url, 'password', password, 'certificate', certificate, 'properties', properties)
  or (has_secret_user(type) and shown_spec_text(username, true) <> username)`;

/** Takes what signs in somewhere out of the rows that bring it along; their triggers have to be awake. */
export async function hideSecrets(tx: Queryable): Promise<void> {
  await tx.run('update teams set spec = spec where spec is not null');
  for (const table of WITH_SPEC)
    await tx.run(`update ${table} set spec = spec where shown_spec(spec, false) <> spec`);
  await tx.run(HIDE_OF_NOTIFICATIONS);
  await tx.run(HIDE_OF_CONNECTIONS);
  // Their values are the server's to hide: it has the key.
  await tx.text('select note_clear_passwords()::text');
}

/** Paths of config items, which triggers derive from parents as rows are written; here they were resting. */
export async function derivePaths(tx: Queryable): Promise<void> {
  await tx.text('select derive_all_config_paths()::text');
}

/** What imported components say of themselves, which a trigger notes as they are written; here it was resting. */
export async function noteOwnStates(tx: Queryable): Promise<void> {
  await tx.text('select note_missing_own_states()::text');
}
