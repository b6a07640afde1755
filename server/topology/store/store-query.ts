/** SQL of what a run writes: components, what they say of themselves, and how they relate (schema §6.2). */
import { z } from 'zod';
import type { Queryable } from '../../platform/db/database.ts';
import { idRow } from '../../platform/db/row-schema.ts';
import type { ForeignParent, ParentSought } from '../build/place.ts';
import type { ComponentRow, StoredComponent } from './component-rows.ts';
import { toJson } from '../../platform/db/to-json.ts';

const storedRow = z.strictObject({
  id: z.string(),
  parent_id: z.string().nullable(),
  type: z.string().nullable(),
  name: z.string(),
  properties: z.unknown(),
  is_leaf: z.boolean().nullable(),
  is_live: z.boolean(),
});

/** What the topology has built so far; live ones first. */
export function storedComponents(db: Queryable, topologyId: string): Promise<StoredComponent[]> {
  return db.rows(
    storedRow,
    `select id, parent_id, type, name, properties, is_leaf, deleted_at is null as is_live from components
     where topology_id = $1 order by deleted_at nulls first, created_at desc, id`,
    [topologyId],
  );
}

const COLUMNS = `external_id, parent_id, config_id, name, text, topology_type, namespace, labels, status_expr,
  health_expr, description, lifecycle, tooltip, status_reason, schedule, icon, type, owner, selectors, log_selectors,
  component_checks, configs, properties, path, is_leaf`;
const RECORD = `(id uuid, is_new boolean, external_id text, parent_id uuid, config_id uuid, name text, text text,
  topology_type text, namespace text, labels jsonb, hidden boolean, status text, status_expr text, health_expr text,
  health text, description text, lifecycle text, tooltip text, status_reason text, schedule text, icon text, type text,
  owner text, selectors jsonb, log_selectors jsonb, component_checks jsonb, configs jsonb, properties jsonb, path text,
  is_leaf boolean)`;
const NAMES = COLUMNS.split(',').map((name) => name.trim());
const of = (table: string) => NAMES.map((name) => `${table}.${name}`).join(', ');

const UPDATE = `
with given as (select * from json_to_recordset($1::json) as row${RECORD})
update components set (${COLUMNS}, hidden, deleted_at) =
  row(${of('given')}, coalesce(given.hidden, components.hidden), null::timestamptz)
from given where given.id = components.id and not given.is_new
  and (${of('given')}, coalesce(given.hidden, components.hidden), null::timestamptz)
    is distinct from (${of('components')}, components.hidden, components.deleted_at)`;

const INSERT = `
insert into components (id, topology_id, ${COLUMNS}, status, health, hidden)
select row.id, $2::uuid, ${of('row')}, row.status, row.health, coalesce(row.hidden, false)
from json_to_recordset($1::json) as row${RECORD} where row.is_new`;

/** What a component says of itself, where it has said otherwise; its row keeps what was rolled up until that is anew. */
const SAY = `
update component_own_states as own set summary = row.own_summary, "order" = row."order",
  status = case when row.is_new then own.status else row.status end,
  health = case when row.is_new then own.health else row.health end
from json_to_recordset($1::json) as row(id uuid, is_new boolean, status text, health text, own_summary jsonb, "order" integer)
where own.component_id = row.id
  and ((own.status, own.health) is distinct from (row.status, row.health) or own.summary is distinct from row.own_summary
    or own."order" is distinct from row."order")`;

/** Writes some rows, parents first; answers how many there are that were not before, and how many changed. */
export async function writeComponents(
  tx: Queryable,
  topologyId: string,
  rows: readonly ComponentRow[],
): Promise<{ added: number; changed: number }> {
  const given = toJson(rows);
  const isNew = (row: ComponentRow) => row.is_new;
  const changed = rows.every(isNew) ? 0 : await tx.run(UPDATE, [given]);
  const added = rows.some(isNew) ? await tx.run(INSERT, [given, topologyId]) : 0;
  await tx.run(SAY, [given]);
  return { added, changed };
}

/** True as long as nobody has removed the topology; until the transaction ends, nobody does. */
export async function holdTopology(tx: Queryable, id: string): Promise<boolean> {
  const sql = 'select id from topologies where id = $1 and deleted_at is null for share';
  return (await tx.rows(idRow, sql, [id])).length > 0;
}

/** Which of these items there are. */
export async function knownConfigs(db: Queryable, ids: readonly string[]): Promise<Set<string>> {
  const rows = await db.rows(idRow, 'select id from config_items where id = any($1::uuid[])', [ids]);
  return new Set(rows.map(({ id }) => id));
}

/** Soft-deletes these. */
export function deleteComponents(tx: Queryable, ids: readonly string[]): Promise<number> {
  return tx.run(
    'update components set deleted_at = now() where id = any($1::uuid[]) and deleted_at is null',
    [ids],
  );
}

const parentRow = z.strictObject({ id: z.string(), path: z.string(), is_own: z.boolean() });

/**
 * A live component of another topology; of several the oldest that stands under none of this one: two topologies that
 * name each other would go in a circle, with paths that grow at each run. `own` where there are only such.
 */
export async function findForeignParent(
  db: Queryable,
  topologyId: string,
  { name, namespace, type, externalID }: ParentSought,
): Promise<ForeignParent | 'own' | null> {
  const [row] = await db.rows(
    parentRow,
    `select id, coalesce(path, '') as path, exists (
       select from components as own where own.topology_id = $1::uuid
         and own.id::text = any(string_to_array(components.path, '.'))) as is_own
     from components
     where deleted_at is null and topology_id is distinct from $1::uuid
       and ($2::text is null or name = $2) and ($3::text is null or namespace = $3)
       and ($4::text is null or type = $4) and ($5::text is null or external_id = $5)
     order by is_own, created_at, id limit 1`,
    [topologyId, name ?? null, namespace ?? null, type ?? null, externalID ?? null],
  );
  if (row === undefined) return null;
  return row.is_own ? 'own' : { id: row.id, path: row.path };
}

const foundRow = z.strictObject({ ref: z.string(), id: z.string() });

/** The live component that each reference means: an id, an outer id, `type/name`, `namespace/name`, a name. */
export async function resolveRefs(db: Queryable, refs: readonly string[]): Promise<Map<string, string>> {
  const rows = await db.rows(
    foundRow,
    `select distinct on (wanted.ref) wanted.ref, found.id
     from unnest($1::text[]) as wanted(ref)
     join components as found on found.deleted_at is null and wanted.ref in (found.id::text, found.external_id,
       found.type || '/' || found.name, found.namespace || '/' || found.name, found.name)
     order by wanted.ref, array_position(array[found.id::text, found.external_id, found.type || '/' || found.name,
       found.namespace || '/' || found.name, found.name], wanted.ref), found.created_at, found.id`,
    [refs],
  );
  return new Map(rows.map(({ ref, id }) => [ref, id]));
}

export interface ComponentLink {
  /** The one under the other. */
  component_id: string;
  relationship_id: string;
  selector_id: string;
}

const linkRow = z.strictObject({
  component_id: z.string(),
  relationship_id: z.string(),
  selector_id: z.string(),
});

/** Live links whose selector begins like this. */
export function linksLike(tx: Queryable, selectorPrefix: string): Promise<ComponentLink[]> {
  return tx.rows(
    linkRow,
    `select component_id, relationship_id, selector_id from component_relationships
     where starts_with(selector_id, $1) and deleted_at is null`,
    [selectorPrefix],
  );
}

/** Makes the links whose selector begins like this exactly these. */
export async function writeLinks(
  tx: Queryable,
  selectorPrefix: string,
  links: readonly ComponentLink[],
): Promise<number> {
  const given = toJson(links);
  const ended = await tx.run(
    `update component_relationships as link set deleted_at = now()
     where starts_with(link.selector_id, $1) and link.deleted_at is null and not exists (
       select from json_to_recordset($2::json) as row(component_id uuid, relationship_id uuid, selector_id text)
       where row.component_id = link.component_id and row.relationship_id = link.relationship_id
         and row.selector_id = link.selector_id)`,
    [selectorPrefix, given],
  );
  const made = await tx.run(
    `insert into component_relationships as link (component_id, relationship_id, selector_id, relationship_path)
     select row.component_id, row.relationship_id, row.selector_id,
       trim(leading '.' from coalesce(parent.path, '') || '.' || parent.id)
     from json_to_recordset($1::json) as row(component_id uuid, relationship_id uuid, selector_id text)
     join components as parent on parent.id = row.relationship_id
     on conflict (component_id, relationship_id, selector_id) do update
       set deleted_at = null, relationship_path = excluded.relationship_path where link.deleted_at is not null`,
    [given],
  );
  return ended + made;
}
