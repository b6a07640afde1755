-- Literal credentials leave the specifications of canaries, scrapers and notification rules, and the columns of
-- connections, the moment they are written, as migrations 0014 and 0018 have it for teams: whoever reads the row,
-- its checks, the change log or a device's copy sees `***`. Sent back, `***` keeps the value. A kept value belongs
-- to the entry as it calls: whoever may not write connections and changes anything but names, figures and scripts
-- over the answer enters it again, or it could be sent elsewhere.

create function is_spec_secret(name text) returns boolean language sql immutable as $$
  select (is_secret_name(name) or name ~* 'kubeconfig$') and name !~* '(ur[li]|refs?|names?|expiry|types?|checks?)$'
$$;

create function shown_spec_text(content text, is_secret boolean) returns text language sql immutable as $$
  select case
    when is_secret then case when content = '' or content ~ '^(secret|configmap|connection|helm|serviceaccount)://'
      or content ~ '^\$\([\w.-]+\)$' then content else '***' end
    -- Placeholders tell nothing; in a longer text only what has user and password is an address that signs in.
    when content ~ '\s' then regexp_replace(content, '://(?!\$\()[^/?#\s@:]*:(?!\$\()[^/?#\s@]+@', '://***@', 'g')
    when content ~ '://(\$\([\w.-]+\)|[\w.-]*):\$\([\w.-]+\)@' then content
    else without_sign_in(content)
  end
$$;

create function shown_spec(content jsonb, is_secret boolean) returns jsonb language plpgsql immutable as $$
begin
  return case jsonb_typeof(content)
    when 'object' then (select coalesce(jsonb_object_agg(key, case
        when key = any(array['valueFrom', 'labels', 'annotations', 'tags', 'test', 'display', 'transform', 'metrics', 'relationships']) and (key = 'valueFrom' or not is_secret) then value
        when key = 'name' then value
        when key = 'value' then shown_spec(value, is_secret or coalesce(is_spec_secret(content ->> 'name'), false))
        else shown_spec(value, is_secret or is_spec_secret(key)) end), '{}')
      from jsonb_each(content))
    when 'array' then (select coalesce(jsonb_agg(shown_spec(value, is_secret) order by number), '[]')
      from jsonb_array_elements(content) with ordinality as parts (value, number))
    when 'string' then to_jsonb(shown_spec_text(content #>> '{}', is_secret))
    when 'number' then case when is_secret then '"***"'::jsonb else content end
    else content
  end;
end $$;

-- Where stars stand in a shown value.
create function starred(content jsonb) returns table (place text[], stars text) language sql immutable as $$
  with recursive walk (place, value) as (
    select '{}'::text[], content
    union all
    select walk.place || part.key, part.value from walk cross join lateral (
      select key, value from jsonb_each(case when jsonb_typeof(walk.value) = 'object' then walk.value else '{}' end)
      union all
      select (number - 1)::text, value from jsonb_array_elements(
        case when jsonb_typeof(walk.value) = 'array' then walk.value else '[]' end) with ordinality as list (value, number)
    ) as part
  )
  select place, value #>> '{}' from walk where jsonb_typeof(value) = 'string' and position('***' in value #>> '{}') > 0
$$;

-- What a kept value of an entry belongs to.
create function entry_binding(shown jsonb) returns text language sql immutable as $$
  select md5((case when jsonb_typeof(shown) = 'object' then shown - array['name', 'description', 'icon', 'labels', 'tags', 'severity', 'owner', 'test', 'display', 'transform',
  'thresholdMillis', 'timeout', 'responseCodes', 'responseContent', 'responseJSONContent', 'maxSSLExpiry', 'metrics',
  'relationships', 'dependsOn', 'id', 'type', 'class', 'status', 'health', 'items', 'format', 'createFields',
  'deleteFields', 'timestampFormat', 'properties', 'aliases', 'locations', 'filter'] else shown end)::text)
$$;

-- The entries of a specification: each kind's by their names, so that they may change their places.
create function spec_entries(spec jsonb) returns table (key text, number bigint, entry jsonb, place text)
language sql immutable as $$
  select key, number, entry,
    key || ':' || name || '#' || row_number() over (partition by key, name order by number)
  from (
    select key, number, entry, coalesce(case when jsonb_typeof(entry) = 'object' then entry ->> 'name' end, '') as name
    from jsonb_each(spec) as kinds (key, list) cross join lateral jsonb_array_elements(
      case when jsonb_typeof(list) = 'array' then list else jsonb_build_array(list) end) with ordinality as each_one (entry, number)
  ) as named
$$;

create function joined_spec(spec jsonb, entries jsonb) returns jsonb language sql immutable as $$
  select coalesce(jsonb_object_agg(key,
    case when jsonb_typeof(value) = 'array' then coalesce(entries -> key, '[]') else entries -> key -> 0 end), '{}')
  from jsonb_each(spec)
$$;

create table spec_secrets (
  row_id uuid not null,
  path text not null,
  value text not null,
  -- As everybody sees it, and what of the entry it belongs to.
  masked text not null,
  binding text not null,
  -- Of the write that has seen it last: what a write doesn't see is gone from the specification.
  round uuid not null,
  primary key (row_id, path)
);
comment on table spec_secrets is 'internal: what signs in, out of specifications and connections';

create function keep_entry(owner uuid, at_place text, content jsonb, is_secret boolean, this_round uuid) returns jsonb
language plpgsql as $$
declare
  result constant jsonb := shown_spec(content, is_secret);
  bound constant text := entry_binding(result);
  may_grant constant boolean := coalesce(current_setting('holdfast.may_grant', true) = 'yes', false);
begin
  insert into spec_secrets (row_id, path, value, masked, binding, round)
    select owner, at_place || '/' || array_to_string(place, '/'), content #>> place, stars, bound, this_round
    from starred(result) where content #>> place <> stars
  on conflict (row_id, path) do update set value = excluded.value, masked = excluded.masked,
    binding = excluded.binding, round = excluded.round;
  update spec_secrets set round = this_round, binding = bound from starred(result)
    where row_id = owner and path = at_place || '/' || array_to_string(place, '/') and content #>> place = stars
      and masked = stars and (binding = bound or may_grant);
  return result;
end $$;

create function keep_spec(owner uuid, spec jsonb) returns jsonb language plpgsql as $$
declare
  this_round constant uuid := gen_random_uuid();
  result jsonb := spec;
begin
  if jsonb_typeof(spec) = 'object' then
    result := joined_spec(spec, (select coalesce(jsonb_object_agg(key, list), '{}') from (
      select key, jsonb_agg(keep_entry(owner, place, entry, is_spec_secret(key), this_round) order by number) as list
      from spec_entries(spec) group by key) as kept));
  end if;
  delete from spec_secrets where row_id = owner and round <> this_round;
  return result;
end $$;

-- One entry with what was kept of it; stars stay where nothing was.
create function opened_entry(owner uuid, at_place text, entry jsonb) returns jsonb language plpgsql stable as $$
declare
  result jsonb := entry;
  kept record;
begin
  for kept in select place, value from starred(entry) join spec_secrets
      on row_id = owner and path = at_place || '/' || array_to_string(place, '/') and masked = stars
        and binding = entry_binding(entry) loop
    result := case when kept.place = '{}' then to_jsonb(kept.value)
      else jsonb_set(result, kept.place, to_jsonb(kept.value)) end;
  end loop;
  return result;
end $$;

create function opened_spec(owner uuid, spec jsonb) returns jsonb language sql stable as $$
  select case when jsonb_typeof(spec) <> 'object' or not exists (select 1 from spec_secrets where row_id = owner)
    then spec
    else joined_spec(spec, (select coalesce(jsonb_object_agg(key, list), '{}') from (
      select key, jsonb_agg(opened_entry(owner, place, entry) order by number) as list
      from spec_entries(spec) group by key) as opened)) end
$$;

create function keep_spec_secrets() returns trigger language plpgsql as $$
begin
  new.spec := keep_spec(new.id, new.spec);
  return new;
end $$;
-- Named to run before touch_updated_at, so that nothing but stars is no change.
create trigger keep_spec_secrets before insert or update of spec on canaries
  for each row execute function keep_spec_secrets();
create trigger keep_spec_secrets before insert or update of spec on config_scrapers
  for each row execute function keep_spec_secrets();

-- Checks are written from their canary, which is what runs.
create function show_check_spec() returns trigger language plpgsql as $$
begin
  new.spec := shown_spec(new.spec, false);
  return new;
end $$;
create trigger keep_spec_secrets before insert or update of spec on checks
  for each row execute function show_check_spec();

create function keep_notification_secrets() returns trigger language plpgsql as $$
begin
  new.custom_services := keep_spec(new.id, jsonb_build_object('services', new.custom_services)) -> 'services';
  return new;
end $$;
create trigger keep_spec_secrets before insert or update of custom_services on notifications
  for each row when (jsonb_typeof(new.custom_services) = 'array') execute function keep_notification_secrets();

create function keep_connection_secrets() returns trigger language plpgsql as $$
declare
  kept constant jsonb := keep_spec(new.id, jsonb_build_object('url', new.url, 'password', new.password,
    'certificate', new.certificate, 'properties', new.properties));
begin
  if position('***' in new.url) > 0 and not exists
      (select 1 from spec_secrets where row_id = new.id and path like 'url:%' and masked = kept ->> 'url') then
    raise exception 'url: enter again what signs in' using errcode = 'check_violation';
  end if;
  new.url := kept ->> 'url';
  new.password := kept ->> 'password';
  new.certificate := kept ->> 'certificate';
  new.properties := nullif(kept -> 'properties', 'null'::jsonb);
  return new;
end $$;
create trigger keep_connection_secrets before insert or update of url, password, certificate, properties on connections
  for each row execute function keep_connection_secrets();

create function forget_spec_secrets() returns trigger language plpgsql as $$
begin
  delete from spec_secrets where row_id = old.id;
  return null;
end $$;
create trigger forget_spec_secrets after delete on canaries
  for each row execute function forget_spec_secrets();
create trigger forget_spec_secrets after delete on config_scrapers
  for each row execute function forget_spec_secrets();
create trigger forget_spec_secrets after delete on notifications
  for each row execute function forget_spec_secrets();
create trigger forget_spec_secrets after delete on connections
  for each row execute function forget_spec_secrets();

update canaries set spec = spec where shown_spec(spec, false) <> spec;
update config_scrapers set spec = spec where shown_spec(spec, false) <> spec;
update checks set spec = spec where shown_spec(spec, false) <> spec;
update notifications set custom_services = custom_services where shown_spec(custom_services, false) <> custom_services;
update connections set url = url, password = password, certificate = certificate, properties = properties
  where shown_spec(jsonb_build_object('url', url, 'password', password, 'certificate', certificate, 'properties', properties), false)
    <> jsonb_build_object('url', url, 'password', password, 'certificate', certificate, 'properties', properties);

set constraints all immediate;
