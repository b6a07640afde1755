/**
 * SQL of the rows that agents push, for tables where the agent is the only writer: they become as it says. Every statement
 * writes rows of the one agent only, whatever ids a batch names.
 */
import { z } from 'zod';
import type { Queryable } from '../../platform/db/database.ts';
import { jsonObject } from '../../platform/db/row-schema.ts';
import { deciding, isSameRow, type PushTable } from '../push-tables.ts';
import { toJson } from '../../platform/db/to-json.ts';

export interface PushedRows {
  agentId: string;
  table: PushTable;
  rows: readonly Readonly<Record<string, unknown>>[];
}

/** How many runs of each job are kept, as for this server's own (platform/jobs). */
const KEPT_JOBS = 3;

const inputOf = ({ name }: PushTable) => `jsonb_populate_recordset(null::${name}, $1::text::jsonb) as input`;
const isSame = (table: PushTable) => isSameRow(table, 'input');
function valueOf({ defaults, notAhead }: PushTable, column: string): string {
  if (notAhead.includes(column))
    return `case when input.${column} > now() then now() else input.${column} end`;
  return column in defaults ? `coalesce(input.${column}, ${defaults[column] ?? ''})` : `input.${column}`;
}
/** Rows that say nothing of their source keep it. */
const listOf = (table: PushTable, of: string) => table.columns.map((column) => `${of}.${column}`).join(', ');

const ownerRow = z.strictObject({ id: z.string() });

/** Of these ids, those that this agent has in the table. */
export async function ownIds(
  tx: Queryable,
  table: string,
  { agentId, ids }: { agentId: string; ids: readonly string[] },
): Promise<ReadonlySet<string>> {
  const rows = await tx.rows(
    ownerRow,
    `select id from ${table} where id = any($1::uuid[]) and agent_id = $2::uuid`,
    [ids, agentId],
  );
  return new Set(rows.map(({ id }) => id));
}

/** Keys of those rows that somebody else has here. */
export function othersRows(
  tx: Queryable,
  { agentId, table, rows }: PushedRows,
): Promise<{ key: Record<string, unknown> }[]> {
  const parents = deciding(table).map(
    ([column, parent]) => `(select whole.agent_id from ${parent} as whole where whole.id = own.${column})`,
  );
  const owner = table.hasAgent ? 'own.agent_id' : `coalesce(${parents.join(', ')})`;
  return tx.rows(
    z.strictObject({ key: jsonObject }),
    `select to_jsonb((select part from (select ${table.key.map((name) => `own.${name}`).join(', ')}) as part)) as key
     from ${table.name} as own join ${inputOf(table)} on ${isSame(table)} where ${owner} is distinct from $2::uuid`,
    [toJson(rows), agentId],
  );
}

/** Adds and changes what differs. Two statements: an upsert's insert would keep a spec's secrets in any case. */
export async function storeRows(tx: Queryable, pushed: PushedRows): Promise<number> {
  const { agentId, table, rows } = pushed;
  const { name, key, columns, hasAgent } = table;
  const sent = toJson(rows);
  const differs = `(${listOf(table, 'own')}) is distinct from (${columns.map((column) => valueOf(table, column)).join(', ')})`;
  const all = [...key, ...columns];
  const values = all.map((column) => valueOf(table, column)).join(', ');
  // The table merges a change that is told again by itself (schema \u00a71.7), with its count.
  const isMerged = name === 'config_changes';
  const changed = isMerged
    ? 0
    : await tx.run(
        `update ${name} as own set ${columns.map((column) => `${column} = ${valueOf(table, column)}`).join(', ')}
         from ${inputOf(table)} where ${isSame(table)} and ${differs}`,
        [sent],
      );
  const known = `select from ${name} as own where ${isSame(table)} ${isMerged ? `and not (${differs})` : ''}`;
  const added = await tx.run(
    `insert into ${name} (${all.join(', ')}${hasAgent ? ', agent_id' : ''})
     select ${values}${hasAgent ? ', $2::uuid' : ''} from ${inputOf(table)} where not exists (${known})`,
    hasAgent ? [sent, agentId] : [sent],
  );
  return changed + added;
}

/** What is in the files of these rows, where it was sent and is not known yet. */
export async function storeContents(tx: Queryable, rows: PushedRows['rows']): Promise<void> {
  const sent = rows.flatMap(({ id, content }) => (typeof content === 'string' ? [{ id, content }] : []));
  if (sent.length === 0) return;
  await tx.run(
    `insert into artifact_contents (artifact_id, content)
     select sent.id, decode(sent.content, 'base64') from json_to_recordset($1::json) as sent(id uuid, content text)
     on conflict (artifact_id) do nothing`,
    [toJson(sent)],
  );
  await tx.run(
    'update artifacts set is_data_pushed = true where id = any($1::uuid[]) and not is_data_pushed',
    [sent.map(({ id }) => id)],
  );
}

/** The places of components among those beside them, where the agent says them: they stand beside the rows. */
export async function storePlaces(tx: Queryable, rows: PushedRows['rows']): Promise<void> {
  const sent = rows.flatMap(({ id, order }) => (order === undefined ? [] : [{ id, order }]));
  if (sent.length === 0) return;
  await tx.run(
    `update component_own_states as own set "order" = sent."order"
     from json_to_recordset($1::json) as sent(id uuid, "order" integer)
     where own.component_id = sent.id and own."order" is distinct from sent."order"`,
    [toJson(sent)],
  );
}

const RESOURCES = 'canaries checks config_scrapers topologies components config_items'.split(' ');
/** No agent has these here. */
const OURS = ['playbooks', 'teams'];

/** Those of the jobs that are said to be of what is somebody else's here: they would stand in its history. */
export function othersJobs(
  tx: Queryable,
  { agentId, rows }: Omit<PushedRows, 'table'>,
): Promise<{ id: string }[]> {
  const isThere = (name: string) => `exists (select from ${name} as known where known.id = job.resource`;
  const theirs = [
    ...RESOURCES.map((name) => `${isThere(name)} and known.agent_id is distinct from $2::uuid)`),
    ...OURS.map((name) => `${isThere(name)})`),
  ];
  return tx.rows(
    ownerRow,
    `with job as materialized (
       select id, resource_id::uuid as resource from json_to_recordset($1::json) as sent(id uuid, resource_id text)
        where resource_id ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
     )
     select id from job where ${theirs.join(' or ')} order by id`,
    [toJson(rows.map(({ id, resource_id }) => ({ id, resource_id }))), agentId],
  );
}

/** Removes them: what can be soft-deleted is. Answers how many were there. */
export function removeRows(tx: Queryable, { agentId, table, rows }: PushedRows): Promise<number> {
  const parents = deciding(table).map(
    ([column, parent]) =>
      `exists (select from ${parent} as whole where whole.id = own.${column} and whole.agent_id = $2::uuid)`,
  );
  const isOwn = table.hasAgent ? 'own.agent_id = $2::uuid' : `(${parents.join(' or ')})`;
  const where = `${isSame(table)} and ${isOwn}`;
  return tx.run(
    table.columns.includes('deleted_at')
      ? `update ${table.name} as own set deleted_at = now() from ${inputOf(table)} where ${where} and own.deleted_at is null`
      : `delete from ${table.name} as own using ${inputOf(table)} where ${where}`,
    [toJson(rows), agentId],
  );
}

/** Of an agent's jobs, the last of each are kept. */
export function trimAgentJobs(tx: Queryable, agentId: string): Promise<number> {
  return tx.run(
    `delete from job_history where id in (
       select id from (
         select id, row_number() over (partition by name, resource_type, resource_id, status = 'FAILED'
           order by time_start desc, id desc) as place
         from job_history where agent_id = $1::uuid and status <> 'RUNNING') as ranked
       where place > ${KEPT_JOBS})`,
    [agentId],
  );
}
