-- What the screens of notifications read without a network: why something was not sent, how each attempt ended, and
-- silences by selector, expression and hours. A silence that ends before it begins, or names nothing, silences nothing.
create or replace view feed_notification_history as
  select id, notification_id, status, count, first_observed, source_event, resource_id, person_id, error,
    duration_millis, created_at, title, recipient, reason, attempts, split_part(source_event, '.', 1) as resource_type,
    case split_part(source_event, '.', 1)
      when 'config' then (select own.name from config_items as own where own.id = resource_id)
      when 'component' then (select own.name from components as own where own.id = resource_id)
      when 'check' then (select own.name from checks as own where own.id = resource_id)
      when 'canary' then (select own.name from canaries as own where own.id = resource_id)
      when 'incident' then (select own.title from incidents as own where own.id = resource_id)
    end as resource_name
  from notification_send_history where created_at > now() - interval '7 days';

do $$
declare
  before constant text := pg_get_viewdef('feed_resources'::regclass);
  changed constant text := replace(before, 'notification_silences.namespace,',
    'notification_silences.namespace, notification_silences.selector, notification_silences.filter, notification_silences.recurrence,');
begin
  if before = changed then raise exception 'feed_resources has no silences'; end if;
  execute 'create or replace view feed_resources as ' || changed;
end $$;

-- Devices that have them already are sent them again.
do $$ begin
  perform log_change('notification_history', id::text, false)
    from notification_send_history where created_at > now() - interval '7 days';
  perform log_change('resources', id::text, false)
    from notification_silences where deleted_at is null and "until" > now();
end $$;

-- Rows of before stay as they are.
alter table notification_silences
  add constraint notification_silences_times check ("until" >= "from") not valid,
  add constraint notification_silences_named check (
    num_nonnulls(config_id, component_id, check_id, canary_id, nullif(trim(selector), ''), nullif(trim(filter), '')) > 0
  ) not valid;
