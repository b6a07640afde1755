-- Wall displays: screens that show boards and may only read (docs/decisions/0046). A wall is a person of type 'wall' with
-- the role of a viewer and one session, which needs no use within a day; ending the person ends it.

create table walls (
  id uuid primary key references people (id) on delete cascade,
  -- What is shown and how: src/domain/wall/wall-settings.ts.
  settings jsonb not null default '{}',
  paired_by uuid references people (id) on delete set null,
  paired_at timestamptz not null default now()
);

-- A code that a screen shows until somebody confirms it. Code and secret are stored as marks; the session is opened when
-- the screen fetches it with its secret, so that no token waits here.
create table wall_pairings (
  id uuid primary key default generate_ulid(),
  code_mark text not null unique,
  secret_mark text not null unique,
  ip text not null,
  user_agent text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  wall_id uuid references walls (id) on delete cascade
);
create index wall_pairings_expires_at_idx on wall_pairings (expires_at);

create table wall_boards (
  id uuid primary key default generate_ulid(),
  name text not null check (name <> ''),
  -- Tiles on a grid: src/domain/wall/board.ts.
  tiles jsonb not null,
  created_by uuid references people (id) on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create trigger touch_updated_at before update on wall_boards for each row execute function touch_updated_at();
