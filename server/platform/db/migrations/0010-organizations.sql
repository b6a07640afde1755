-- Organisations of the hosted mode (contract §2.3): who belongs to which, where its backend is, and which one a
-- session works in. Pending sign-ins are kept so that any process can finish what another began.

create table organizations (
  id uuid primary key default generate_ulid(),
  slug text not null unique check (slug ~ '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$'),
  name text not null check (name <> ''),
  backend_url text,
  direct boolean not null default false,
  created_by uuid references people (id),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create trigger touch_updated_at before update on organizations
  for each row execute function touch_updated_at();

create table organization_members (
  organization_id uuid not null references organizations (id) on delete cascade,
  person_id uuid not null references people (id),
  role text not null check (role in ('admin', 'member')),
  created_at timestamptz not null default now(),
  primary key (organization_id, person_id)
);
create index organization_members_person_idx on organization_members (person_id);

alter table identity_sessions add column organization_id uuid references organizations (id) on delete set null;

create table hosted_sign_ins (
  state_mark text primary key,
  browser_mark text not null,
  nonce text not null,
  code_verifier text not null,
  return_to text,
  expires_at timestamptz not null
);
create index hosted_sign_ins_expires_at_idx on hosted_sign_ins (expires_at);
