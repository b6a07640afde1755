-- The rest of a team's spec that signs in somewhere (schema §7.1, §8.2): addresses that are notified carry their
-- tokens within, and any other field may be named like a secret. All of it leaves the spec the moment it is
-- written, as migration 0014 has it for clients of outside systems; and a kept secret belongs to the host that the
-- address really leads to, however it is spelled.

create or replace function is_secret_name(name text) returns boolean language sql immutable as $$
  select name ~* '(passw|passphrase|passcode|\mpass\M|pwd|secret|token|bearer|cookie|\mpat\M|credential|authorization|certificate|private|webhook|(api|access|signing|service|integration|routing)[-_]?key)'
$$;

-- A text without what signs in within addresses: the part before the host, parameters named like secrets (unless a
-- template fills them in), and the whole path at services that know callers by it.
create or replace function without_sign_in(url text) returns text language sql immutable as $$
  select case when url ~ '://.*\\.*@' then '***'
  else regexp_replace(regexp_replace(regexp_replace(url,
    '://[^/?#\s]*@', '://***@', 'g'),
    '([?&;#][^=&;#?\s]*(?:passw|pwd|secret|token|credential|key|sig|sas|auth|code)[^=&;#?]*=)[^&;#{$\s][^&;#\s]*', '\1***', 'gi'),
    '^(\s*https?://(?:\*\*\*@)?(?:hooks\.slack\.com|(?:[^/?#@]*\.)?discord(?:app)?\.com|(?:[^/?#@]*\.)?office(?:365)?\.com|api\.telegram\.org|hooks\.zapier\.com|maker\.ifttt\.com)(?::\d+)?/).+$', '\1***', 'i') end
$$;

-- One text as everybody may see it. What lies anywhere below a secret name is secret; the first part of a place is
-- no name.
create function shown_secret(place text, content text) returns text language sql immutable as $$
  select case
    when not is_secret_name(regexp_replace(place, '^[^/]*', '')) then without_sign_in(content)
    when content = '' or content ~ '^(secret|configmap|connection)://' then content
    else '***' end
$$;

create function shown_secrets(place text, content jsonb) returns jsonb language plpgsql immutable as $$
begin
  return case jsonb_typeof(content)
    when 'object' then (select coalesce(jsonb_object_agg(key, shown_secrets(place || '/' || key, value)), '{}')
      from jsonb_each(content))
    when 'array' then (select coalesce(jsonb_agg(shown_secrets(place, value) order by number), '[]')
      from jsonb_array_elements(content) with ordinality as parts (value, number))
    when 'string' then to_jsonb(shown_secret(place, content #>> '{}'))
    when 'number' then case when shown_secret(place, content #>> '{}') = '***' then to_jsonb('***'::text) else content end
    else content
  end;
end $$;

create or replace function hide_secret(team uuid, place text, content text, at_host text, this_round uuid) returns text
language plpgsql as $$
declare
  shown constant text := shown_secret(place, content);
begin
  if position('***' in shown) = 0 then return content; end if;
  if shown = content then
    update team_secrets set round = this_round where team_id = team and path = place and host = at_host
      and shown_secret(place, value) = content;
  else
    insert into team_secrets (team_id, path, value, host, round) values (team, place, content, at_host, this_round)
      on conflict (team_id, path) do update set value = excluded.value, host = excluded.host, round = excluded.round;
  end if;
  return shown;
end $$;

-- The host of a plain address. Any other is a place of its own: whoever changes a letter of it enters the secrets
-- again. Nothing that programs read in two ways counts as plain.
create function address_host(address text) returns text language sql immutable as $$
  select case when shown = '' then ''
    else coalesce(
      lower((regexp_match(shown, '^https?://(?:[^/?#\\\s]*@)?([a-z0-9.-]+(?::[0-9]+)?)(?:[/?#][^\\]*)?$', 'i'))[1]),
      'address ' || md5(shown)) end
  from without_sign_in(address) as shown
$$;

-- Of an entry, by its name (its look, where it has none), so that entries may change their places.
create function hide_notification(team uuid, place text, entry jsonb, this_round uuid) returns jsonb
language plpgsql as $$
declare
  at_url constant text := place || '/secret-url';
  url text;
  at_host text;
begin
  if jsonb_typeof(entry) = 'string' then
    return to_jsonb(hide_secret(team, at_url, entry #>> '{}', '', this_round));
  elsif jsonb_typeof(entry) <> 'object' then
    return entry;
  end if;
  url := entry ->> 'url';
  -- What else signs in goes where the entry leads, and nowhere else.
  at_host := md5(coalesce(case when url = '***' then (select value from team_secrets where team_id = team and path = at_url)
    else url end, '') || ' ' || coalesce(entry ->> 'connection', ''));
  return hide_secrets(team, place, entry - 'url', at_host, this_round)
    || case when entry ? 'url' and url is not null
      then jsonb_build_object('url', hide_secret(team, at_url, url, '', this_round))
      when entry ? 'url' then jsonb_build_object('url', null) else '{}' end;
end $$;

create function hide_notifications(team uuid, list jsonb, this_round uuid) returns jsonb language sql as $$
  select coalesce(jsonb_agg(
      hide_notification(team, '~notifications:' || name || '#' || nth, value, this_round) order by number), '[]')
  from (
    select value, number, name, row_number() over (partition by name order by number) as nth
    from (
      select value, number, translate(coalesce(
        case jsonb_typeof(value) when 'object' then nullif(value ->> 'name', '') when 'string' then 'text' end,
        md5(shown_secrets('~', case when value ? 'url' then jsonb_set(value, '{url}', '"***"') else value end)::text)), '/', '|') as name
      from jsonb_array_elements(list) with ordinality as entries (value, number)
    ) as named
  ) as counted
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

update teams set spec = spec where spec is not null;
set constraints all immediate;
