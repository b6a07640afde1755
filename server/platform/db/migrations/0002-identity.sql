-- The built-in identity. An identity and its person share their id (schema §1.7); roles are `g` rows of
-- casbin_rule. Tokens and cookies are stored as hashes only.

create table identities (
  id uuid primary key references people (id),
  nid uuid,
  state text not null default 'active' check (state in ('active', 'inactive')),
  state_changed_at timestamptz not null default now(),
  traits jsonb not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index identities_email_key on identities (lower(traits ->> 'email'));

create table identity_credentials (
  identity_id uuid not null references identities (id) on delete cascade,
  type text not null check (type in ('password')),
  secret text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (identity_id, type)
);

create table identity_sessions (
  id uuid primary key,
  identity_id uuid not null references identities (id) on delete cascade,
  token_mark text not null unique,
  device_mark text not null,
  authenticated_at timestamptz not null,
  last_seen_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz
);
create index identity_sessions_device_idx on identity_sessions (identity_id, device_mark);
create index identity_sessions_expires_at_idx on identity_sessions (expires_at);

create table identity_flows (
  id uuid primary key,
  kind text not null check (kind in ('login')),
  csrf_mark text not null,
  return_to text,
  is_refresh boolean not null default false,
  request_url text not null,
  issued_at timestamptz not null,
  expires_at timestamptz not null
);
create index identity_flows_expires_at_idx on identity_flows (expires_at);
