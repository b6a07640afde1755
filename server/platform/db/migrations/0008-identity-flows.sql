-- The rest of the built-in identity: second factors, forms of every kind, codes and links that prove an address,
-- mail that waits to be sent, errors that a page shows, access tokens (schema §1.5). Secrets that must be read
-- again (TOTP secrets, recovery codes, mail) are sealed with a key that isn't in the database; the others are
-- stored as marks. `identities` keeps the contract's columns: what else is known of one has its own table.

alter table identity_credentials drop constraint identity_credentials_type_check;
alter table identity_credentials add constraint identity_credentials_type_check
  check (type in ('password', 'totp'));
-- The 30 s step of the last code that was accepted: a code is good once.
alter table identity_credentials add column last_step bigint;

create table identity_recovery_codes (
  identity_id uuid not null references identities (id) on delete cascade,
  position integer not null,
  code_mark text not null,
  sealed_code text not null,
  used_at timestamptz,
  primary key (identity_id, position)
);

create table identity_addresses (
  identity_id uuid primary key references identities (id) on delete cascade,
  address text not null,
  verified_at timestamptz
);
insert into identity_addresses (identity_id, address) select id, traits ->> 'email' from identities;

alter table identity_sessions add column aal text not null default 'aal1' check (aal in ('aal1', 'aal2'));
alter table identity_sessions add column methods jsonb not null default '[]';
alter table identity_sessions add column issued_at timestamptz;
alter table identity_sessions add column ip text;
alter table identity_sessions add column user_agent text;
update identity_sessions
   set issued_at = authenticated_at,
       methods = jsonb_build_array(
         jsonb_build_object('method', 'password', 'aal', 'aal1', 'completed_at', authenticated_at));
alter table identity_sessions alter column issued_at set not null;

-- Forms live for minutes: those open during the change are asked for again.
drop table identity_flows;
create table identity_flows (
  id uuid primary key,
  kind text not null check (kind in ('login', 'registration', 'recovery', 'verification', 'settings')),
  csrf_mark text not null,
  identity_id uuid references identities (id) on delete cascade,
  return_to text,
  is_refresh boolean not null default false,
  requested_aal text not null default 'aal1' check (requested_aal in ('aal1', 'aal2')),
  state text not null,
  tries integer not null default 0,
  context jsonb not null default '{}',
  ui jsonb not null default '{}',
  request_url text not null,
  issued_at timestamptz not null,
  expires_at timestamptz not null
);
create index identity_flows_expires_at_idx on identity_flows (expires_at);

-- What was sent to an address to prove that somebody reads it. identity_id is null for an address that nobody
-- has: the same work is done for it, so that time doesn't tell.
create table identity_codes (
  id uuid primary key,
  purpose text not null check (purpose in ('recovery', 'verification', 'invitation')),
  identity_id uuid references identities (id) on delete cascade,
  flow_id uuid,
  address text not null,
  code_mark text,
  link_mark text not null unique,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index identity_codes_flow_id_idx on identity_codes (flow_id);
create index identity_codes_identity_id_idx on identity_codes (identity_id);
create index identity_codes_expires_at_idx on identity_codes (expires_at);

create table identity_mails (
  id uuid primary key,
  recipient text not null,
  sealed_mail text,
  state text not null default 'queued' check (state in ('queued', 'sent', 'abandoned')),
  attempts integer not null default 0,
  next_attempt_at timestamptz not null,
  last_error text,
  created_at timestamptz not null,
  sent_at timestamptz
);
create index identity_mails_due_idx on identity_mails (next_attempt_at) where state = 'queued';

create table identity_errors (
  id uuid primary key,
  error jsonb not null,
  created_at timestamptz not null
);

create table if not exists access_tokens (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  person_id uuid not null references people (id) on delete cascade,
  value text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  unique (person_id, name)
);
create index if not exists access_tokens_value_idx on access_tokens (value);
