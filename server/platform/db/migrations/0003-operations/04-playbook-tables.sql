-- Playbooks and their runs, notifications, and what refers to those: permissions and artifacts.

create table playbooks (
  id uuid primary key default generate_ulid(),
  namespace text not null default 'default',
  name text not null,
  title text not null default '',
  icon text, description text,
  spec jsonb not null,
  source source not null,
  category text not null default '',
  created_by uuid references people (id),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz
);
create unique index playbooks_name_key on playbooks (namespace, name, category) where deleted_at is null;

create table playbook_runs (
  id uuid primary key default generate_ulid(),
  playbook_id uuid not null references playbooks (id) on delete cascade,
  spec jsonb not null default '{}',
  status text not null default 'scheduled',
  created_at timestamptz not null default now(),
  start_time timestamptz,
  scheduled_time timestamptz not null default now(),
  end_time timestamptz,
  check_id uuid references checks (id),
  config_id uuid references config_items (id),
  component_id uuid references components (id),
  parameters jsonb, request jsonb,
  agent_id uuid default '00000000-0000-0000-0000-000000000000' references agents (id),
  error text,
  created_by uuid references people (id)
);
create index playbook_runs_playbook_id_idx on playbook_runs (playbook_id);
create index playbook_runs_status_idx on playbook_runs (status, scheduled_time);
create index playbook_runs_created_at_idx on playbook_runs (created_at, id);

create table playbook_run_actions (
  id uuid primary key default generate_ulid(),
  name text not null,
  status text not null default 'running',
  playbook_run_id uuid references playbook_runs (id) on delete cascade,
  start_time timestamptz,
  scheduled_time timestamptz not null default now(),
  end_time timestamptz,
  result jsonb,
  agent_id uuid default '00000000-0000-0000-0000-000000000000',
  error text,
  is_pushed boolean not null default false,
  constraint playbook_run_actions_run_check check (playbook_run_id is not null or agent_id is not null)
);
create index playbook_run_actions_status_idx on playbook_run_actions (status, scheduled_time);
create index playbook_run_actions_playbook_run_id_idx on playbook_run_actions (playbook_run_id);

create table playbook_approvals (
  id uuid primary key default generate_ulid(),
  run_id uuid not null references playbook_runs (id),
  person_id uuid references people (id),
  team_id uuid references teams (id),
  created_at timestamptz not null default now()
);
create index playbook_approvals_run_id_idx on playbook_approvals (run_id);

create table playbook_action_agent_data (
  action_id uuid not null references playbook_run_actions (id) on delete cascade,
  playbook_id uuid not null,
  run_id uuid not null,
  spec jsonb not null,
  env jsonb
);
create index playbook_action_agent_data_action_id_idx on playbook_action_agent_data (action_id);

create table permissions (
  id uuid primary key default generate_ulid(),
  description text, source text,
  action text not null,
  object text,
  deny boolean not null default false,
  component_id uuid references components (id),
  config_id uuid references config_items (id),
  canary_id uuid references canaries (id),
  playbook_id uuid references playbooks (id),
  connection_id uuid references connections (id),
  person_id uuid references people (id),
  team_id uuid references teams (id),
  updated_by uuid references people (id),
  until timestamptz,
  created_by uuid references people (id) not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index permissions_config_id_idx on permissions (config_id);
create index permissions_component_id_idx on permissions (component_id);

create table artifacts (
  id uuid primary key default generate_ulid(),
  check_id uuid references checks (id),
  check_time timestamptz,
  playbook_run_action_id uuid references playbook_run_actions (id),
  connection_id uuid,
  path text not null, filename text not null,
  content_type text,
  size integer not null,
  checksum text not null,
  is_data_pushed boolean not null default false,
  expires_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz, is_pushed boolean not null default false
);
create index artifacts_check_id_idx on artifacts (check_id, check_time);
create index artifacts_playbook_run_action_id_idx on artifacts (playbook_run_action_id);

create table notifications (
  id uuid primary key default generate_ulid(),
  name text not null default uuid_to_ulid(generate_ulid()),
  namespace text,
  events text[] not null,
  error text, title text, template text, filter text,
  properties jsonb,
  person_id uuid references people (id) on delete cascade,
  team_id uuid references teams (id) on delete cascade,
  repeat_interval text,
  wait_for bigint,
  group_by text[],
  custom_services jsonb,
  source source,
  created_by uuid references people (id),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz
);
create unique index notifications_name_key on notifications (name, namespace) where deleted_at is null;
create index notifications_team_id_idx on notifications (team_id);

create table notification_send_history (
  id uuid primary key default generate_ulid(),
  notification_id uuid not null references notifications (id),
  body text, status text,
  count integer not null default 1,
  first_observed timestamptz not null default now(),
  source_event text not null,
  resource_id uuid not null,
  person_id uuid references people (id) on delete cascade,
  error text,
  duration_millis integer,
  created_at timestamptz not null default now()
);
create index notification_send_history_notification_id_idx on notification_send_history (notification_id, created_at);
create index notification_send_history_created_at_idx on notification_send_history (created_at, id);

create table notification_silences (
  id uuid primary key default generate_ulid(),
  namespace text not null,
  description text,
  "from" timestamptz not null, "until" timestamptz not null,
  recursive boolean,
  config_id uuid references config_items (id) on delete cascade,
  check_id uuid references checks (id) on delete cascade,
  canary_id uuid references canaries (id) on delete cascade,
  component_id uuid references components (id) on delete cascade,
  source source,
  created_by uuid references people (id),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz
);
create index notification_silences_from_idx on notification_silences using brin ("from");
create index notification_silences_until_idx on notification_silences using brin ("until");
