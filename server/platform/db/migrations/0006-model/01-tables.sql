-- The rest of the data dictionary: views, lookups and walks, access tokens, and what is removed whole.

-- Access tokens, and what keeps identities, people and their tokens in step (schema §1.5, §1.7).

-- Stored data has rows that were written without these; none of them means more than an empty text.
alter table incidents alter column description set default '';
alter table artifacts alter column checksum set default '';

-- What a rule sent goes with the rule.
alter table notification_send_history
  drop constraint notification_send_history_notification_id_fkey,
  add constraint notification_send_history_notification_id_fkey
    foreign key (notification_id) references notifications (id) on delete cascade;

-- value is the hash of the token; no reader of the data API sees this table.
create table access_tokens (
  id uuid primary key default generate_ulid(),
  name text not null,
  person_id uuid not null references people (id) on delete cascade,
  value text not null,
  created_at timestamptz not null,
  expires_at timestamptz,
  constraint access_tokens_person_id_name_key unique (person_id, name)
);

create function expire_access_tokens(owner uuid) returns void language sql as $$
  update access_tokens set expires_at = now()
    where person_id = owner and (expires_at is null or expires_at > now())
$$;

-- An agent that was removed must not come in any more.
create function expire_tokens_of_agent() returns trigger language plpgsql as $$
begin
  if old.person_id is not null then
    perform expire_access_tokens(old.person_id);
  end if;
  return null;
end $$;
create trigger expire_tokens_on_soft_delete after update of deleted_at on agents
  for each row when (old.deleted_at is null and new.deleted_at is not null) execute function expire_tokens_of_agent();
create trigger expire_tokens_on_delete after delete on agents
  for each row execute function expire_tokens_of_agent();

create function name_of_traits(traits jsonb) returns text language sql immutable as $$
  select coalesce(
    nullif(concat_ws(' ', nullif(traits -> 'name' ->> 'first', ''), nullif(traits -> 'name' ->> 'last', '')), ''),
    traits ->> 'email', '')
$$;

-- The person has the identity's id; whoever writes both by hand finds nothing left to do here.
create function write_person_of_identity() returns trigger language plpgsql as $$
begin
  insert into people (id, name, email) values (new.id, name_of_traits(new.traits), new.traits ->> 'email')
    on conflict (id) do update set name = excluded.name, email = excluded.email
    where people.name is distinct from excluded.name or people.email is distinct from excluded.email;
  return new;
end $$;
create trigger write_person_on_insert before insert on identities
  for each row execute function write_person_of_identity();
create trigger write_person_on_update before update of traits on identities
  for each row when (old.traits is distinct from new.traits) execute function write_person_of_identity();

create function retire_person_of_identity() returns trigger language plpgsql as $$
begin
  delete from casbin_rule where ptype = 'g' and v0 = old.id::text;
  update people set deleted_at = now() where id = old.id and deleted_at is null;
  perform expire_access_tokens(old.id);
  return null;
end $$;
create trigger retire_person after delete on identities
  for each row execute function retire_person_of_identity();
