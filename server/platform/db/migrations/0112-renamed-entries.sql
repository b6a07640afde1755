-- A kept secret (migration 0021) stays with its entry when that one is given another name or place: it was found by its name,
-- and lost by a renaming. It goes to an entry of the same kind only, and, unless whoever writes may write connections, to
-- one that calls exactly as the old one. And what decides where a secret goes is read more strictly than it was:
-- whatever has a secret in it belongs to it, so does all that stands beside a template, and variables belong to the whole
-- specification that they are used in. Stars in what is new stand for nothing: whoever writes them there is told.

-- The path that a value was sealed for, where its entry has another place since.
alter table spec_secrets add column sealed_at text;

create or replace function sealed_values(owner uuid) returns jsonb language sql stable as $$
  select coalesce(jsonb_object_agg(value, coalesce(sealed_at, path)), '{}') from spec_secrets
   where row_id = owner and is_sealed
$$;

create function bound_part(shown jsonb) returns jsonb language sql immutable as $$
  select case when jsonb_typeof(shown) <> 'object' then shown else coalesce((
    select jsonb_object_agg(key, value) from jsonb_each(shown)
     where key <> all(array['name', 'description', 'icon', 'labels', 'tags', 'test', 'display', 'transform', 'metrics',
         'relationships'])
       and (position('***' in value::text) > 0 or key <> all(array['severity', 'owner', 'thresholdMillis', 'timeout',
         'responseCodes', 'responseContent', 'responseJSONContent', 'maxSSLExpiry', 'dependsOn', 'id', 'type', 'class',
         'status', 'health', 'items', 'format', 'createFields', 'deleteFields', 'timestampFormat', 'properties', 'aliases',
         'locations', 'filter']))), '{}') end
$$;

-- A template may be filled in from any field beside it. A body goes where its call goes, and scripts judge what came back.
create function has_template(part jsonb) returns boolean language sql immutable as $$
  select position('{{' in (case jsonb_typeof(part) when 'object' then part - array['body', 'test', 'display', 'transform']
    else part end)::text) > 0
$$;

-- What a kept value of an entry belongs to; `spec` as everybody sees it.
create function place_binding(kind text, shown jsonb, spec jsonb) returns text language sql immutable as $$
  select md5(case
    when kind = 'env' then shown::text || (spec - array['title', 'description', 'icon', 'category'])::text
    when has_template(part) then shown::text
    else part::text end)
  from bound_part(shown) as part
$$;

do $$
declare
  kept record;
begin
  for kept in select * from (values ('canaries', 'spec'), ('config_scrapers', 'spec'), ('playbooks', 'spec'),
      ('topologies', 'spec'), ('logging_backends', 'spec'), ('integrations', 'spec'), ('incident_rules', 'spec'),
      ('notifications', 'jsonb_build_object(''services'', custom_services)'),
      ('connections', 'jsonb_build_object(''url'', url, ''password'', password, ''certificate'', certificate,
        ''properties'', properties, ''user_secret'', case when has_secret_user(type) then username end)'))
      as held (table_name, content) loop
    execute format($rebind$
      update spec_secrets as kept set binding = place_binding(entries.key, entries.entry, held.content)
        from (select id, %s as content from %I) as held cross join lateral spec_entries(
          case when jsonb_typeof(held.content) = 'object' then held.content else '{}' end) as entries
       where kept.row_id = held.id and starts_with(kept.path, entries.place || '/')
         and kept.binding = entry_binding(entries.entry)$rebind$, kept.content, kept.table_name);
  end loop;
end $$;

-- Which entry of a changed specification is which one of those before: the one of its name, else the only one that calls
-- alike. For whoever may send a secret anywhere, else the one of its name or in its place, wherever that one calls.
create function same_entries(before jsonb, after jsonb, may_grant boolean)
returns table (old_place text, new_place text) language sql immutable as $$
  with old as (
    select key, number, place, place_binding(key, entry, before) as bound
      from spec_entries(case when jsonb_typeof(before) = 'object' then before else '{}' end)
  ), new as (
    select key, number, place, place_binding(key, entry, after) as bound
      from spec_entries(case when jsonb_typeof(after) = 'object' then after else '{}' end)
  ), same as (
    select place from old join new using (key, place, bound)
  ), left_old as (
    select *, count(*) over (partition by key, bound) as times from old where place not in (select place from same)
  ), left_new as (
    select *, count(*) over (partition by key, bound) as times from new where place not in (select place from same)
  ), renamed as (
    select left_old.place as old_place, left_new.place as new_place from left_old join left_new using (key, bound)
     where left_old.times = 1 and left_new.times = 1
  ), changed_old as (
    select * from left_old where may_grant and place not in (select renamed.old_place from renamed)
  ), changed_new as (
    select * from left_new where may_grant and place not in (select renamed.new_place from renamed)
  ), changed as (
    select place from changed_old join changed_new using (key, place)
  )
  select place, place from same
  union all select renamed.old_place, renamed.new_place from renamed
  union all select place, place from changed
  union all select changed_old.place, changed_new.place from changed_old join changed_new using (key, number)
   where changed_old.place not in (select place from changed) and changed_new.place not in (select place from changed)
$$;

create function move_secrets(owner uuid, before jsonb, after jsonb, may_grant boolean) returns void language plpgsql as $$
declare
  pairs constant jsonb := (select jsonb_agg(jsonb_build_object('old', old_place, 'new', new_place))
    from same_entries(before, after, may_grant) where old_place <> new_place);
  moved jsonb;
begin
  if pairs is null then return; end if;
  select jsonb_agg(to_jsonb(kept) || jsonb_build_object(
      'path', (pair ->> 'new') || substr(path, length(pair ->> 'old') + 1),
      'sealed_at', case when is_sealed then coalesce(sealed_at, path) end)) into moved
    from spec_secrets as kept join jsonb_array_elements(pairs) as pair on starts_with(path, (pair ->> 'old') || '/')
   where row_id = owner;
  if moved is null then return; end if;
  delete from spec_secrets using jsonb_array_elements(pairs) as pair
   where row_id = owner and (starts_with(path, (pair ->> 'old') || '/') or starts_with(path, (pair ->> 'new') || '/'));
  insert into spec_secrets select * from jsonb_populate_recordset(null::spec_secrets, moved) on conflict do nothing;
end $$;

drop function keep_spec(uuid, jsonb);
drop function keep_entry(uuid, text, jsonb, boolean, uuid);
drop function opened_spec(uuid, jsonb);
drop function opened_entry(uuid, text, jsonb);
drop function entry_binding(jsonb);

create function keep_entry(owner uuid, at_place text, content jsonb, shown jsonb, bound text, this_round uuid) returns void
language plpgsql as $$
declare
  may_grant constant boolean := coalesce(current_setting('holdfast.may_grant', true) = 'yes', false);
begin
  insert into spec_secrets (row_id, path, value, masked, binding, round)
    select owner, at_place || '/' || array_to_string(place, '/'), content #>> place, stars, bound, this_round
    from starred(shown) where content #>> place <> stars
  on conflict (row_id, path) do update set value = excluded.value, masked = excluded.masked,
    binding = excluded.binding, round = excluded.round, is_sealed = false, sealed_at = null;
  update spec_secrets set round = this_round, binding = bound from starred(shown)
    where row_id = owner and path = at_place || '/' || array_to_string(place, '/') and content #>> place = stars
      and masked = stars and (binding = bound or may_grant);
end $$;

-- What a person wrote as stars where nothing is kept, in entries that were not there before.
create function refuse_stars(owner uuid, shown jsonb, before jsonb, at text) returns void language plpgsql as $$
declare
  field text;
begin
  if coalesce(current_setting('holdfast.actor', true), '') = '' then return; end if;
  select at || key || case when jsonb_typeof(shown -> key) = 'array' then '[' || number - 1 || ']' else '' end
      || coalesce((select string_agg(case when part ~ '^\d+$' then '[' || part || ']' else '.' || part end, '' order by nr)
        from unnest(star.place) with ordinality as parts (part, nr)), '') into field
    from spec_entries(shown) as entries cross join lateral starred(entry) as star
   where (stars ~ '://\*\*\*@|[?&;#][^=]*=\*\*\*' or (stars = '***' and not star.place
        && array['name', 'description', 'labels', 'annotations', 'tags', 'test', 'display', 'transform']))
     and not exists (select from spec_secrets where row_id = owner
       and path = entries.place || '/' || array_to_string(star.place, '/'))
     and entries.place not in (select known.place from spec_entries(
       case when jsonb_typeof(before) = 'object' then before else '{}' end) as known)
   order by key, number, star.place limit 1;
  if field is not null then
    raise exception '%: the stars stand for a secret, and none is kept here: enter it', field
      using errcode = 'check_violation';
  end if;
end $$;

create function keep_spec(owner uuid, spec jsonb, before jsonb default null) returns jsonb language plpgsql as $$
declare
  this_round constant uuid := gen_random_uuid();
  may_grant constant boolean := coalesce(current_setting('holdfast.may_grant', true) = 'yes', false);
  result jsonb := spec;
begin
  if jsonb_typeof(spec) = 'object' then
    result := joined_spec(spec, (select coalesce(jsonb_object_agg(key, list), '{}') from (
      select key, jsonb_agg(shown_spec(entry, is_spec_secret(key)) order by number) as list
      from spec_entries(spec) group by key) as shown));
    if before is not null then perform move_secrets(owner, before, result, may_grant); end if;
    perform keep_entry(owner, given.place, given.entry, shown.entry, place_binding(key, shown.entry, result), this_round)
      from spec_entries(spec) as given join spec_entries(result) as shown using (key, number);
  end if;
  delete from spec_secrets where row_id = owner and round <> this_round;
  return result;
end $$;

-- One entry with what was kept of it; stars stay where nothing was.
create function opened_entry(owner uuid, at_place text, entry jsonb, bound text) returns jsonb language plpgsql stable as $$
declare
  result jsonb := entry;
  kept record;
begin
  for kept in select place, value from starred(entry) join spec_secrets
      on row_id = owner and path = at_place || '/' || array_to_string(place, '/') and masked = stars
        and binding = bound loop
    result := case when kept.place = '{}' then to_jsonb(kept.value)
      else jsonb_set(result, kept.place, to_jsonb(kept.value)) end;
  end loop;
  return result;
end $$;

-- A specification that is to take the place of another one, as it would be once it is saved by anybody. In a try what
-- templates are filled in from may be anything.
create function opened_change(owner uuid, before jsonb, spec jsonb) returns jsonb language sql stable as $$
  select case when jsonb_typeof(spec) <> 'object' or not exists (select 1 from spec_secrets where row_id = owner)
    then spec
    else joined_spec(spec, (select coalesce(jsonb_object_agg(key, list), '{}') from (
      select key, jsonb_agg(case when old_place is null or has_template(bound_part(entry)) then entry
        else opened_entry(owner, old_place, entry, place_binding(key, entry, spec)) end order by number) as list
      from spec_entries(spec) left join same_entries(before, spec, false) on new_place = place group by key) as opened)) end
$$;

create function opened_spec(owner uuid, spec jsonb) returns jsonb language sql stable as $$
  select case when jsonb_typeof(spec) <> 'object' or not exists (select 1 from spec_secrets where row_id = owner)
    then spec
    else joined_spec(spec, (select coalesce(jsonb_object_agg(key, list), '{}') from (
      select key, jsonb_agg(opened_entry(owner, place, entry, place_binding(key, entry, spec)) order by number) as list
      from spec_entries(spec) group by key) as opened)) end
$$;

-- A row that is written over by its id comes as a new one first.
create or replace function keep_spec_secrets() returns trigger language plpgsql as $$
declare
  before jsonb;
begin
  if tg_op = 'UPDATE' then
    before := old.spec;
  elsif exists (select 1 from spec_secrets where row_id = new.id) then
    execute format('select spec from %I where id = $1', tg_table_name) into before using new.id;
  end if;
  new.spec := keep_spec(new.id, new.spec, before);
  perform refuse_stars(new.id, new.spec, before, 'spec.');
  return new;
end $$;

create or replace function keep_notification_secrets() returns trigger language plpgsql as $$
declare
  before jsonb;
begin
  if tg_op = 'UPDATE' then before := jsonb_build_object('services', old.custom_services); end if;
  new.custom_services := keep_spec(new.id, jsonb_build_object('services', new.custom_services), before) -> 'services';
  perform refuse_stars(new.id, jsonb_build_object('services', new.custom_services), before, 'custom_');
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
  if tg_op = 'INSERT' then perform refuse_stars(new.id, kept, null, ''); end if;
  new.url := kept ->> 'url';
  new.password := kept ->> 'password';
  new.certificate := kept ->> 'certificate';
  new.properties := nullif(kept -> 'properties', 'null'::jsonb);
  if is_secret then new.username := kept ->> 'user_secret'; end if;
  return new;
end $$;
