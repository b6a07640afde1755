-- The catalog's views (schema §1.6). What the wire contract calls materialised summaries are plain views here: the
-- counts are computed for the rows that are shown, from indexes, so they are never out of date and nothing has to
-- be refreshed. A list of 50 of 50,000 items costs 100 index probes.

-- Counts of one item's recent changes, and lists by type and name.
create index config_changes_config_id_created_at_idx on config_changes (config_id, created_at);
create index config_items_type_name_idx on config_items (type, name);
create index config_items_config_class_idx on config_items (config_class);
create index config_items_status_idx on config_items (status) where status is not null;

create or replace view configs as
  select id, scraper_id, config_class, external_id, type, name, tags ->> 'namespace' as namespace, description,
    source, labels, tags, created_by, created_at, updated_at, deleted_at, cost_per_minute, cost_total_1d,
    cost_total_7d, cost_total_30d, agent_id, status, health, ready, path,
    (
      select count(*) from config_changes as change
      where change.config_id = config_items.id and change.created_at > now() - interval '7 days'
    ) as changes,
    (
      select jsonb_object_agg(open.type, open.count) from (
        select coalesce(finding.analysis_type, 'unknown') as type, count(*) as count
        from config_analysis as finding
        where finding.config_id = config_items.id and finding.status = 'open'
        group by 1
      ) as open
    ) as analysis
  from config_items;

create view config_item_summary_3d as
  select config_items.id as config_id,
    (
      select count(*) from config_changes as change
      where change.config_id = config_items.id and change.created_at > now() - interval '3 days'
    ) as config_changes_count,
    (
      select jsonb_object_agg(open.type, open.count) from (
        select coalesce(finding.analysis_type, 'unknown') as type, count(*) as count
        from config_analysis as finding
        where finding.config_id = config_items.id and finding.status = 'open'
        group by 1
      ) as open
    ) as config_analysis_type_counts
  from config_items;

create view config_item_summary_7d as
  select config_items.id as config_id,
    (
      select count(*) from config_changes as change
      where change.config_id = config_items.id and change.created_at > now() - interval '7 days'
    ) as config_changes_count,
    (
      select jsonb_object_agg(open.type, open.count) from (
        select coalesce(finding.analysis_type, 'unknown') as type, count(*) as count
        from config_analysis as finding
        where finding.config_id = config_items.id and finding.status = 'open'
        group by 1
      ) as open
    ) as config_analysis_type_counts
  from config_items;

create view config_item_summary_30d as
  select config_items.id as config_id,
    (
      select count(*) from config_changes as change
      where change.config_id = config_items.id and change.created_at > now() - interval '30 days'
    ) as config_changes_count,
    (
      select jsonb_object_agg(open.type, open.count) from (
        select coalesce(finding.analysis_type, 'unknown') as type, count(*) as count
        from config_analysis as finding
        where finding.config_id = config_items.id and finding.status = 'open'
        group by 1
      ) as open
    ) as config_analysis_type_counts
  from config_items;

create view config_types as
  select distinct type from config_items where type is not null order by type;

create view config_classes as
  select distinct config_class from config_items where config_class is not null order by config_class;

create view config_statuses as
  select distinct status from config_items where status is not null order by status;

create view change_types as
  select distinct change_type from config_changes where change_type is not null order by change_type;

create view analyzer_types as
  select distinct analyzer from config_analysis where analyzer is not null order by analyzer;

create view analysis_types as
  select distinct analysis_type from config_analysis where analysis_type is not null order by analysis_type;

create view config_analysis_analyzers as
  select distinct analyzer from config_analysis where status = 'open' order by analyzer;

create view config_tags as
  select distinct tag.key, tag.value from config_items, jsonb_each_text(case when jsonb_typeof(config_items.tags) = 'object' then config_items.tags end) as tag
  where config_items.deleted_at is null
  order by tag.key, tag.value;

create view config_labels as
  select distinct label.key, label.value from config_items, jsonb_each_text(case when jsonb_typeof(config_items.labels) = 'object' then config_items.labels end) as label
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

create view config_summary as
  select items.type, items.created_at, items.updated_at, analysis.counts as analysis, severity.counts as severity,
    coalesce(changes.count, 0) as changes, items.total_configs, items.cost_per_minute, items.cost_total_1d, items.cost_total_7d, items.cost_total_30d
  from (
    select type, max(created_at) as created_at, max(updated_at) as updated_at, count(*) as total_configs,
      sum(cost_per_minute) as cost_per_minute, sum(cost_total_1d) as cost_total_1d, sum(cost_total_7d) as cost_total_7d, sum(cost_total_30d) as cost_total_30d
    from config_items where deleted_at is null group by type
  ) as items
  left join (
    select "group", jsonb_object_agg(value, count) as counts from (
      select config_items.type as "group", coalesce(finding.analysis_type, 'unknown') as value, count(*) as count
      from config_analysis as finding join config_items on config_items.id = finding.config_id
      where finding.status = 'open'
      group by 1, 2
    ) as counted
    group by "group"
  ) as analysis on analysis."group" = items.type
  left join (
    select "group", jsonb_object_agg(value, count) as counts from (
      select config_items.type as "group", coalesce(finding.severity, 'unknown') as value, count(*) as count
      from config_analysis as finding join config_items on config_items.id = finding.config_id
      where finding.status = 'open'
      group by 1, 2
    ) as counted
    group by "group"
  ) as severity on severity."group" = items.type
  left join (
    select config_items.type as "group", count(*) as count
    from config_changes as change join config_items on config_items.id = change.config_id
    where change.created_at > now() - interval '30 days'
    group by 1
  ) as changes on changes."group" = items.type
  order by items.type;

create view config_class_summary as
  select items.config_class, analysis.counts as analysis, coalesce(changes.count, 0) as changes, items.total_configs,
    items.cost_per_minute, items.cost_total_1d, items.cost_total_7d, items.cost_total_30d
  from (
    select config_class, count(*) as total_configs, sum(cost_per_minute) as cost_per_minute, sum(cost_total_1d) as cost_total_1d, sum(cost_total_7d) as cost_total_7d, sum(cost_total_30d) as cost_total_30d
    from config_items group by config_class
  ) as items
  left join (
    select "group", jsonb_object_agg(value, count) as counts from (
      select config_items.config_class as "group", coalesce(finding.analysis_type, 'unknown') as value, count(*) as count
      from config_analysis as finding join config_items on config_items.id = finding.config_id
      where finding.status = 'open'
      group by 1, 2
    ) as counted
    group by "group"
  ) as analysis on analysis."group" = items.config_class
  left join (
    select config_items.config_class as "group", count(*) as count
    from config_changes as change join config_items on config_items.id = change.config_id
    where change.created_at > now() - interval '30 days'
    group by 1
  ) as changes on changes."group" = items.config_class
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
