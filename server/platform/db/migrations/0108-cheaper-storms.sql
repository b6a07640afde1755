-- What each of 10,000 checks costs that change at once, and each result of a check besides.

-- Ids as before, by a function whose plan is kept for the session: one in SQL that can't be inlined is set up anew with
-- each row.
create or replace function generate_ulid() returns uuid language plpgsql volatile as $$
declare
  noise constant text := replace(gen_random_uuid()::text, '-', '');
begin
  return (lpad(to_hex((extract(epoch from clock_timestamp()) * 1000)::bigint), 12, '0')
    || substr(noise, 1, 12) || substr(noise, 18, 8))::uuid;
end $$;

-- Rows are compared as they are: writing both as JSON, the specification with them, was dearer than the update itself.
create function touch_check() returns trigger language plpgsql as $$
declare
  before checks := old;
begin
  if coalesce(new.agent_id, '00000000-0000-0000-0000-000000000000') <> '00000000-0000-0000-0000-000000000000'
    or new.deleted_at is not null
  then
    return new;
  end if;
  before.updated_at := new.updated_at;
  before.is_pushed := new.is_pushed;
  if before is distinct from new then
    new.updated_at := now();
  end if;
  return new;
end $$;
drop trigger touch_updated_at on checks;
create trigger touch_updated_at before update on checks for each row execute function touch_check();

-- Events of checks are noted for a statement at a time; who wants them is asked once. What was planned for one row
-- would be repeated for thousands: so no loop within a loop.
drop trigger queue_check_event on checks;
drop function queue_check_event();
create function queue_check_events() returns trigger language plpgsql set enable_nestloop = off as $$
#variable_conflict use_column
begin
  with changed as (
    select case this.status when 'healthy' then 'check.passed' else 'check.failed' end as name,
      jsonb_build_object('id', this.id, 'last_runtime', this.last_runtime) as about
    from after as this join before as was on was.id = this.id
    where was.status is distinct from this.status
      -- A first state is no change of state, unless something fails; nor is what was the same before nobody saw it.
      and (this.status = 'unhealthy'
        or this.status = 'healthy' and not (coalesce(was.status, '') = '' and was.last_runtime is null))
      and not (was.status is null and was.blind_since is not null
        and was.seen_status is not distinct from this.status)
  ), demand as materialized (
    select name, is_event_wanted(name) as is_handled, is_rule_waiting_for(name) as is_told
      from (select distinct name from changed) as names
  ), handled as (
    insert into event_queue (name, properties)
    select changed.name, changed.about from changed join demand on demand.name = changed.name and demand.is_handled
    on conflict (name, md5(properties::text)) do update set created_at = now(), last_attempt = null, attempts = 0
  )
  insert into notification_events (name, about)
  select changed.name, changed.about from changed join demand on demand.name = changed.name and demand.is_told
  on conflict (name, md5(about::text)) do update set created_at = now();
  return null;
end $$;
create trigger queue_check_events after update on checks
  referencing old table as before new table as after
  for each statement execute function queue_check_events();
