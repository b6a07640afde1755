/** SQL of errors that a page shows: kept for an hour, found by an id that nobody guesses. */
import type { Queryable } from '../db/database.ts';

export function insertFlowError(
  db: Queryable,
  failure: { id: string; error: object; nowAt: Date },
): Promise<number> {
  return db.run(
    'insert into identity_errors (id, error, created_at) values ($1, $2::jsonb, $3::timestamptz)',
    [failure.id, failure.error, failure.nowAt],
  );
}

export interface FlowErrorRow {
  id: string;
  error: object;
  created_at: string;
}

export async function findFlowError(db: Queryable, id: string, since: Date): Promise<FlowErrorRow | null> {
  const rows = await db.rows<FlowErrorRow>(
    `select id, error, created_at from identity_errors
      where id = $1::uuid and created_at > $2::timestamptz`,
    [id, since],
  );
  return rows[0] ?? null;
}

export function deleteOldFlowErrors(db: Queryable, before: Date): Promise<number> {
  return db.run('delete from identity_errors where created_at < $1::timestamptz', [before]);
}
