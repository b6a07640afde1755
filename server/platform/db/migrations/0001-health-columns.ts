/** Columns that many tables share, as the data dictionary abbreviates them. */

export const NIL = "'00000000-0000-0000-0000-000000000000'";
export const ID = 'id uuid primary key default generate_ulid()';
export const AGENT = `agent_id uuid not null default ${NIL} references agents (id)`;
export const CREATED_BY = 'created_by uuid references people (id)';
export const STAMPS =
  'created_at timestamptz not null default now(),\n  updated_at timestamptz not null default now()';
export const LOOSE_STAMPS = 'created_at timestamptz default now(),\n  updated_at timestamptz default now()';
export const DELETED = 'deleted_at timestamptz';
export const PUSHED = 'is_pushed boolean not null default false';
export const COSTS = ['cost_per_minute', 'cost_total_1d', 'cost_total_7d', 'cost_total_30d']
  .map((name) => `${name} numeric(16, 4)`)
  .join(',\n  ');
