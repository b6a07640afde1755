-- Actions of playbooks that agents do (schema §8.1): which agent has which action, and what the runner has to know of it.

create table playbook_handed_actions (
  action_id uuid primary key references playbook_run_actions (id) on delete cascade,
  run_id uuid not null references playbook_runs (id) on delete cascade,
  agent_id uuid not null,
  -- Of the action, its templates filled.
  timeout_ms bigint not null,
  -- Null until the agent took it; the same word again is the same agent that did not hear the answer.
  taken_at timestamptz,
  claim uuid,
  -- Pieces of its output that came so far.
  pieces integer not null default 0
);
create index playbook_handed_actions_run_id_idx on playbook_handed_actions (run_id);
create index playbook_handed_actions_open_idx on playbook_handed_actions (agent_id) where taken_at is null;
create index playbook_handed_actions_claim_idx on playbook_handed_actions (agent_id, claim);
comment on table playbook_handed_actions is 'internal: which agent does which action of a run';

-- At an agent: the word under which it takes its next action. It changes in the transaction that notes that action as
-- begun, so an answer that was lost is given again, and what was begun never is.
alter table upstream_link add column action_claim uuid not null default gen_random_uuid();
