/** SQL of the upstream server's actions at its agent: noted before they begin, so that none is begun twice. */
import type { Queryable } from '../../platform/db/database.ts';
import { idRow } from '../../platform/db/row-schema.ts';
import type { HandedAction } from '../../../src/contract/http/playbooks/handed-action.ts';
import { toJson } from '../../platform/db/to-json.ts';

/** Nobody asks for them here any more. */
const KEPT_MS = 7 * 86_400_000;

/** The word under which this agent takes its next action. */
export async function readClaim(db: Queryable): Promise<string> {
  return (await db.text('select action_claim::text from upstream_link')) ?? '';
}

/** Notes that it begins, and takes another word for the next one; false for one that this agent has begun before. */
export async function noteBegun(tx: Queryable, action: HandedAction, now: Date): Promise<boolean> {
  await tx.run('update upstream_link set action_claim = gen_random_uuid()');
  const added = await tx.run(
    `insert into playbook_run_actions (id, name, status, start_time, scheduled_time)
     values ($1, $2, 'running', $3::timestamptz, $3::timestamptz) on conflict (id) do nothing`,
    [action.id, action.name, now],
  );
  // It was told before how that ended; it is told again.
  if (added === 0) {
    await tx.run('update playbook_run_actions set is_pushed = false where id = $1', [action.id]);
    return false;
  }
  await tx.run(
    `insert into playbook_action_agent_data (action_id, playbook_id, run_id, spec) values ($1, $2, $3, '{}')`,
    [action.id, action.playbook_id, action.run_id],
  );
  return true;
}

export interface OwnEnd {
  status: string;
  error: string | null;
  result: Record<string, unknown> | null;
}

/** Ends it, to be pushed; false where somebody else did. */
export async function noteEnd(tx: Queryable, id: string, end: OwnEnd & { now: Date }): Promise<boolean> {
  const count = await tx.run(
    `update playbook_run_actions set status = $2, error = $3, result = $4::jsonb, end_time = $5::timestamptz,
       is_pushed = false
      where id = $1 and status = 'running'`,
    [id, end.status, end.error, end.result === null ? null : toJson(end.result), end.now],
  );
  return count > 0;
}

/** Those that are noted as under way, and are not among these: whoever did them is gone. */
export async function readLeft(db: Queryable, running: readonly string[]): Promise<string[]> {
  const rows = await db.rows(
    idRow,
    `select id from playbook_run_actions
      where playbook_run_id is null and status = 'running' and not (id = any($1::uuid[]))`,
    [running],
  );
  return rows.map(({ id }) => id);
}

/** Forgets what ended long ago and is known upstream; files go with it. */
export function forgetEnded(db: Queryable, now: Date): Promise<number> {
  return db.run(
    `delete from playbook_run_actions
      where playbook_run_id is null and is_pushed and end_time < $1::timestamptz`,
    [new Date(now.getTime() - KEPT_MS)],
  );
}
