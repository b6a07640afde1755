/** SQL of canaries and their checks: saving a document's canary (schema §4.2), refusals, removal. */
import { z } from 'zod';
import { idRow, nameRow } from '../../platform/db/row-schema.ts';
import type { Queryable } from '../../platform/db/database.ts';
import type { Canary, CheckEntry } from '../documents/canary-document.ts';
import { toJson } from '../../platform/db/to-json.ts';

export interface SavedCanary {
  id: string;
  /** id by `type\nname`, for the entries of the document. */
  checkIds: Map<string, string>;
}

/** Names a check within its canary; neither part has a line break. */
export const checkKey = (type: string, name: string) => `${type}\n${name}`;

const NIL = `'00000000-0000-0000-0000-000000000000'`;

const UPSERT_CANARY = `
insert into canaries (name, namespace, labels, annotations, spec, source)
values ($1, $2, $3::jsonb, $4::jsonb, $5::jsonb, $6)
on conflict (agent_id, name, namespace, source) where deleted_at is null and agent_id = ${NIL}
do update set labels = excluded.labels, annotations = excluded.annotations, spec = excluded.spec
returning id`;

const UPSERT_CHECKS = `
insert into checks (canary_id, type, name, namespace, description, icon, spec, labels, owner, severity, transformed,
  not_run_reason)
select $1::uuid, type, name, namespace, description, icon, spec, labels, owner, severity, false, not_run_reason
from json_to_recordset($2::json) as entry(type text, name text, namespace text, description text, icon text,
  spec jsonb, labels jsonb, owner text, severity text, not_run_reason text)
on conflict (canary_id, type, name, agent_id) do update set
  namespace = excluded.namespace, description = excluded.description, icon = excluded.icon, spec = excluded.spec,
  labels = excluded.labels, owner = excluded.owner, severity = excluded.severity, transformed = false, deleted_at = null,
  not_run_reason = excluded.not_run_reason,
  next_runtime = case when excluded.not_run_reason is null then checks.next_runtime end
returning id, type, name`;

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null);

/** Why each entry of a canary that isn't run here is not. */
export type NotRunReasons = ReadonlyMap<CheckEntry, string>;

function checkRow(canary: Canary, entry: CheckEntry, reasons: NotRunReasons): Record<string, unknown> {
  const { raw } = entry;
  return {
    type: entry.type,
    name: entry.name,
    namespace: text(raw['namespace']) ?? canary.namespace,
    description: text(raw['description']),
    icon: text(raw['icon']) ?? canary.icon,
    spec: raw,
    labels: raw['labels'] ?? {},
    owner: text(raw['owner']) ?? canary.owner,
    severity: text(raw['severity']) ?? canary.severity,
    not_run_reason: reasons.get(entry) ?? null,
  };
}

/** A canary with what of it this server can't run. */
export interface JudgedCanary {
  canary: Canary;
  notRun: NotRunReasons;
}

const savedCheck = z.strictObject({ id: z.string(), type: z.string(), name: z.string() });

async function saveChecks(
  tx: Queryable,
  canaryId: string,
  judged: JudgedCanary,
): Promise<Map<string, string>> {
  const { canary, notRun } = judged;
  const saved = await tx.rows(savedCheck, UPSERT_CHECKS, [
    canaryId,
    toJson(canary.entries.map((entry) => checkRow(canary, entry, notRun))),
  ]);
  await tx.run(
    `update checks set deleted_at = now() where canary_id = $1 and deleted_at is null and not coalesce(transformed, false)
       and id not in (select id from json_to_recordset($2::json) as kept(id uuid))`,
    [canaryId, toJson(saved.map(({ id }) => ({ id })))],
  );
  return new Map(saved.map(({ id, type, name }) => [checkKey(type, name), id]));
}

/** Saves a canary of a file and its checks; entries that vanished are soft-deleted, their history stays. */
export async function saveCanary(tx: Queryable, judged: JudgedCanary, source: string): Promise<SavedCanary> {
  const { canary } = judged;
  const [row] = await tx.rows(idRow, UPSERT_CANARY, [
    canary.name,
    canary.namespace,
    toJson(canary.labels),
    toJson(canary.annotations),
    toJson(canary.spec),
    source,
  ]);
  const id = row?.id ?? '';
  return { id, checkIds: await saveChecks(tx, id, judged) };
}

/** Brings the checks of a canary that lives in the database in line with its specification. */
export async function saveChecksOf(
  tx: Queryable,
  canaryId: string,
  judged: JudgedCanary,
): Promise<SavedCanary> {
  return { id: canaryId, checkIds: await saveChecks(tx, canaryId, judged) };
}

/** The row of a canary whose document was refused: what it was before, else an empty one that can be shown. */
export async function ensureRefusedCanary(
  tx: Queryable,
  place: { name: string; namespace: string; source: string },
): Promise<string> {
  const values = [place.name, place.namespace, place.source];
  const [known] = await tx.rows(
    idRow,
    `select id from canaries where name = $1 and namespace = $2 and source = $3 and deleted_at is null and agent_id = ${NIL}`,
    values,
  );
  if (known !== undefined) return known.id;
  const [made] = await tx.rows(
    idRow,
    `insert into canaries (name, namespace, source, spec) values ($1, $2, $3, '{}'::jsonb) returning id`,
    values,
  );
  return made?.id ?? '';
}

/** Live canaries of a source. */
export async function canariesOfSource(db: Queryable, source: string): Promise<string[]> {
  const rows = await db.rows(
    idRow,
    `select id from canaries where source = $1 and deleted_at is null and agent_id = ${NIL}`,
    [source],
  );
  return rows.map(({ id }) => id);
}

const sourceRow = z.strictObject({ source: z.string() });

/** Sources of live canaries that came from files: what isn't a word of ours or of the contract. */
export async function fileSources(db: Queryable): Promise<string[]> {
  const rows = await db.rows(
    sourceRow,
    `select distinct source from canaries where deleted_at is null and agent_id = ${NIL} and source ~* '\\.ya?ml$'`,
  );
  return rows.map(({ source }) => source);
}

/** Soft-deletes canaries; their checks follow by trigger. */
export async function deleteCanaries(tx: Queryable, ids: readonly string[]): Promise<void> {
  await tx.run(
    `update canaries set deleted_at = now() from json_to_recordset($1::json) as gone(id uuid)
     where canaries.id = gone.id and canaries.deleted_at is null`,
    [toJson(ids.map((id) => ({ id })))],
  );
}

const databaseCanary = z.strictObject({
  id: z.string(),
  name: z.string(),
  namespace: z.string(),
  labels: z.unknown(),
  annotations: z.unknown(),
  /** With sealed values in their places, and where each belongs (migration 0034). */
  spec: z.unknown(),
  sealed: z.record(z.string(), z.string()),
  /** Written last by somebody who may write connections (migration 0020). */
  is_granted: z.boolean(),
});
export type DatabaseCanary = z.infer<typeof databaseCanary>;

const FROM_USERS = `(coalesce(source, '') in ('', 'UI', 'upstream') or source like 'kubernetes/%' or source like 'component/%')`;

/** Live canaries that users keep in the database, with a mark that changes when any of them does. */
export async function databaseCanaries(db: Queryable): Promise<DatabaseCanary[]> {
  return db.rows(
    databaseCanary,
    `select id, name, namespace, labels, annotations, opened_spec(id, spec) as spec,
       sealed_values(id) as sealed,
       exists (select 1 from granted_specs where row_id = canaries.id) as is_granted
     from canaries
     where deleted_at is null and agent_id = ${NIL} and ${FROM_USERS} order by id`,
  );
}

const markRow = z.strictObject({ mark: z.string() });

/** Changes whenever a canary of a user is added, changed or removed. */
export async function databaseMark(db: Queryable): Promise<string> {
  const [row] = await db.rows(
    markRow,
    `select count(*) || ' ' || coalesce(max(updated_at)::text, '') || ' ' || coalesce(max(deleted_at)::text, '')
       || ' ' || (select count(*) || ' ' || coalesce(max(granted_at)::text, '') from granted_specs) as mark
     from canaries where agent_id = ${NIL} and ${FROM_USERS}`,
  );
  return row?.mark ?? '';
}

const nextRunRow = z.strictObject({ id: z.string(), at: z.string() });

/** When each canary was to run next, in ms, as the server that ran it last said. */
export async function nextRunsOf(db: Queryable): Promise<ReadonlyMap<string, number>> {
  const rows = await db.rows(
    nextRunRow,
    `select canary_id as id, max(next_runtime) as at from checks
     where deleted_at is null and agent_id = ${NIL} and next_runtime is not null group by canary_id`,
  );
  return new Map(rows.map(({ id, at }) => [id, Date.parse(at)]));
}

/** Names of kinds that a property switches off (`check.disabled.<type>`). */
export async function disabledKinds(db: Queryable): Promise<Set<string>> {
  const rows = await db.rows(
    nameRow,
    `select name from properties where name like 'check.disabled.%' and lower(value) in ('true', 'enabled', 'on')`,
  );
  return new Set(rows.map(({ name }) => name.slice('check.disabled.'.length)));
}

/** A live check, whoever runs it. */
const knownCheck = z.strictObject({
  name: z.string(),
  canaryId: z.string(),
  /** The agent that runs it; null for a check of this server. */
  agent: z.string().nullable(),
  /** `type/name` of the check whose transform makes it. */
  madeBy: z.string().nullable(),
  notRunReason: z.string().nullable(),
});
export type KnownCheck = z.infer<typeof knownCheck>;

/** The live check of this id; null where there is none. */
export async function findCheck(db: Queryable, checkId: string): Promise<KnownCheck | null> {
  const [row] = await db.rows(
    knownCheck,
    `select checks.name, canary_id as "canaryId", case when agent_id <> ${NIL} then coalesce(agents.name, '') end as agent,
       case when transformed then checks.spec ->> 'transformed_from' end as "madeBy", not_run_reason as "notRunReason"
     from checks left join agents on agents.id = agent_id where checks.id = $1 and checks.deleted_at is null`,
    [checkId],
  );
  return row ?? null;
}
