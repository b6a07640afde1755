-- What the runner of playbooks needs beside the contract's tables: how often a run was taken up, who asked for its end,
-- the output of actions while they run, and which file a playbook came from.

create table playbook_run_states (
  run_id uuid primary key references playbook_runs (id) on delete cascade,
  -- Times that a server took the run up: one for each action, sleep and end.
  attempts integer not null default 0,
  -- The caller's word for this very run: the same key of the same person is the same run.
  request_key text,
  requested_by uuid,
  -- Written by the server, of whoever wrote the specification (docs/security.md).
  author text not null default 'user' check (author in ('operator', 'granter', 'user')),
  cancel_requested_at timestamptz,
  cancel_requested_by uuid references people (id)
);
create unique index playbook_run_states_request_key_idx on playbook_run_states (requested_by, request_key);
create index playbook_run_states_cancel_idx on playbook_run_states (cancel_requested_at) where cancel_requested_at is not null;
comment on table playbook_run_states is 'internal: what the server knows of runs of playbooks while it works on them';

create table playbook_action_outputs (
  id bigint generated always as identity primary key,
  run_id uuid not null references playbook_runs (id) on delete cascade,
  action_id uuid not null references playbook_run_actions (id) on delete cascade,
  stream text not null check (stream in ('stdout', 'stderr')),
  content text not null,
  created_at timestamptz not null default clock_timestamp()
);
create index playbook_action_outputs_run_id_idx on playbook_action_outputs (run_id, id);
create index playbook_action_outputs_created_at_idx on playbook_action_outputs (created_at);
comment on table playbook_action_outputs is 'internal: what actions write while they run; read by /api/playbook/run/{id}/output';

create table playbook_files (
  playbook_id uuid primary key references playbooks (id) on delete cascade,
  file text not null,
  -- Of the specification as the file has it: what somebody wrote over it since is not the operator's word.
  spec_mark text not null default ''
);
create index playbook_files_file_idx on playbook_files (file);
comment on table playbook_files is 'internal: which file on the server a playbook came from';

-- Runs that somebody has to go on with; and the finished ones, of which there are ever more, out of the way.
create index playbook_runs_open_idx on playbook_runs (scheduled_time)
  where status in ('scheduled', 'running', 'waiting', 'sleeping');
create index playbook_runs_open_of_person_idx on playbook_runs (created_by)
  where status in ('scheduled', 'running', 'waiting', 'sleeping');

-- A run's files go with it.
alter table artifacts drop constraint artifacts_playbook_run_action_id_fkey;
alter table artifacts add constraint artifacts_playbook_run_action_id_fkey
  foreign key (playbook_run_action_id) references playbook_run_actions (id) on delete cascade;

create trigger note_grant after insert or update of spec on playbooks
  for each row execute function note_grant();
create trigger forget_grant after delete on playbooks for each row execute function note_grant();
