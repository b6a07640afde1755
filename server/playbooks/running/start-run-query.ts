/** SQL of the start of runs. */
import { z } from 'zod';
import { AppError } from '../../../src/contract/errors.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { OWN_AGENT } from '../requests/playbook-query.ts';
import { nameRow } from '../../platform/db/row-schema.ts';
import { toJson } from '../../platform/db/to-json.ts';

interface NewRun {
  id: string;
  playbookId: string;
  status: 'scheduled' | 'pending_approval';
  now: Date;
  target: { word: 'config' | 'component' | 'check'; id: string } | null;
  /** The agent that it was asked for. */
  agentId?: string | null;
  /** As everybody reads them. */
  parameters: Record<string, string>;
  /** Passwords among them, sealed. */
  secrets: string | null;
  request: Record<string, unknown> | null;
  createdBy: string | null;
  requestKey: string | null;
}

const startedRow = z.strictObject({ id: z.string(), scheduled_time: z.string(), status: z.string() });
export type StartedRun = z.infer<typeof startedRow>;

/** One person's runs that are not over; more are refused. */
const MOST_OPEN = 1000;
const countRow = z.strictObject({ open: z.number() });

async function runOfKey(tx: Queryable, person: string, key: string): Promise<StartedRun | undefined> {
  const [row] = await tx.rows(
    startedRow,
    `select run.id, run.scheduled_time, run.status from playbook_run_states as state
       join playbook_runs as run on run.id = state.run_id
      where state.requested_by = $1 and state.request_key = $2`,
    [person, key],
  );
  return row;
}

/**
 * The run with a copy of the playbook's specification and the note of who wrote that. The same key of the same person
 * answers the run that it made.
 */
export async function insertRun(tx: Queryable, run: NewRun): Promise<StartedRun> {
  const { id, playbookId, status, now, target, parameters, request, createdBy, requestKey, secrets } = run;
  const { agentId = null } = run;
  if (createdBy !== null) {
    // One start of a person after the other, so that a key counts once and the limit holds.
    await tx.text(`select pg_advisory_xact_lock(hashtext('playbook runs of ' || $1))::text`, [createdBy]);
    const known = requestKey === null ? undefined : await runOfKey(tx, createdBy, requestKey);
    if (known !== undefined) return known;
    const [count] = await tx.rows(
      countRow,
      `select count(*) as open from playbook_runs where created_by = $1 and status in ('pending_approval', 'scheduled', 'running', 'waiting', 'sleeping')`,
      [createdBy],
    );
    if ((count?.open ?? 0) >= MOST_OPEN)
      throw new AppError(
        'rate_limited',
        `you have ${MOST_OPEN} runs that are not over: wait for them or cancel some`,
      );
  }
  const idOf = (word: string) => (target?.word === word ? target.id : null);
  const [started] = await tx.rows(
    startedRow,
    `insert into playbook_runs (id, playbook_id, spec, status, created_at, scheduled_time, config_id, component_id,
       check_id, parameters, request, created_by, agent_id)
     select $1, playbooks.id, playbooks.spec, $3, $4::timestamptz, $4::timestamptz, $5, $6, $7, $8::jsonb, $9::jsonb, $10,
            coalesce($11::uuid, '${OWN_AGENT}')
       from playbooks where playbooks.id = $2 and playbooks.deleted_at is null
     returning id, scheduled_time, status`,
    [
      id,
      playbookId,
      status,
      now,
      idOf('config'),
      idOf('component'),
      idOf('check'),
      toJson(parameters),
      request === null ? null : toJson(request),
      createdBy,
      agentId,
    ],
  );
  if (started === undefined) throw new AppError('not_found', `playbook ${playbookId} not found`);
  await tx.run(
    `insert into playbook_run_states (run_id, request_key, requested_by, secrets, author)
     values ($1, $2, $3, $5, case
       when exists (select from playbook_files join playbooks on id = playbook_id
         where playbook_id = $4 and spec_mark = md5(spec::text)) then 'operator'
       when exists (select from granted_specs where row_id = $4) then 'granter' else 'user' end)`,
    [id, requestKey, createdBy, playbookId, secrets],
  );
  return started;
}

/** Of the teams that somebody is in. */
export async function readTeamNames(db: Queryable, personId: string): Promise<string[]> {
  const rows = await db.rows(
    nameRow,
    `select teams.name from teams join team_members on team_members.team_id = teams.id
      where team_members.person_id = $1 and teams.deleted_at is null`,
    [personId],
  );
  return rows.map(({ name }) => name);
}
