/** SQL of what hangs on components by their selectors: components, checks, items, teams, costs (schema §6.2). */
import { z } from 'zod';
import type { Queryable } from '../../platform/db/database.ts';
import { idRow } from '../../platform/db/row-schema.ts';
import { toJson } from '../../platform/db/to-json.ts';

const NIL = `'00000000-0000-0000-0000-000000000000'`;
/** Of links that these jobs make; others are not theirs. */
export const OURS = 'topology:';

const withList = z.strictObject({ id: z.string(), list: z.unknown() });
type WithList = z.infer<typeof withList>;

const LISTS = { components: 'selectors', checks: 'component_checks', configs: 'configs' } as const;

/** Components that have such a list. */
export function componentsWith(db: Queryable, kind: keyof typeof LISTS): Promise<WithList[]> {
  return db.rows(
    withList,
    `select id, ${LISTS[kind]} as list from components
     where deleted_at is null and agent_id = ${NIL} and jsonb_typeof(${LISTS[kind]}) = 'array'
       and ${LISTS[kind]} <> '[]' order by id`,
  );
}

export interface Link {
  component_id: string;
  /** The component, check, item under it. */
  other_id: string;
  selector_id: string;
}

/** Makes the links to components by selectors exactly these. */
export async function writeComponentLinks(tx: Queryable, links: readonly Link[]): Promise<number> {
  const given = toJson(links);
  const ended = await tx.run(
    `update component_relationships as link set deleted_at = now()
     where starts_with(link.selector_id, '${OURS}') and link.deleted_at is null and not exists (
       select from json_to_recordset($1::json) as row(component_id uuid, other_id uuid, selector_id text)
       where row.other_id = link.component_id and row.component_id = link.relationship_id
         and row.selector_id = link.selector_id)`,
    [given],
  );
  const made = await tx.run(
    `insert into component_relationships as link (component_id, relationship_id, selector_id, relationship_path)
     select row.other_id, row.component_id, row.selector_id, trim(leading '.' from coalesce(parent.path, '') || '.' || parent.id)
     from json_to_recordset($1::json) as row(component_id uuid, other_id uuid, selector_id text)
     join components as parent on parent.id = row.component_id
     on conflict (component_id, relationship_id, selector_id) do update
       set deleted_at = null, relationship_path = excluded.relationship_path where link.deleted_at is not null`,
    [given],
  );
  return ended + made;
}

/** Makes the links to checks that these jobs make exactly these, and those of canaries of the components themselves. */
export async function writeCheckLinks(tx: Queryable, links: readonly Link[]): Promise<number> {
  const given = toJson(links);
  const wanted = `
    select row.component_id, checks.id as check_id, checks.canary_id, row.selector_id
    from json_to_recordset($1::json) as row(component_id uuid, other_id uuid, selector_id text)
    join checks on checks.id = row.other_id
    union
    select components.id, checks.id, checks.canary_id, '${OURS}inline'
    from canaries join checks on checks.canary_id = canaries.id
    join components on canaries.source = 'component/' || components.id
    where canaries.deleted_at is null and checks.deleted_at is null and components.deleted_at is null`;
  const ended = await tx.run(
    `with wanted as (${wanted})
     update check_component_relationships as link set deleted_at = now()
     where starts_with(link.selector_id, '${OURS}') and link.deleted_at is null and not exists (
       select from wanted where wanted.component_id = link.component_id and wanted.check_id = link.check_id
         and wanted.selector_id = link.selector_id)`,
    [given],
  );
  const made = await tx.run(
    `insert into check_component_relationships as link (component_id, check_id, canary_id, selector_id)
     ${wanted}
     on conflict (component_id, check_id, canary_id, selector_id) do update set deleted_at = null
       where link.deleted_at is not null`,
    [given],
  );
  return ended + made;
}

const relatedCheck = z.strictObject({
  id: z.string(),
  name: z.string(),
  type: z.string(),
  namespace: z.string().nullable(),
  labels: z.unknown(),
  canary: z.unknown(),
  relationships: z.unknown(),
});
export type RelatedCheck = z.infer<typeof relatedCheck>;

/** Live checks of this server whose own specification says what they belong to. */
export function checksWithRelationships(db: Queryable): Promise<RelatedCheck[]> {
  return db.rows(
    relatedCheck,
    `select checks.id, checks.name, checks.type, coalesce(checks.namespace, canaries.namespace) as namespace,
       checks.labels, checks.spec -> 'relationships' as relationships,
       json_build_object('id', canaries.id, 'name', canaries.name, 'namespace', canaries.namespace,
         'labels', canaries.labels) as canary
     from checks join canaries on canaries.id = checks.canary_id
     where checks.deleted_at is null and canaries.deleted_at is null and checks.agent_id = ${NIL}
       and jsonb_typeof(checks.spec -> 'relationships') = 'object' order by checks.id`,
  );
}

/** Makes the links of checks to items by their own selectors exactly these; `component_id` is the check here. */
export async function writeCheckConfigLinks(tx: Queryable, links: readonly Link[]): Promise<number> {
  const given = toJson(links);
  const ended = await tx.run(
    `update check_config_relationships as link set deleted_at = now()
     where starts_with(link.selector_id, '${OURS}') and link.deleted_at is null and not exists (
       select from json_to_recordset($1::json) as row(component_id uuid, other_id uuid, selector_id text)
       where row.component_id = link.check_id and row.other_id = link.config_id
         and row.selector_id = link.selector_id)`,
    [given],
  );
  const made = await tx.run(
    `insert into check_config_relationships as link (config_id, check_id, canary_id, selector_id)
     select row.other_id, checks.id, checks.canary_id, row.selector_id
     from json_to_recordset($1::json) as row(component_id uuid, other_id uuid, selector_id text)
     join checks on checks.id = row.component_id
     on conflict (config_id, check_id, canary_id, selector_id) do update set deleted_at = null
       where link.deleted_at is not null`,
    [given],
  );
  return ended + made;
}

/** Makes the links to items that these jobs make exactly these; one that somebody made by hand stays his. */
export async function writeConfigLinks(tx: Queryable, links: readonly Link[]): Promise<number> {
  const given = toJson(links);
  const ended = await tx.run(
    `update config_component_relationships as link set deleted_at = now()
     where starts_with(link.selector_id, '${OURS}') and link.deleted_at is null and not exists (
       select from json_to_recordset($1::json) as row(component_id uuid, other_id uuid)
       where row.component_id = link.component_id and row.other_id = link.config_id)`,
    [given],
  );
  const made = await tx.run(
    `insert into config_component_relationships as link (component_id, config_id, selector_id)
     select distinct on (row.component_id, row.other_id) row.component_id, row.other_id, row.selector_id
     from json_to_recordset($1::json) as row(component_id uuid, other_id uuid, selector_id text)
     order by row.component_id, row.other_id, row.selector_id
     on conflict (component_id, config_id) do update set deleted_at = null, selector_id = excluded.selector_id
       where link.deleted_at is not null`,
    [given],
  );
  return ended + made;
}

export interface InlineCanary {
  component_id: string;
  name: string;
  spec: Record<string, unknown>;
}

const ENDED = `
update canaries set deleted_at = now()
where deleted_at is null and agent_id = ${NIL} and source like 'component/%' and not exists (
  select from json_to_recordset($1::json) as row(component_id text, name text)
  where canaries.source = 'component/' || row.component_id and canaries.name = row.name)`;

const MADE = `
insert into canaries (name, namespace, labels, spec, source)
select row.name, coalesce(components.namespace, topologies.namespace, 'default'), coalesce(components.labels, '{}'),
  row.spec, 'component/' || components.id
from json_to_recordset($1::json) as row(component_id uuid, name text, spec jsonb)
join components on components.id = row.component_id
left join topologies on topologies.id = components.topology_id
on conflict (agent_id, name, namespace, source) where deleted_at is null and agent_id = ${NIL}
do update set spec = excluded.spec, labels = excluded.labels
  where (shown_spec(canaries.spec, false), canaries.labels)
    is distinct from (shown_spec(excluded.spec, false), excluded.labels)`;

/**
 * Makes the canaries that components bring along exactly these; the checks' own service runs them. Those whose document
 * may use mounted secrets are written as its author would.
 */
export async function writeInlineCanaries(
  tx: Queryable,
  canaries: readonly InlineCanary[],
  isGranted: (canary: InlineCanary) => boolean,
): Promise<number> {
  const ended = await tx.run(ENDED, [toJson(canaries)]);
  await writeAs(tx, true);
  const granted = await tx.run(MADE, [toJson(canaries.filter(isGranted))]);
  await writeAs(tx, false);
  const others = canaries.filter((canary) => !isGranted(canary));
  return ended + granted + (await tx.run(MADE, [toJson(others)]));
}

/** What is written next in this transaction is the word of somebody who may grant mounted secrets, or is not. */
async function writeAs(tx: Queryable, isGranter: boolean): Promise<void> {
  await tx.text(`select set_config('holdfast.may_grant', $1, true)`, [isGranter ? 'yes' : 'no']);
}

const namesRow = z.strictObject({ id: z.string(), name: z.string(), is_granted: z.boolean() });

/** What the components are called, and whether whoever wrote their document may use mounted secrets. */
export async function componentNames(
  db: Queryable,
  ids: readonly string[],
): Promise<Map<string, { name: string; isGranted: boolean }>> {
  const rows = await db.rows(
    namesRow,
    `select id, name, exists (select from granted_specs where row_id = components.topology_id)
       or exists (select from topology_files where topology_id = components.topology_id) as is_granted
     from components where id = any($1::uuid[])`,
    [ids],
  );
  return new Map(rows.map(({ id, name, is_granted: isGranted }) => [id, { name, isGranted }]));
}

const teamRow = z.strictObject({ id: z.string(), list: z.unknown() });

/** Teams that own components by selectors. */
export function teamsWithSelectors(db: Queryable): Promise<WithList[]> {
  return db.rows(
    teamRow,
    `select id, spec -> 'components' as list from teams
     where deleted_at is null and jsonb_typeof(spec -> 'components') = 'array' order by id`,
  );
}

/** Makes what teams own by their selectors exactly this; `component_id` is the team here. */
export async function writeTeamLinks(tx: Queryable, links: readonly Link[]): Promise<number> {
  const given = toJson(links);
  const ended = await tx.run(
    `delete from team_components as link where starts_with(link.selector_id, '${OURS}') and not exists (
       select from json_to_recordset($1::json) as row(component_id uuid, other_id uuid)
       where row.component_id = link.team_id and row.other_id = link.component_id)`,
    [given],
  );
  const made = await tx.run(
    `insert into team_components (team_id, component_id, role, selector_id)
     select distinct on (row.component_id, row.other_id) row.component_id, row.other_id, 'owner', row.selector_id
     from json_to_recordset($1::json) as row(component_id uuid, other_id uuid, selector_id text)
     order by row.component_id, row.other_id, row.selector_id
     on conflict do nothing`,
    [given],
  );
  return ended + made;
}

/** What components cost: the sum of the live items that are linked to them. */
export async function writeCosts(tx: Queryable): Promise<number> {
  return tx.run(
    `with costs as (
       select link.component_id, sum(item.cost_per_minute) as minute, sum(item.cost_total_1d) as day,
         sum(item.cost_total_7d) as week, sum(item.cost_total_30d) as month
       from config_component_relationships as link
       join config_items as item on item.id = link.config_id and item.deleted_at is null
       where link.deleted_at is null group by link.component_id)
     update components set cost_per_minute = costs.minute, cost_total_1d = costs.day, cost_total_7d = costs.week,
       cost_total_30d = costs.month
     from components as own left join costs on costs.component_id = own.id
     where components.id = own.id and own.deleted_at is null and own.agent_id = ${NIL}
       and (costs.component_id is not null or exists (
         select from config_component_relationships as link where link.component_id = own.id))
       and (components.cost_per_minute, components.cost_total_1d, components.cost_total_7d, components.cost_total_30d)
         is distinct from (costs.minute::numeric(16, 4), costs.day::numeric(16, 4), costs.week::numeric(16, 4),
           costs.month::numeric(16, 4))`,
  );
}

/** Whether there is a component, or a check that says where it belongs: most servers have neither. */
export async function hasCheckLinks(db: Queryable): Promise<boolean> {
  const rows = await db.rows(
    idRow,
    `(select id from components where deleted_at is null limit 1) union all
     (select id from checks where deleted_at is null and agent_id = ${NIL}
        and jsonb_typeof(spec -> 'relationships') = 'object' limit 1)`,
  );
  return rows.length > 0;
}

/** Whether a component is there at all: most servers have none. */
export async function hasComponents(db: Queryable): Promise<boolean> {
  const rows = await db.rows(idRow, 'select id from components where deleted_at is null limit 1');
  return rows.length > 0;
}
