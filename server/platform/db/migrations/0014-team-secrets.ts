/**
 * What signs in at a team's outside systems leaves the team's spec the moment it is written: the spec is read by
 * everybody, replicated, exported and logged as changes. It keeps `***` in its place, which sent back means "as it
 * was" (as with connections, schema §8.4). A kept secret belongs to the host it was entered for: whoever points the
 * client at another host has to enter it again, or an editor could have it sent to himself.
 */
export const TEAM_SECRETS = `
create table team_secrets (
  team_id uuid not null,
  path text not null,
  value text not null,
  host text not null,
  -- Of the write that has seen it last: what a write doesn't see is gone from the spec.
  round uuid not null,
  primary key (team_id, path)
);
comment on table team_secrets is 'internal: what signs in at the outside systems of teams';

create function is_secret_name(name text) returns boolean language sql immutable as $$
  select name ~* '(passw|passphrase|secret|token|credential|authorization|certificate|private|(api|access|signing|service|integration|routing)[-_]?key)'
$$;

create function without_sign_in(url text) returns text language sql immutable as $$
  select regexp_replace(url, '://[^/@]*@', '://***@')
$$;

-- One text of a client, as everybody may see it. What lies anywhere below a secret name is secret; the client's own
-- name, with which every place begins, says nothing.
create function hide_secret(team uuid, place text, content text, at_host text, this_round uuid) returns text
language plpgsql as $$
declare
  is_named constant boolean := is_secret_name(regexp_replace(place, '^[^/]*', ''));
  shown text;
begin
  if is_named then
    if content = '' or content ~ '^(secret|configmap|connection)://' then return content; end if;
    shown := '***';
  elsif content ~ '^[a-z+]+://[^/@]*@' then
    shown := without_sign_in(content);
  else
    return content;
  end if;
  if shown = content then
    update team_secrets set round = this_round where team_id = team and path = place and host = at_host
      and (is_named or without_sign_in(value) = content);
  else
    insert into team_secrets (team_id, path, value, host, round) values (team, place, content, at_host, this_round)
      on conflict (team_id, path) do update set value = excluded.value, host = excluded.host, round = excluded.round;
  end if;
  return shown;
end $$;

create function hide_secrets(team uuid, place text, content jsonb, at_host text, this_round uuid) returns jsonb
language plpgsql as $$
begin
  case jsonb_typeof(content)
    when 'object' then
      return (select coalesce(jsonb_object_agg(key, hide_secrets(team, place || '/' || key, value, at_host, this_round)), '{}')
        from jsonb_each(content));
    when 'array' then
      return (select coalesce(jsonb_agg(hide_secrets(team, place || '/' || (number - 1), value, at_host, this_round) order by number), '[]')
        from jsonb_array_elements(content) with ordinality as parts (value, number));
    when 'string' then
      return to_jsonb(hide_secret(team, place, content #>> '{}', at_host, this_round));
    when 'number' then
      if not is_secret_name(regexp_replace(place, '^[^/]*', '')) then return content; end if;
      return to_jsonb(hide_secret(team, place, content #>> '{}', at_host, this_round));
    else
      return content;
  end case;
end $$;

create function keep_team_secrets() returns trigger language plpgsql as $$
declare
  this_round constant uuid := gen_random_uuid();
begin
  if jsonb_typeof(new.spec -> 'responder_clients') = 'object' then
    new.spec := jsonb_set(new.spec, '{responder_clients}', (
      select coalesce(jsonb_object_agg(key, hide_secrets(new.id, key, value,
          coalesce(lower(substring(value ->> 'url' from '^[a-z+]+://(?:[^/@]*@)?([^/?#]*)')), ''), this_round)), '{}')
      from jsonb_each(new.spec -> 'responder_clients')));
  end if;
  delete from team_secrets where team_id = new.id and round <> this_round;
  return new;
end $$;
-- Named to run before touch_updated_at, so that nothing but stars is no change.
create trigger keep_team_secrets before insert or update of spec on teams
  for each row execute function keep_team_secrets();

create function forget_team_secrets() returns trigger language plpgsql as $$
begin
  delete from team_secrets where team_id = old.id;
  return null;
end $$;
create trigger forget_team_secrets after delete on teams for each row execute function forget_team_secrets();

update teams set spec = spec where spec ? 'responder_clients';
set constraints all immediate;
`;
