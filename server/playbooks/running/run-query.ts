/** SQL of runs while they are worked on: what is due, how each step is written. */
import { z } from 'zod';
import type { Queryable } from '../../platform/db/database.ts';
import { jsonObject } from '../../platform/db/row-schema.ts';
import type { QueueTable } from '../../platform/jobs/lease-queue-query.ts';
import { toJson } from '../../platform/db/to-json.ts';

const actionRow = z.strictObject({
  id: z.string(),
  name: z.string(),
  status: z.string(),
  error: z.string().nullable(),
  result: jsonObject.nullable(),
  /** Whose it is, where an agent does it. */
  agent: z.strictObject({ name: z.string(), last_seen: z.string().nullable() }).nullable(),
});
export type ActionRow = z.infer<typeof actionRow>;

const runRow = z.strictObject({
  id: z.string(),
  playbook_id: z.string(),
  status: z.string(),
  /** As everybody sees it, and with sealed values in their places. */
  spec: jsonObject,
  opened: jsonObject,
  sealed: z.record(z.string(), z.string()),
  author: z.enum(['operator', 'granter', 'user']),
  /** With stars for passwords, which `secrets` has sealed. */
  parameters: z.record(z.string(), z.string()).nullable(),
  secrets: z.string().nullable(),
  request: jsonObject.nullable(),
  config_id: z.string().nullable(),
  component_id: z.string().nullable(),
  check_id: z.string().nullable(),
  agent_id: z.string().nullable(),
  created_by: z.string().nullable(),
  created_at: z.string(),
  attempts: z.number(),
  actions: z.array(actionRow),
});
export type DueRun = z.infer<typeof runRow>;

/** What runs at an agent has a time in the future, at which the agent has been silent for too long. */
const IS_DUE = `item.status in ('running', 'scheduled', 'sleeping', 'waiting') and item.scheduled_time <= $1::timestamptz
  and exists (select from playbook_run_states as state where state.run_id = item.id)`;

/** Parallel runs that one person, and one playbook, may have; others wait for their turn. */
export interface RunQuotas {
  perPerson: number;
  perPlaybook: number;
}

const RUNNING_OF = (field: string) =>
  `(select count(*) from playbook_runs as other where other.${field} = item.${field} and other.status = 'running' and other.id <> item.id)`;

const WITHIN_QUOTAS = `(item.created_by is null or ${RUNNING_OF('created_by')} < $2::integer) and ${RUNNING_OF('playbook_id')} < $3::integer`;

const RUN = `item.id, item.playbook_id, item.status, item.spec, opened_spec(item.playbook_id, item.spec) as opened,
  sealed_values(item.playbook_id) as sealed, state.author, item.parameters, state.secrets, item.request, item.config_id,
  item.component_id, item.check_id, item.agent_id, item.created_by, item.created_at, state.attempts,
  coalesce((
    select json_agg(json_build_object('id', action.id, 'name', action.name, 'status', action.status,
      'error', action.error, 'result', action.result, 'agent', (
        select json_build_object('name', coalesce(agents.name, ''), 'last_seen', agents.last_seen)
        from playbook_handed_actions as handed left join agents on agents.id = handed.agent_id
        where handed.action_id = action.id)) order by action.scheduled_time, action.id)
    from playbook_run_actions as action where action.playbook_run_id = item.id
  ), '[]') as actions`;

/** The runs that somebody has to go on with; one that was under way when its server was killed is such a one. */
export function runTable({ perPerson, perPlaybook }: RunQuotas): QueueTable<DueRun> {
  return {
    name: 'playbook_runs',
    key: 'id',
    where: `${IS_DUE} and (item.status = 'running' or (${WITHIN_QUOTAS}))`,
    order: 'item.scheduled_time, item.id',
    params: [perPerson, perPlaybook],
    async claim(tx, keys, now) {
      await tx.run(
        `update playbook_run_states as counted set attempts = attempts + 1
           from playbook_runs as item
          where counted.run_id = item.id and item.id = any($2::uuid[]) and ${IS_DUE}`,
        [now, keys],
      );
      return tx.rows(
        runRow,
        `select ${RUN} from playbook_runs as item join playbook_run_states as state on state.run_id = item.id
          where item.id = any($2::uuid[]) and ${IS_DUE}`,
        [now, keys],
      );
    },
  };
}

/** Null where there is none. */
export async function readDueRun(db: Queryable, runId: string): Promise<DueRun | null> {
  const [run] = await db.rows(
    runRow,
    `select ${RUN} from playbook_runs as item join playbook_run_states as state on state.run_id = item.id
      where item.id = $1`,
    [runId],
  );
  return run ?? null;
}

const countRow = z.strictObject({ person: z.number(), playbook: z.number() });

/** True when the run may begin another action; asked and written by one server at a time. */
export async function isWithinQuotas(
  tx: Queryable,
  run: Pick<DueRun, 'id' | 'created_by' | 'playbook_id'>,
  { perPerson, perPlaybook }: RunQuotas,
): Promise<boolean> {
  await tx.text(`select pg_advisory_xact_lock(hashtext('playbook quotas'))::text`);
  const [counted] = await tx.rows(
    countRow,
    `select count(*) filter (where created_by = $1::uuid) as person, count(*) filter (where playbook_id = $2::uuid) as playbook
       from playbook_runs where status = 'running' and id <> $3::uuid`,
    [run.created_by, run.playbook_id, run.id],
  );
  const { person = 0, playbook = 0 } = counted ?? {};
  return person < perPerson && playbook < perPlaybook;
}

/** Begins an action; false where the run was ended meanwhile. */
export async function beginAction(
  tx: Queryable,
  { runId, actionId, name, now }: { runId: string; actionId: string; name: string; now: Date },
): Promise<boolean> {
  const isOpen = await tx.run(
    `update playbook_runs set status = 'running', start_time = coalesce(start_time, $2::timestamptz)
      where id = $1 and status in ('scheduled', 'sleeping')`,
    [runId, now],
  );
  if (isOpen === 0) return false;
  await tx.run(
    `insert into playbook_run_actions (id, name, status, playbook_run_id, start_time, scheduled_time)
     values ($1, $2, 'running', $3, $4::timestamptz, $4::timestamptz)`,
    [actionId, name, runId, now],
  );
  return true;
}

export interface ActionEnd {
  status: 'completed' | 'failed' | 'skipped';
  error: string | null;
  result: Record<string, unknown> | null;
}

/** Somebody asked for the end of the run while an action was under way. */
const IS_CANCELLED = `exists (select from playbook_run_states as state where state.run_id = $1 and state.cancel_requested_at is not null)`;

/** Ends an action that is under way; the run is to be gone on with, unless somebody cancelled it meanwhile. */
export async function endAction(
  tx: Queryable,
  at: { runId: string; actionId: string; now: Date },
  end: ActionEnd,
): Promise<void> {
  await tx.run(
    `update playbook_run_actions set status = $2, error = $3, result = $4::jsonb, end_time = $5::timestamptz
      where id = $1 and status in ('running', 'waiting', 'scheduled')`,
    [at.actionId, end.status, end.error, end.result === null ? null : toJson(end.result), at.now],
  );
  await tx.run(
    `update playbook_runs set scheduled_time = $2::timestamptz, status = case when ${IS_CANCELLED} then 'cancelled' else 'scheduled' end,
            end_time = case when ${IS_CANCELLED} then $2::timestamptz end
      where id = $1 and status in ('running', 'waiting')`,
    [at.runId, at.now],
  );
}

/** The run goes on at that time. */
export function delayRun(
  tx: Queryable,
  { runId, status, until }: { runId: string; status: 'sleeping' | 'scheduled'; until: Date },
): Promise<number> {
  return tx.run(
    `update playbook_runs set status = $2, scheduled_time = $3::timestamptz
      where id = $1 and status in ('scheduled', 'sleeping')`,
    [runId, status, until],
  );
}

/** Ends the run; `error` says why nothing of it could be begun. */
export function endRun(
  tx: Queryable,
  {
    runId,
    status,
    error,
    now,
  }: { runId: string; status: 'completed' | 'failed' | 'cancelled'; error: string | null; now: Date },
): Promise<number> {
  return tx.run(
    `update playbook_runs set status = $2, error = coalesce($3, error), end_time = $4::timestamptz,
            start_time = coalesce(start_time, $4::timestamptz)
      where id = $1 and status not in ('completed', 'failed', 'cancelled')`,
    [runId, status, error, now],
  );
}

/** Writes what happened to the config item that the run is about; nothing where it is about none. */
export async function noteChange(
  tx: Queryable,
  runId: string,
  type: 'PlaybookScheduled' | 'PlaybookStarted' | 'PlaybookCompleted' | 'PlaybookFailed',
): Promise<void> {
  const severity = {
    PlaybookScheduled: 'info',
    PlaybookStarted: 'info',
    PlaybookCompleted: 'low',
    PlaybookFailed: 'high',
  };
  // A change is told from others of its item by its external id, so only the first is the run's own.
  await tx.run(
    `insert into config_changes (config_id, external_change_id, change_type, severity, source, summary, details, created_by)
     select run.config_id, run.id || $4, $2, $3, 'Playbook', coalesce(nullif(playbook.title, ''), playbook.name),
            jsonb_build_object('run_id', run.id, 'parameters', run.parameters, 'spec', run.spec), run.created_by
       from playbook_runs as run join playbooks as playbook on playbook.id = run.playbook_id
      where run.id = $1 and run.config_id is not null
     on conflict (config_id, external_change_id) do nothing`,
    [runId, type, severity[type], type === 'PlaybookScheduled' ? '' : `/${type}`],
  );
}
