-- A change that would part a kept secret (migration 0021) from its entry is refused with the field, for whoever may not send
-- secrets anywhere; until now the secret was dropped and its stars stayed. What takes the field away, or fills it in, is free to.
drop function refuse_stars(uuid, jsonb, jsonb, text);

-- What a person wrote as stars where nothing is kept: in entries that were not there before, or where something was. `had` are
-- the paths of what was kept.
create function refuse_stars(owner uuid, shown jsonb, before jsonb, at text, had text[]) returns void language plpgsql as $$
declare
  found record;
begin
  if coalesce(current_setting('holdfast.actor', true), '') = '' then return; end if;
  select at || key || case when jsonb_typeof(shown -> key) = 'array' then '[' || number - 1 || ']' else '' end
      || coalesce((select string_agg(case when part ~ '^\d+$' then '[' || part || ']' else '.' || part end, '' order by nr)
        from unnest(star.place) with ordinality as parts (part, nr)), '') as field,
      entries.place || '/' || array_to_string(star.place, '/') = any(coalesce(had, '{}')) as was_kept into found
    from spec_entries(shown) as entries cross join lateral starred(entry) as star
   where (stars ~ '://\*\*\*@|[?&;#][^=]*=\*\*\*' or (stars = '***' and not star.place
        && array['name', 'description', 'labels', 'annotations', 'tags', 'test', 'display', 'transform']))
     and not exists (select from spec_secrets where row_id = owner
       and path = entries.place || '/' || array_to_string(star.place, '/'))
     and (entries.place || '/' || array_to_string(star.place, '/') = any(coalesce(had, '{}'))
       or entries.place not in (select known.place from spec_entries(
         case when jsonb_typeof(before) = 'object' then before else '{}' end) as known))
   order by key, number, star.place limit 1;
  if found.field is null then return; end if;
  if found.was_kept then
    raise exception '%: what is kept here was entered for where this called before: enter it again, or leave it empty',
      found.field using errcode = 'check_violation';
  end if;
  raise exception '%: the stars stand for a secret, and none is kept here: enter it', found.field
    using errcode = 'check_violation';
end $$;

create or replace function keep_spec_secrets() returns trigger language plpgsql as $$
declare
  had constant text[] := (select array_agg(path) from spec_secrets where row_id = new.id);
  before jsonb;
begin
  if tg_op = 'UPDATE' then
    before := old.spec;
  elsif had is not null then
    execute format('select spec from %I where id = $1', tg_table_name) into before using new.id;
  end if;
  new.spec := keep_spec(new.id, new.spec, before);
  perform refuse_stars(new.id, new.spec, before, 'spec.', had);
  return new;
end $$;

create or replace function keep_notification_secrets() returns trigger language plpgsql as $$
declare
  had constant text[] := (select array_agg(path) from spec_secrets where row_id = new.id);
  before jsonb;
begin
  if tg_op = 'UPDATE' then before := jsonb_build_object('services', old.custom_services); end if;
  new.custom_services := keep_spec(new.id, jsonb_build_object('services', new.custom_services), before) -> 'services';
  perform refuse_stars(new.id, jsonb_build_object('services', new.custom_services), before, 'custom_', had);
  return new;
end $$;

create or replace function keep_connection_secrets() returns trigger language plpgsql as $$
declare
  is_secret constant boolean := coalesce(has_secret_user(new.type), false);
  kept jsonb;
begin
  -- Sent back as it is shown.
  if tg_op = 'UPDATE' and new.username = '***' then new.username := old.username; end if;
  kept := keep_spec(new.id, jsonb_build_object('url', new.url, 'password', new.password,
    'certificate', new.certificate, 'properties', new.properties,
    'user_secret', case when is_secret then new.username end));
  if position('***' in new.url) > 0 and not exists
      (select 1 from spec_secrets where row_id = new.id and path like 'url:%' and masked = kept ->> 'url') then
    raise exception 'url: enter again what signs in' using errcode = 'check_violation';
  end if;
  if not is_secret and new.username = '***' then
    raise exception 'username: enter it again' using errcode = 'check_violation';
  end if;
  if tg_op = 'INSERT' then perform refuse_stars(new.id, kept, null, '', null); end if;
  new.url := kept ->> 'url';
  new.password := kept ->> 'password';
  new.certificate := kept ->> 'certificate';
  new.properties := nullif(kept -> 'properties', 'null'::jsonb);
  if is_secret then new.username := kept ->> 'user_secret'; end if;
  return new;
end $$;

-- Entries of a team's `notifications` keep their secrets under another name, as those of specifications do (migration 0112).
-- The path that a value was sealed for, where its entry has another place since.
alter table team_secrets add column sealed_at text;

create or replace function hide_secret(team uuid, place text, content text, at_host text, this_round uuid) returns text
language plpgsql as $$
declare
  shown constant text := shown_secret(place, content);
begin
  if position('***' in shown) = 0 then return content; end if;
  if shown = content then
    update team_secrets set round = this_round where team_id = team and path = place and host = at_host
      and coalesce(masked, shown_secret(place, value)) = content;
  else
    insert into team_secrets as kept (team_id, path, value, masked, host, round)
      values (team, place, content, shown, at_host, this_round)
      on conflict (team_id, path) do update set value = excluded.value, masked = excluded.masked,
        host = excluded.host, round = excluded.round, is_sealed = false, sealed_at = null,
        entered = case when kept.value = excluded.value then kept.entered else excluded.entered end;
  end if;
  return shown;
end $$;

-- The entries with their places, as hide_notifications names them, and what they are besides their name and words.
create function notified_entries(list jsonb) returns table (place text, look text) language sql immutable as $$
  select '~notifications:' || name || '#' || row_number() over (partition by name order by number), look
  from (
    select number, translate(coalesce(
        case jsonb_typeof(value) when 'object' then nullif(value ->> 'name', '') when 'string' then 'text' end,
        md5(whole::text)), '/', '|') as name,
      md5((case when jsonb_typeof(whole) = 'object' then whole - array['name', 'filter', 'title', 'template', 'body', 'subject']
        else whole end)::text) as look
    from jsonb_array_elements(case when jsonb_typeof(list) = 'array' then list else '[]' end)
        with ordinality as entries (value, number)
      cross join lateral shown_secrets('~', case when value ? 'url' then jsonb_set(value, '{url}', '"***"') else value end)
        as whole
  ) as named
$$;

-- One that has no place of before goes on as the only one that looked alike and has no place any more. Where it calls is still
-- asked for each of its secrets (notified_place).
create function move_team_secrets(team uuid, before jsonb, after jsonb) returns void language sql as $$
  with old as (select place, look from notified_entries(before)), new as (select place, look from notified_entries(after)),
  left_old as (
    select place, look, count(*) over (partition by look) as times from old where place not in (select place from new)
  ), left_new as (
    select place, look, count(*) over (partition by look) as times from new where place not in (select place from old)
  )
  update team_secrets set path = left_new.place || substr(path, length(left_old.place) + 1),
      sealed_at = case when is_sealed then coalesce(sealed_at, path) end
    from left_old join left_new using (look)
   where left_old.times = 1 and left_new.times = 1 and team_id = team and starts_with(path, left_old.place || '/')
$$;

create or replace function keep_team_secrets() returns trigger language plpgsql as $$
declare
  this_round constant uuid := gen_random_uuid();
  clients constant jsonb := case when jsonb_typeof(new.spec -> 'responder_clients') = 'object'
    then new.spec -> 'responder_clients' end;
  notified constant jsonb := case when jsonb_typeof(new.spec -> 'notifications') = 'array' then new.spec -> 'notifications' end;
  rest jsonb := new.spec;
begin
  if clients is not null then rest := rest - 'responder_clients'; end if;
  if notified is not null then rest := rest - 'notifications'; end if;
  if tg_op = 'UPDATE' and notified is not null then
    perform move_team_secrets(new.id, old.spec -> 'notifications', notified);
  end if;
  new.spec := hide_secrets(new.id, '~', rest, '', this_round);
  if clients is not null then
    new.spec := new.spec || jsonb_build_object('responder_clients', (
      select coalesce(jsonb_object_agg(key,
          hide_secrets(new.id, key, value, address_host(coalesce(value ->> 'url', '')), this_round)), '{}')
      from jsonb_each(clients)));
  end if;
  if notified is not null then
    new.spec := new.spec || jsonb_build_object('notifications', hide_notifications(new.id, notified, this_round));
  end if;
  delete from team_secrets where team_id = new.id and round <> this_round;
  return new;
end $$;
