-- Tablets that a shift hands over (docs/decisions/0057). A tablet is known by a token in its cookie, stored as a mark. The
-- sessions of the people on it are bound to it: revoking the tablet ends them.

create table shared_tablets (
  id uuid primary key default generate_ulid(),
  name text not null check (name <> ''),
  token_mark text not null unique,
  made_by uuid references people (id) on delete set null,
  made_at timestamptz not null default now(),
  last_contact_at timestamptz,
  updated_at timestamptz not null default now(),
  deleted_at timestamptz
);
create trigger touch_updated_at before update on shared_tablets for each row execute function touch_updated_at();

alter table identity_sessions add column tablet_id uuid references shared_tablets (id) on delete set null;
create index identity_sessions_tablet_idx on identity_sessions (tablet_id) where tablet_id is not null;
