-- What each change of health asks and notes, as functions whose statements are planned once a session: functions in SQL
-- that can't be inlined are planned anew with each row, which was most of what 10,000 checks cost that fail at once.

create or replace function is_event_wanted(event text) returns boolean language plpgsql stable as $$
begin
  return exists (select from event_subscriptions where name = event)
    or exists (select from event_demands where name = event)
    or not exists (select from event_subscriptions);
end $$;

create or replace function is_rule_waiting_for(event text) returns boolean language plpgsql stable as $$
begin
  return exists (select from notifications where deleted_at is null and error is null and event = any(events));
end $$;

create or replace function queue_handled_event(event text, about jsonb) returns void language plpgsql as $$
#variable_conflict use_column
begin
  if not is_event_wanted(event) then return; end if;
  insert into event_queue (name, properties) values (event, about)
    on conflict (name, md5(properties::text)) do update set created_at = now(), last_attempt = null, attempts = 0;
end $$;

create or replace function note_for_rules(event text, about jsonb) returns void language plpgsql as $$
#variable_conflict use_column
begin
  if not is_rule_waiting_for(event) then return; end if;
  insert into notification_events (name, about) values (event, about)
    on conflict (name, md5(about::text)) do update set created_at = now();
end $$;

create or replace function queue_event(event text, about jsonb) returns void language plpgsql as $$
begin
  perform queue_handled_event(event, about);
  perform note_for_rules(event, about);
end $$;
