/** SQL of actions that agents do: handed over, taken, told of, ended. Every statement checks whose turn it still is. */
import { z } from 'zod';
import type { Queryable } from '../../platform/db/database.ts';
import { OWN_AGENT } from '../requests/playbook-query.ts';
import { endAction, endRun } from './run-query.ts';
import type { ActionEnd } from './run-query.ts';
import { insertOutput, joinedOutput } from './output/output-query.ts';
import type { OutputPiece } from './output/output-query.ts';
import { INTERRUPTED } from './next-action.ts';
import { toJson } from '../../platform/db/to-json.ts';

/** Set in the result of an action that its agent said nothing more of. */
export const SILENT = 'agentSilent';
/** After the action's own time, for its end to come through. */
const END_GRACE_MS = 60_000;
/** An agent that is heard more often than this is there. */
const ONLINE_MS = 61_000;

const agentRow = z.strictObject({ id: z.string(), name: z.string(), is_online: z.boolean() });
export type NamedAgent = z.infer<typeof agentRow>;

/** The live agents among these names and ids. */
export function readNamedAgents(
  db: Queryable,
  { names, now }: { names: readonly string[]; now: Date },
): Promise<NamedAgent[]> {
  return db.rows(
    agentRow,
    `select id, name, coalesce(last_seen > $2::timestamptz, false) as is_online from agents
      where (name = any($1::text[]) or id::text = any($1::text[])) and deleted_at is null`,
    [names, new Date(now.getTime() - ONLINE_MS)],
  );
}

/** The action that began here is the agent's now: it has the action's time to take it. A run counts as its first agent's. */
export async function handOver(
  tx: Queryable,
  given: { runId: string; actionId: string; agentId: string; timeoutMs: number; now: Date },
): Promise<void> {
  const { runId, actionId, agentId, timeoutMs, now } = given;
  await tx.run(
    `update playbook_run_actions set status = 'waiting', agent_id = $2, start_time = null where id = $1 and status = 'running'`,
    [actionId, agentId],
  );
  await tx.run(
    `insert into playbook_handed_actions (action_id, run_id, agent_id, timeout_ms) values ($1, $2, $3, $4)`,
    [actionId, runId, agentId, Math.round(timeoutMs)],
  );
  await tx.run(
    `update playbook_runs set status = 'waiting', scheduled_time = $2::timestamptz,
            agent_id = coalesce(nullif(agent_id, '${OWN_AGENT}'), $3::uuid)
      where id = $1 and status = 'running'`,
    [runId, new Date(now.getTime() + timeoutMs), agentId],
  );
}

const takenRow = z.strictObject({ action_id: z.string(), run_id: z.string(), timeout_ms: z.number() });
export type TakenAction = z.infer<typeof takenRow>;

interface Take {
  agentId: string;
  /** Null from agents that can't ask twice. */
  claim: string | null;
  now: Date;
}

/** The agent's next action, which begins with this; the one that was taken with the same claim, while it runs. */
export async function takeAction(tx: Queryable, { agentId, claim, now }: Take): Promise<TakenAction | null> {
  const [known] = await tx.rows(
    takenRow,
    `select handed.action_id, handed.run_id, handed.timeout_ms::float8 from playbook_handed_actions as handed
       join playbook_run_actions as action on action.id = handed.action_id
      where handed.agent_id = $1 and handed.claim = $2 and action.status = 'running'`,
    [agentId, claim],
  );
  if (known !== undefined) return known;
  const [next] = await tx.rows(
    takenRow,
    `select handed.action_id, handed.run_id, handed.timeout_ms::float8 from playbook_handed_actions as handed
       join playbook_run_actions as action on action.id = handed.action_id
       join playbook_runs as run on run.id = handed.run_id
      where handed.agent_id = $1 and handed.taken_at is null and action.status = 'waiting' and run.status = 'waiting'
        and run.scheduled_time > $2::timestamptz
      order by action.scheduled_time, action.id limit 1 for update of run skip locked`,
    [agentId, now],
  );
  if (next === undefined) return null;
  await tx.run(
    'update playbook_handed_actions set taken_at = $2::timestamptz, claim = $3 where action_id = $1',
    [next.action_id, now, claim],
  );
  await tx.run(
    `update playbook_run_actions set status = 'running', start_time = $2::timestamptz where id = $1`,
    [next.action_id, now],
  );
  await tx.run(
    `update playbook_runs set status = 'running', scheduled_time = $2::timestamptz where id = $1`,
    [next.run_id, new Date(now.getTime() + next.timeout_ms + END_GRACE_MS)],
  );
  return next;
}

const openRow = z.strictObject({ action_id: z.string(), run_id: z.string(), pieces: z.number() });

/** Of these, the actions that the agent is to go on with: nobody cancelled them and their time is not over. */
export function openActions(
  tx: Queryable,
  { agentId, ids }: { agentId: string; ids: readonly string[] },
): Promise<z.infer<typeof openRow>[]> {
  return tx.rows(
    openRow,
    `select handed.action_id, handed.run_id, handed.pieces from playbook_handed_actions as handed
       join playbook_run_actions as action on action.id = handed.action_id
       join playbook_run_states as state on state.run_id = handed.run_id
      where handed.agent_id = $1 and handed.action_id = any($2::uuid[]) and action.status = 'running'
        and state.cancel_requested_at is null
      order by handed.action_id for update of handed`,
    [agentId, ids],
  );
}

/** Adds what an action wrote, from the piece of that number on. */
export async function addPieces(
  tx: Queryable,
  open: z.infer<typeof openRow>,
  { from, pieces }: { from: number; pieces: readonly OutputPiece[] },
): Promise<void> {
  const fresh = pieces.slice(Math.max(0, open.pieces - from));
  if (fresh.length === 0) return;
  await insertOutput(tx, { runId: open.run_id, actionId: open.action_id }, fresh);
  await tx.run('update playbook_handed_actions set pieces = $2 where action_id = $1', [
    open.action_id,
    from + pieces.length,
  ]);
}

const endingRow = z.strictObject({
  id: z.string(),
  run_id: z.string(),
  status: z.string(),
  is_silent: z.boolean(),
  is_cancelled: z.boolean(),
});

const LOCKED = `select action.id, action.playbook_run_id as run_id, action.status,
    coalesce((action.result ->> '${SILENT}')::boolean, false) as is_silent,
    state.cancel_requested_at is not null as is_cancelled
  from playbook_run_actions as action
  join playbook_handed_actions as handed on handed.action_id = action.id
  join playbook_runs as run on run.id = action.playbook_run_id
  join playbook_run_states as state on state.run_id = run.id`;

async function finish(tx: Queryable, row: z.infer<typeof endingRow>, given: ActionEnd & { now: Date }) {
  const { now, ...end } = given;
  await endAction(tx, { runId: row.run_id, actionId: row.id, now }, end);
  if (row.is_cancelled) await endRun(tx, { runId: row.run_id, status: 'cancelled', error: null, now });
}

/** The agent was silent for too long: the action ends in the state in which it was found, or goes on. */
export async function endSilent(
  tx: Queryable,
  {
    actionId,
    status,
    error,
    result,
    now,
  }: { actionId: string; status: string; now: Date } & Omit<ActionEnd, 'status'>,
): Promise<void> {
  const [row] = await tx.rows(
    endingRow,
    `${LOCKED} where action.id = $1 and action.status = $2 and run.scheduled_time <= $3::timestamptz for update of run`,
    [actionId, status, now],
  );
  if (row === undefined) return;
  const written = await joinedOutput(tx, actionId);
  await finish(tx, row, { status: 'failed', error, result: { ...written, ...result, [SILENT]: true }, now });
}

/** How an action ended, by its agent. */
export interface SaidEnd extends ActionEnd {
  id: string;
}

/**
 * Ends what is under way at this agent; what was given up because the agent was silent stays failed, and has what the
 * agent says after all. Answers how many rows that changed.
 */
export async function endHanded(
  tx: Queryable,
  { agentId, ends, now }: { agentId: string; ends: readonly SaidEnd[]; now: Date },
): Promise<number> {
  const rows = await tx.rows(
    endingRow,
    `${LOCKED} where action.id = any($1::uuid[]) and handed.agent_id = $2 and handed.taken_at is not null
      order by run.id for update of run`,
    [ends.map(({ id }) => id), agentId],
  );
  let changed = 0;
  for (const row of rows) {
    const end = ends.find(({ id }) => id.toLowerCase() === row.id);
    if (end === undefined) continue;
    if (row.status === 'running') {
      const isCut = end.result?.[INTERRUPTED] === true;
      const written = isCut ? await joinedOutput(tx, row.id) : {};
      await finish(tx, row, {
        status: end.status,
        error: end.error,
        result: end.result === null ? null : { ...written, ...end.result },
        now,
      });
      changed += 1;
    } else if (row.is_silent) {
      changed += await tx.run(
        `update playbook_run_actions set result = $2::jsonb, error = error || ' ' || $3::text where id = $1`,
        [
          row.id,
          toJson(end.result ?? {}),
          `It said later: ${end.status}${end.error === null ? '' : `, ${end.error}`}.`,
        ],
      );
    }
  }
  return changed;
}
