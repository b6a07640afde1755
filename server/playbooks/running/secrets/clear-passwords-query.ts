/** SQL of runs that have passwords in clear (migration 0107): read, and written back without them. */
import { z } from 'zod';
import type { Queryable } from '../../../platform/db/database.ts';
import { jsonObject } from '../../../platform/db/row-schema.ts';
import { toJson } from '../../../platform/db/to-json.ts';

const textsOf = z.record(z.string(), z.unknown());

const clearRun = z.strictObject({
  id: z.string(),
  spec: jsonObject,
  parameters: textsOf,
  request: jsonObject.nullable(),
  error: z.string().nullable(),
  is_over: z.boolean(),
  /** The runner may go on with it. */
  has_state: z.boolean(),
});
export type ClearRun = z.infer<typeof clearRun>;

/** Some of them, locked; those that another server has are left out. */
export function takeClearRuns(tx: Queryable, most: number): Promise<ClearRun[]> {
  return tx.rows(
    clearRun,
    `select run.id, coalesce(nullif(run.spec, '{}'), playbook.spec) as spec, run.parameters,
            case jsonb_typeof(run.request) when 'object' then run.request end as request, run.error,
            run.status in ('completed', 'failed', 'cancelled') as is_over,
            exists (select from playbook_run_states as state where state.run_id = run.id) as has_state
       from clear_password_runs as clear join playbook_runs as run on run.id = clear.run_id
       join playbooks as playbook on playbook.id = run.playbook_id
      order by run.id limit $1 for update of run skip locked`,
    [most],
  );
}

/** Writes the run as everybody may read it; `secrets` null seals nothing. */
export async function writeHiddenRun(
  tx: Queryable,
  run: Pick<ClearRun, 'id' | 'parameters' | 'request' | 'error'> & { secrets: string | null },
): Promise<void> {
  const { id, parameters, request, error, secrets } = run;
  await tx.run(
    'update playbook_runs set parameters = $2::jsonb, request = $3::jsonb, error = $4 where id = $1',
    [id, toJson(parameters), request === null ? null : toJson(request), error],
  );
  if (secrets !== null)
    await tx.run('update playbook_run_states set secrets = $2 where run_id = $1', [id, secrets]);
  await tx.run('delete from clear_password_runs where run_id = $1', [id]);
}

const partRow = z.strictObject({ id: z.string(), text: z.string().nullable(), content: z.unknown() });
export type RunPart = z.infer<typeof partRow>;

/** What a run left elsewhere: what its actions ended with and wrote, and the changes of its item. */
const PARTS = {
  playbook_run_actions: {
    read: 'select id::text, error as text, result as content from playbook_run_actions where playbook_run_id = $1',
    write: 'update playbook_run_actions set error = $2, result = $3::jsonb where id = $1',
  },
  playbook_action_outputs: {
    read: 'select id::text, content as text, null::jsonb as content from playbook_action_outputs where run_id = $1',
    write: 'update playbook_action_outputs set content = $2 where id = $1::bigint and $3::jsonb is null',
  },
  config_changes: {
    read: `select change.id::text, change.summary as text, change.details as content
        from config_changes as change join playbook_runs as run on run.config_id = change.config_id
       where run.id = $1 and change.source = 'Playbook' and change.details ->> 'run_id' = run.id::text`,
    write: 'update config_changes set summary = $2, details = $3::jsonb where id = $1',
  },
} as const;
export type PartTable = keyof typeof PARTS;
export const PART_TABLES = Object.keys(PARTS) as PartTable[];

/** The rows of one kind. */
export function readParts(tx: Queryable, table: PartTable, runId: string): Promise<RunPart[]> {
  return tx.rows(partRow, PARTS[table].read, [runId]);
}

/** Writes one back. */
export function writePart(tx: Queryable, table: PartTable, { id, text, content }: RunPart): Promise<number> {
  return tx.run(PARTS[table].write, [id, text, content === null ? null : toJson(content)]);
}
