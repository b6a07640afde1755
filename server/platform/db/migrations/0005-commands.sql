-- What the command endpoint remembers (design §4 law 4): how far each device counted, what became of each command,
-- and effects outside the database that are still to be done.

-- A device belongs to one person for ever.
create table command_devices (
  device_id uuid primary key,
  person_id uuid not null references people (id),
  last_seq bigint not null default 0
);

-- outcome is null only inside the transaction that carries the command out.
create table command_results (
  command_id uuid primary key,
  device_id uuid not null references command_devices (device_id),
  seq bigint not null,
  name text not null,
  subject uuid,
  outcome jsonb,
  created_at timestamptz not null default now()
);
create index command_results_created_at_idx on command_results (created_at);
-- Who changed a row last.
create index command_results_subject_idx on command_results (subject, created_at);

create table command_effects (
  command_id uuid primary key,
  name text not null,
  args jsonb not null,
  person_id uuid not null references people (id),
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  done_at timestamptz,
  outcome text
);
create index command_effects_undone_idx on command_effects (expires_at) where done_at is null;
