-- Kept literals (migrations 0014, 0018, 0021) are sealed by the server soon after they are written, with a key that
-- is not in the database (docs/security.md). So nothing here may look into a kept value any more: what everybody
-- sees of it, and when it was entered, stand beside it.
alter table spec_secrets add column is_sealed boolean not null default false;
create index spec_secrets_unsealed_idx on spec_secrets (is_sealed) where not is_sealed;
alter table team_secrets add column is_sealed boolean not null default false;
create index team_secrets_unsealed_idx on team_secrets (is_sealed) where not is_sealed;
create or replace function keep_entry(owner uuid, at_place text, content jsonb, is_secret boolean, this_round uuid) returns jsonb
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
    binding = excluded.binding, round = excluded.round, is_sealed = false;
  update spec_secrets set round = this_round, binding = bound from starred(result)
    where row_id = owner and path = at_place || '/' || array_to_string(place, '/') and content #>> place = stars
      and masked = stars and (binding = bound or may_grant);
  return result;
end $$;

-- Where each sealed value of a row belongs, by the value as opened_spec answers it.
create function sealed_values(owner uuid) returns jsonb language sql stable as $$
  select coalesce(jsonb_object_agg(value, path), '{}') from spec_secrets where row_id = owner and is_sealed
$$;

-- As everybody sees it; null in rows that an older data set brought along unsealed.
alter table team_secrets add column masked text;
-- Another one for each value that is entered.
alter table team_secrets add column entered uuid not null default gen_random_uuid();
update team_secrets set masked = shown_secret(path, value);

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
        host = excluded.host, round = excluded.round, is_sealed = false,
        entered = case when kept.value = excluded.value then kept.entered else excluded.entered end;
  end if;
  return shown;
end $$;

-- Where an entry leads, without telling it: an address that is kept counts as the entering of it.
create function notified_place(team uuid, at_url text, entry jsonb) returns text language sql stable as $$
  select md5(coalesce((select entered::text from team_secrets where team_id = team and path = at_url),
    entry ->> 'url', '') || ' ' || coalesce(entry ->> 'connection', ''))
$$;

create or replace function hide_notification(team uuid, place text, entry jsonb, this_round uuid) returns jsonb
language plpgsql as $$
declare
  at_url constant text := place || '/secret-url';
  url jsonb := '{}';
begin
  if jsonb_typeof(entry) = 'string' then
    return to_jsonb(hide_secret(team, at_url, entry #>> '{}', '', this_round));
  elsif jsonb_typeof(entry) <> 'object' then
    return entry;
  end if;
  if entry ->> 'url' is null then
    url := case when entry ? 'url' then '{"url": null}'::jsonb else url end;
  else
    url := jsonb_build_object('url', hide_secret(team, at_url, entry ->> 'url', '', this_round));
  end if;
  delete from team_secrets where team_id = team and path = at_url and round <> this_round;
  -- What else signs in goes where the entry leads, and nowhere else.
  return hide_secrets(team, place, entry - 'url', notified_place(team, at_url, entry), this_round) || url;
end $$;

update team_secrets as kept set host = notified_place(team_id, place || '/secret-url', entry)
from (
  select id, entry, '~notifications:' || name || '#' || row_number() over (partition by id, name order by number) as place
  from (
    select id, value as entry, number, translate(coalesce(
      case jsonb_typeof(value) when 'object' then nullif(value ->> 'name', '') when 'string' then 'text' end,
      md5(shown_secrets('~', case when value ? 'url' then jsonb_set(value, '{url}', '"***"') else value end)::text)), '/', '|') as name
    from teams cross join lateral jsonb_array_elements(
      case when jsonb_typeof(spec -> 'notifications') = 'array' then spec -> 'notifications' else '[]' end)
      with ordinality as entries (value, number)
  ) as named
) as noted
where team_id = id and starts_with(path, place || '/') and path <> place || '/secret-url';
