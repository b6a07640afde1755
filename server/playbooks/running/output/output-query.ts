/** SQL of what actions write while they run: kept in pieces, in order, until some time after the run has ended. */
import { z } from 'zod';
import type { Queryable } from '../../../platform/db/database.ts';
import { toJson } from '../../../platform/db/to-json.ts';

export interface OutputPiece {
  stream: 'stdout' | 'stderr';
  content: string;
}

/** Adds pieces in their order. */
export async function insertOutput(
  db: Queryable,
  { runId, actionId }: { runId: string; actionId: string },
  pieces: readonly OutputPiece[],
): Promise<void> {
  await db.run(
    `insert into playbook_action_outputs (run_id, action_id, stream, content)
     select $1, $2, stream, content from json_to_recordset($3::json) as piece(number integer, stream text, content text)
      order by number`,
    [runId, actionId, toJson(pieces.map((piece, number) => ({ number, ...piece })))],
  );
}

const storedPiece = z.strictObject({
  id: z.number(),
  action_id: z.string(),
  action_name: z.string(),
  stream: z.enum(['stdout', 'stderr']),
  content: z.string(),
});
export type StoredPiece = z.infer<typeof storedPiece>;

/** Pieces of a run after one of them, in order. */
export function readOutput(
  db: Queryable,
  { runId, after, limit }: { runId: string; after: number; limit: number },
): Promise<StoredPiece[]> {
  return db.rows(
    storedPiece,
    `select piece.id, piece.action_id, action.name as action_name, piece.stream, piece.content
       from playbook_action_outputs as piece join playbook_run_actions as action on action.id = piece.action_id
      where piece.run_id = $1 and piece.id > $2::bigint order by piece.id limit $3`,
    [runId, after, limit],
  );
}

const joinedRow = z.strictObject({ stream: z.string(), content: z.string() });

/** All that an action has written so far, by stream. */
export async function joinedOutput(db: Queryable, actionId: string): Promise<Record<string, string>> {
  const rows = await db.rows(
    joinedRow,
    `select stream, string_agg(content, '' order by id) as content from playbook_action_outputs
      where action_id = $1 group by stream`,
    [actionId],
  );
  return Object.fromEntries(rows.map(({ stream, content }) => [stream, content]));
}

/** Forgets what ended runs wrote: their actions' results have it. */
export function forgetOutput(db: Queryable, before: Date): Promise<number> {
  return db.run(
    `delete from playbook_action_outputs as piece using playbook_runs as run
      where run.id = piece.run_id and run.end_time < $1::timestamptz`,
    [before],
  );
}

const statusRow = z.strictObject({ status: z.string() });

/** Null for a run that is not there. */
export async function readRunStatus(db: Queryable, runId: string): Promise<string | null> {
  const [row] = await db.rows(statusRow, 'select status from playbook_runs where id = $1', [runId]);
  return row?.status ?? null;
}
