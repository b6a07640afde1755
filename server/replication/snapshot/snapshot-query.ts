/** The rows of a snapshot: a component, config or incident with what hangs on it (schema §8.7). */
import { idRow, jsonObject } from '../../platform/db/row-schema.ts';
import type { Queryable, SqlValue } from '../../platform/db/database.ts';

export type SnapshotKind = 'topology' | 'config' | 'incident';

export interface SnapshotRequest {
  kind: SnapshotKind;
  id: string;
  isRelatedToo: boolean;
  from: Date;
  until: Date;
}

export interface Scope {
  components: string[];
  configs: string[];
  incidents: string[];
}

async function ids(db: Queryable, sql: string, params: readonly SqlValue[]): Promise<string[]> {
  return (await db.rows(idRow, sql, params)).map(({ id }) => id);
}

/** The component, what is under it, and with `related` what selectors link to it either way. */
const COMPONENTS = `
  with recursive under(id) as (
    select components.id from components where id = $1 and deleted_at is null
    union
    select child.id from under join components child on child.parent_id = under.id where child.deleted_at is null
  ), linked as (
    select link.component_id as id from component_relationships link
      join under on under.id = link.relationship_id where $2::boolean and link.deleted_at is null
    union
    select link.relationship_id from component_relationships link
      join under on under.id = link.component_id where $2::boolean and link.deleted_at is null
  )
  select id from under union select id from linked`;

const CONFIGS = `
  select config_items.id from config_items where id = $1 and deleted_at is null
  union
  select case when link.config_id = $1 then link.related_id else link.config_id end as id
    from config_relationships link
   where $2::boolean and link.deleted_at is null and (link.config_id = $1 or link.related_id = $1)`;

const CONFIGS_OF_COMPONENTS = `select distinct config_id as id from config_component_relationships
  where component_id = any($1::uuid[]) and deleted_at is null`;
const INCIDENTS_OF = `select distinct hypotheses.incident_id as id
  from evidences join hypotheses on hypotheses.id = evidences.hypothesis_id
  where evidences.component_id = any($1::uuid[]) or evidences.config_id = any($2::uuid[])`;
const EVIDENCE_OF = (column: 'component_id' | 'config_id') => `select distinct evidences.${column} as id
  from evidences join hypotheses on hypotheses.id = evidences.hypothesis_id
  where hypotheses.incident_id = $1 and evidences.${column} is not null`;

/** Which rows belong to the snapshot; null when there is nothing of that id. */
export async function readScope(
  db: Queryable,
  { kind, id, isRelatedToo }: SnapshotRequest,
): Promise<Scope | null> {
  if (kind === 'incident') {
    const incidents = await ids(db, 'select id from incidents where id = $1', [id]);
    const components = await ids(db, EVIDENCE_OF('component_id'), [id]);
    const configs = await ids(db, EVIDENCE_OF('config_id'), [id]);
    return incidents.length === 0 ? null : { components, configs, incidents };
  }
  const components = kind === 'topology' ? await ids(db, COMPONENTS, [id, isRelatedToo]) : [];
  const configs =
    kind === 'config'
      ? await ids(db, CONFIGS, [id, isRelatedToo])
      : await ids(db, CONFIGS_OF_COMPONENTS, [components]);
  if (components.length === 0 && configs.length === 0) return null;
  return { components, configs, incidents: await ids(db, INCIDENTS_OF, [components, configs]) };
}

const TABLES = {
  components: {
    columns: `id name namespace type status health external_id parent_id topology_id labels properties owner icon
      description path created_at updated_at`,
    where: 'id = any($1::uuid[])',
  },
  config_items: {
    columns: `id name type config_class status health external_id labels tags config description path cost_per_minute
      cost_total_1d cost_total_7d cost_total_30d created_at updated_at deleted_at`,
    where: 'id = any($1::uuid[])',
  },
  config_changes: {
    columns: `id config_id change_type severity source summary patches diff details external_created_by created_by count
      first_observed created_at`,
    where: 'config_id = any($1::uuid[]) and created_at between $2::timestamptz and $3::timestamptz',
  },
  config_analysis: {
    columns:
      'id config_id analyzer analysis_type severity status summary message analysis first_observed last_observed',
    where: 'config_id = any($1::uuid[])',
  },
  incidents: {
    columns: 'id incident_id title description type severity status created_by created_at updated_at',
    where: 'id = any($1::uuid[])',
  },
  hypotheses: {
    columns: 'id incident_id parent_id title type status created_by created_at updated_at',
    where: 'incident_id = any($1::uuid[])',
  },
  evidences: {
    columns: `id hypothesis_id type description config_id config_change_id config_analysis_id component_id check_id
      definition_of_done done created_by created_at`,
    where: 'hypothesis_id in (select hypotheses.id from hypotheses where incident_id = any($1::uuid[]))',
  },
} as const;
export type SnapshotTable = keyof typeof TABLES;

export interface TableRows {
  columns: string[];
  rows: Record<string, unknown>[];
}

/** A table's rows that belong to these ids; changes only those of the time asked for. */
export async function readTable(
  db: Queryable,
  name: SnapshotTable,
  part: { ids: readonly string[]; from: Date; until: Date },
): Promise<TableRows> {
  const { columns, where } = TABLES[name];
  const names = columns.split(/\s+/);
  const params = name === 'config_changes' ? [part.ids, part.from, part.until] : [part.ids];
  const rows = await db.rows(
    jsonObject,
    `select ${names.join(', ')} from ${name} where ${where} order by id`,
    params,
  );
  return { columns: names, rows };
}
