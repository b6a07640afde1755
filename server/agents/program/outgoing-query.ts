/**
 * SQL of what an agent has still to push: its own rows with `is_pushed` unset. A row is marked only in the version that
 * was sent, so what changes meanwhile is sent again.
 */
import { z } from 'zod';
import type { Queryable } from '../../platform/db/database.ts';
import { jsonObject } from '../../platform/db/row-schema.ts';
import { deciding, isSameRow, PUSH_TABLES, pushTable, type PushTable } from '../push-tables.ts';
import { lookupTable } from '../../../src/lib/lookup-table.ts';
import { toJson } from '../../platform/db/to-json.ts';

const outgoingRow = z.strictObject({ key: jsonObject, version: z.string(), row: jsonObject });
export type OutgoingRow = z.infer<typeof outgoingRow>;

const NIL = `'00000000-0000-0000-0000-000000000000'`;
/** Canaries that come from upstream are known there. */
export const UPSTREAM_SOURCE = 'upstream';
/** Of scrapers that come from upstream. */
export const UPSTREAM_SCRAPER_SOURCE = 'Push';

/** Actions that the upstream server handed over belong to no run here. */
const HANDED = 'and own.playbook_run_id is null and own.end_time is not null';
/** What else is not pushed. */
const LEFT_OUT = lookupTable<string>({
  canaries: `and own.source is distinct from '${UPSTREAM_SOURCE}'`,
  config_scrapers: `and own.source <> '${UPSTREAM_SCRAPER_SOURCE}'`,
  playbook_run_actions: HANDED,
  job_history: `and own.status in ('FAILED', 'WARNING') and own.time_end is not null`,
});

/** Parents before what hangs on them in the same table; else the oldest first. */
const ORDER = lookupTable<string>({
  config_items: `cardinality(string_to_array(nullif(own.path, ''), '.')) nulls first, own.id`,
  components: `cardinality(string_to_array(nullif(own.path, ''), '.')) nulls first, own.id`,
  config_changes: 'own.created_at, own.id',
  job_history: 'own.created_at, own.id',
  check_statuses: 'own.time, own.check_id',
});

/** This server's rows, not those of agents that push to it. */
function isOwn(table: PushTable): string {
  const { hasAgent, name } = table;
  const exists = deciding(table).map(
    ([column, parent]) =>
      `exists (select from ${parent} as whole where whole.id = own.${column} and whole.agent_id = ${NIL}
        ${parent === 'playbook_run_actions' ? 'and whole.playbook_run_id is null' : ''})`,
  );
  return `${hasAgent ? `own.agent_id = ${NIL}` : `(${exists.join(' or ')})`} ${LEFT_OUT[name] ?? ''}`;
}

/** Never with a secret: literals stay here, and are not needed there. */
const columnOf = (name: string) => (name === 'spec' ? 'shown_spec(own.spec, false) as spec' : `own.${name}`);
/** What stands beside a row: what is in a file, and a component's place among those beside it. */
const WITH_CONTENT = lookupTable<string>({
  components: `|| jsonb_build_object('order',
    (select said."order" from component_own_states as said where said.component_id = own.id))`,
  artifacts: `|| jsonb_build_object('content',
    (select encode(content, 'base64') from artifact_contents where artifact_id = own.id))`,
});
const listOf = (names: readonly string[]) => names.map(columnOf).join(', ');

/**
 * Rows to push, the oldest runs first, without those that wait aside (set-aside-query.ts). Both questions about a row are
 * asked of that row (`case`), not joined: a database that has not counted its rows yet, and PGlite never does by itself,
 * would read all that waits for each batch.
 */
export function outgoingRows(db: Queryable, table: PushTable, now: Date): Promise<OutgoingRow[]> {
  const { name, key, columns, batchRows } = table;
  return db.rows(
    outgoingRow,
    `select to_jsonb((select part from (select ${listOf(key)}) as part)) as key, own.xmin::text as version,
       to_jsonb((select part from (select ${listOf([...key, ...columns])}) as part)) ${WITH_CONTENT[name] ?? ''} as row
     from ${name} as own where not own.is_pushed and case when ${isOwn(table)} then
         not exists (select from push_refusals as known where known.table_name = '${name}'
           and known.key = to_jsonb((select part from (select ${listOf(key)}) as part))
           and known.version = own.xmin::text and known.retry_at > $2::timestamptz) end
     order by ${ORDER[name] ?? `own.${key.join(', own.')}`} limit $1`,
    [batchRows, now],
  );
}

/** Marks the rows that were stored upstream, unless they have changed since they were read. */
export function markPushed(db: Queryable, table: PushTable, rows: readonly OutgoingRow[]): Promise<number> {
  const { name } = table;
  return db.run(
    `update ${name} as own set is_pushed = true
     from jsonb_array_elements($1::text::jsonb) as sent
     cross join lateral jsonb_populate_record(null::${name}, sent -> 'key') as wanted
     where ${isSameRow(table, 'wanted')} and own.xmin::text = sent ->> 'version'`,
    [toJson(rows.map(({ key: known, version }) => ({ key: known, version })))],
  );
}

/** These are pushed again; answers the ids of those that are this agent's to push. */
export async function pushAgain(db: Queryable, table: PushTable, ids: readonly string[]): Promise<string[]> {
  const rows = await db.rows(
    z.strictObject({ id: z.string() }),
    `update ${table.name} as own set is_pushed = false where own.id = any($1::uuid[]) and ${isOwn(table)} returning id`,
    [ids],
  );
  return rows.map(({ id }) => id);
}

/** Columns of the table that point to the other one. */
const columnsTo = ({ parents }: PushTable, parent: string) =>
  parents.filter(([, table]) => table === parent).map(([column]) => column);

/** What hangs on these is pushed no more, and what hangs on that. Answers how many rows that were. */
export async function giveUp(db: Queryable, table: string, ids: readonly string[]): Promise<number> {
  const seen = new Set(ids);
  const found = z.strictObject({ id: z.string().nullable(), was_waiting: z.boolean() });
  const markBelow = async (parent: string, parentIds: readonly string[]): Promise<number> => {
    let given = 0;
    for (const child of PUSH_TABLES) {
      const columns = columnsTo(child, parent);
      if (columns.length === 0) continue;
      const hangs = columns.map((column) => `own.${column} = any($1::uuid[])`).join(' or ');
      // What was marked before may still have rows below it that were not.
      const isParent = PUSH_TABLES.some((other) => columnsTo(other, child.name).length > 0);
      const rows = await db.rows(
        found,
        `select ${child.key.includes('id') ? 'own.id' : 'null::uuid as id'}, not own.is_pushed as was_waiting
         from ${child.name} as own where (${hangs}) ${isParent ? '' : 'and not own.is_pushed'}`,
        [parentIds],
      );
      await db.run(
        `update ${child.name} as own set is_pushed = true where not own.is_pushed and (${hangs})`,
        [parentIds],
      );
      given += rows.filter((row) => row.was_waiting).length;
      const next = rows.flatMap(({ id }) => (isParent && id !== null && !seen.has(id) ? [id] : []));
      for (const id of next) seen.add(id);
      if (next.length > 0) given += await markBelow(child.name, next);
    }
    return given;
  };
  return markBelow(table, ids);
}

/** Notes that this server is an agent. Only agents look for rows that were not pushed, so only they have the indexes. */
export async function prepareOutgoing(db: Queryable): Promise<void> {
  await db.run('insert into upstream_link (is_only) values (true) on conflict do nothing');
  for (const { name, key } of PUSH_TABLES) {
    const columns = name === 'check_statuses' ? 'time, check_id' : key.join(', ');
    await db.run(
      `create index if not exists ${name}_outgoing_idx on ${name} (${columns}) where not is_pushed`,
    );
  }
}

const countRow = z.strictObject({ rows: z.number() });
const backlogRow = z.strictObject({ since: z.string().nullable(), thinned: z.number() });

/** What waits at an agent. */
export interface Backlog {
  /** All rows that are still to be pushed. */
  rows: number;
  /** Of the oldest run among them. */
  since: string | null;
  /** Runs that were given up since the agent was made. */
  thinned: number;
}

/** Rows to push, since when the oldest run waits, and how many were given up so far. */
export async function readBacklog(db: Queryable): Promise<Backlog> {
  const counts = PUSH_TABLES.map(
    (table) =>
      `(select count(*) from ${table.name} as own where not own.is_pushed and ${isOwn(table)})::float8`,
  );
  const [counted] = await db.rows(countRow, `select ${counts.join(' + ')} as rows`, []);
  const [told] = await db.rows(
    backlogRow,
    `select (select time from check_statuses as own where not own.is_pushed and ${isOwn(pushTable('check_statuses'))}
         order by time limit 1) as since,
       coalesce((select thinned_rows from upstream_link), 0)::float8 as thinned`,
    [],
  );
  return { rows: counted?.rows ?? 0, since: told?.since ?? null, thinned: told?.thinned ?? 0 };
}
