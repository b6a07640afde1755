/** SQL of the change log's one state row: which epoch, where the log ends, and what it no longer remembers. */
import { z } from 'zod';
import type { Cursor } from '../../../src/contract/sync.ts';
import type { Queryable } from '../../platform/db/database.ts';

/**
 * Every commit that changes something replicated leaves the newest number behind, so the newest is where the log
 * ends. What was forgotten since is below the horizon.
 */
export const HEAD = 'greatest(horizon, (select max(seq) from change_log))';

/** Where the log stands at one moment. */
export const logState = z.strictObject({
  epoch: z.string(),
  /** The newest number that is visible. */
  head: z.number(),
  /** A reader who stands before this number may have missed a delete. */
  horizon: z.number(),
});
export type LogState = z.infer<typeof logState>;

/** Where the log stands. */
export async function readState(db: Queryable): Promise<LogState> {
  const [state] = await db.rows(logState, `select epoch, horizon, ${HEAD} as head from change_log_state`);
  if (state === undefined) throw new Error('The change log has no state');
  return state;
}

/**
 * The place after this transaction's own changes: makes their numbers be drawn now. It holds the log until the
 * commit, so call it last.
 */
export async function readHead(tx: Queryable): Promise<Cursor> {
  await tx.run('set constraints all immediate');
  const { epoch, head } = await readState(tx);
  return `${epoch}.${head}`;
}

/** A new epoch: every reader starts over. For a database that was restored or filled from elsewhere. */
export async function startEpoch(db: Queryable): Promise<void> {
  await db.run(
    `update change_log_state
     set epoch = left(replace(gen_random_uuid()::text, '-', ''), 12), horizon = ${HEAD}`,
  );
}

/**
 * Forgets entities that changed last before that time and are gone or are told by a snapshot as well; answers how
 * many. A cursor before the newest of them starts over.
 */
export async function forgetBefore(db: Queryable, before: Date): Promise<number> {
  return db.run(
    `with gone as (
       delete from change_log where changed_at < $1 returning seq
     )
     update change_log_state set horizon = greatest(horizon, newest.seq)
     from (select max(seq) as seq, count(*) as count from gone) as newest
     where newest.count > 0`,
    [before],
  );
}
