/**
 * The catalog's views (schema §1.6). What the wire contract calls materialised summaries are plain views here: the
 * counts are computed for the rows that are shown, from indexes, so they are never out of date and nothing has to be
 * refreshed. A list of 50 of 50,000 items costs 100 index probes.
 */
import { pairsOf } from './0006-model-columns.ts';

const changesSince = (days: number, config: string): string => `(
      select count(*) from config_changes as change
      where change.config_id = ${config}.id and change.created_at > now() - interval '${days} days'
    )`;

const openByType = (config: string): string => `(
      select jsonb_object_agg(open.type, open.count) from (
        select coalesce(finding.analysis_type, 'unknown') as type, count(*) as count
        from config_analysis as finding
        where finding.config_id = ${config}.id and finding.status = 'open'
        group by 1
      ) as open
    )`;

const summaryView = (days: number): string => `
create view config_item_summary_${days}d as
  select config_items.id as config_id,
    ${changesSince(days, 'config_items')} as config_changes_count,
    ${openByType('config_items')} as config_analysis_type_counts
  from config_items;`;

/** A list of the distinct values of a column; items that are gone count as well. */
const valuesOf = (view: string, table: string, column: string): string => `
create view ${view} as
  select distinct ${column} from ${table} where ${column} is not null order by ${column};`;

const COSTS = ['cost_per_minute', 'cost_total_1d', 'cost_total_7d', 'cost_total_30d'];

/** Open findings by `group` and one more column, as {value: count}. */
const openCounts = (group: string, column: string): string => `(
    select "group", jsonb_object_agg(value, count) as counts from (
      select config_items.${group} as "group", coalesce(finding.${column}, 'unknown') as value, count(*) as count
      from config_analysis as finding join config_items on config_items.id = finding.config_id
      where finding.status = 'open'
      group by 1, 2
    ) as counted
    group by "group"
  )`;

const recentChanges = (group: string): string => `(
    select config_items.${group} as "group", count(*) as count
    from config_changes as change join config_items on config_items.id = change.config_id
    where change.created_at > now() - interval '30 days'
    group by 1
  )`;

const GROUPED_VIEWS = `
create view config_summary as
  select items.type, items.created_at, items.updated_at, analysis.counts as analysis, severity.counts as severity,
    coalesce(changes.count, 0) as changes, items.total_configs, ${COSTS.map((name) => `items.${name}`).join(', ')}
  from (
    select type, max(created_at) as created_at, max(updated_at) as updated_at, count(*) as total_configs,
      ${COSTS.map((name) => `sum(${name}) as ${name}`).join(', ')}
    from config_items where deleted_at is null group by type
  ) as items
  left join ${openCounts('type', 'analysis_type')} as analysis on analysis."group" = items.type
  left join ${openCounts('type', 'severity')} as severity on severity."group" = items.type
  left join ${recentChanges('type')} as changes on changes."group" = items.type
  order by items.type;

create view config_class_summary as
  select items.config_class, analysis.counts as analysis, coalesce(changes.count, 0) as changes, items.total_configs,
    ${COSTS.map((name) => `items.${name}`).join(', ')}
  from (
    select config_class, count(*) as total_configs, ${COSTS.map((name) => `sum(${name}) as ${name}`).join(', ')}
    from config_items group by config_class
  ) as items
  left join ${openCounts('config_class', 'analysis_type')} as analysis on analysis."group" = items.config_class
  left join ${recentChanges('config_class')} as changes on changes."group" = items.config_class
  order by items.config_class;

create view config_changes_by_types as
  select config_items.type, count(*) as change_count
  from config_changes join config_items on config_items.id = config_changes.config_id
  where config_changes.created_at > now() - interval '30 days'
  group by config_items.type;

create view config_analysis_by_severity as
  select config_items.type, config_analysis.severity, count(*) as analysis_count
  from config_analysis join config_items on config_items.id = config_analysis.config_id
  where config_analysis.first_observed > now() - interval '30 days'
  group by config_items.type, config_analysis.severity;
`;

export const CATALOG_VIEWS = `
-- Counts of one item's recent changes, and lists by type and name.
create index config_changes_config_id_created_at_idx on config_changes (config_id, created_at);
create index config_items_type_name_idx on config_items (type, name);
create index config_items_config_class_idx on config_items (config_class);
create index config_items_status_idx on config_items (status) where status is not null;

create or replace view configs as
  select id, scraper_id, config_class, external_id, type, name, tags ->> 'namespace' as namespace, description,
    source, labels, tags, created_by, created_at, updated_at, deleted_at, cost_per_minute, cost_total_1d,
    cost_total_7d, cost_total_30d, agent_id, status, health, ready, path,
    ${changesSince(7, 'config_items')} as changes,
    ${openByType('config_items')} as analysis
  from config_items;

${[3, 7, 30].map(summaryView).join('\n')}
${valuesOf('config_types', 'config_items', 'type')}
${valuesOf('config_classes', 'config_items', 'config_class')}
${valuesOf('config_statuses', 'config_items', 'status')}
${valuesOf('change_types', 'config_changes', 'change_type')}
${valuesOf('analyzer_types', 'config_analysis', 'analyzer')}
${valuesOf('analysis_types', 'config_analysis', 'analysis_type')}

create view config_analysis_analyzers as
  select distinct analyzer from config_analysis where status = 'open' order by analyzer;

create view config_tags as
  select distinct tag.key, tag.value from config_items, ${pairsOf('config_items.tags')} as tag
  where config_items.deleted_at is null
  order by tag.key, tag.value;

create view config_labels as
  select distinct label.key, label.value from config_items, ${pairsOf('config_items.labels')} as label
  where config_items.deleted_at is null
  order by label.key, label.value;

create view config_analysis_items as
  select config_analysis.*, config_items.type as config_type, config_items.config_class
  from config_analysis left join config_items on config_items.id = config_analysis.config_id;

create view catalog_changes as
  select config_changes.id, config_changes.config_id, config_items.name, config_items.type, config_items.tags,
    config_changes.external_created_by, config_changes.created_at, config_changes.severity,
    config_changes.change_type, config_changes.source, config_changes.summary, config_changes.created_by,
    config_changes.count, config_changes.first_observed, config_items.agent_id
  from config_changes join config_items on config_items.id = config_changes.config_id;

create view config_items_aws as
  select configs.*, labels ->> 'zone' as zone, labels ->> 'region' as region, labels ->> 'account' as account
  from configs where type like 'AWS::%';
${GROUPED_VIEWS}
`;

/** Needs the catalog's functions. */
export const CONFIG_DETAIL = `
create view config_detail as
  select config_items.*,
    jsonb_build_object(
      'relationships', (
        select count(*) from config_relationships as link
        where link.config_id = config_items.id or link.related_id = config_items.id
      ),
      'analysis', (
        select count(*) from config_analysis as finding
        where finding.config_id = config_items.id and finding.last_observed > now() - interval '2 days'
      ),
      'changes', (
        select count(*) from config_changes as change
        where change.created_at > now() - interval '2 days' and change.config_id in (
          select config_items.id union all select met.id from related_config_ids_recursive(config_items.id) as met
        )
      ),
      'playbook_runs', (
        select count(*) from playbook_runs as run
        where run.config_id = config_items.id and run.start_time > now() - interval '30 days'
      ),
      'checks', (
        select count(*) from check_config_relationships as link
        where link.config_id = config_items.id and link.deleted_at is null
      )
    ) as summary,
    (
      select jsonb_agg(to_jsonb(components) order by components.name, components.id)
      from config_component_relationships as link join components on components.id = link.component_id
      where link.config_id = config_items.id and link.deleted_at is null and components.deleted_at is null
    ) as components
  from config_items;
create index playbook_runs_config_id_idx on playbook_runs (config_id) where config_id is not null;
create index playbook_runs_component_id_idx on playbook_runs (component_id) where component_id is not null;
create index playbook_runs_check_id_idx on playbook_runs (check_id) where check_id is not null;
`;
