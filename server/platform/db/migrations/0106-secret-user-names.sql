-- What a form asks for as a secret is kept as one. User names are, of these types of connections (for some of them it
-- is an access key or a token); migration 0021 left them in their column.
create function has_secret_user(type text) returns boolean language sql immutable as $$
  select type = any('{aws,azure,elasticsearch,email,git,google_chat,http,ldap,mongo,mysql,postgres,prometheus,redis,
    rocketchat,s3,sftp,sql_server,windows}'::text[])
$$;

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
  new.url := kept ->> 'url';
  new.password := kept ->> 'password';
  new.certificate := kept ->> 'certificate';
  new.properties := nullif(kept -> 'properties', 'null'::jsonb);
  if is_secret then new.username := kept ->> 'user_secret'; end if;
  return new;
end $$;

drop trigger keep_connection_secrets on connections;
create trigger keep_connection_secrets
  before insert or update of type, url, username, password, certificate, properties on connections
  for each row execute function keep_connection_secrets();

-- Deleted rows, too: what they had can still be read.
update connections set username = username where has_secret_user(type) and username <> '';

-- What a form shows as it is: a channel, the name of a bot. Stars there would be sent back within the address.
create function has_plain_user(type text) returns boolean language sql immutable as $$
  select type = any('{azure_devops,discord,ifttt,matrix,mattermost,ntfy,pushover,slack,smb,telegram,zulip_chat}'::text[])
$$;

create or replace view connection_details as
  select id, name, namespace, type, source, properties, insecure_tls,
    case when has_plain_user(type) then username else mask_sensitive(username) end as username,
    mask_sensitive(password) as password, mask_sensitive(certificate) as certificate,
    created_by, created_at, updated_at
  from connections where deleted_at is null;
