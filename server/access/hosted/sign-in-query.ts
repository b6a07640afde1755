/** SQL of sign-ins that were sent to the provider and haven't come back yet. Each is used once. */
import { z } from 'zod';
import type { Queryable } from '../../platform/db/database.ts';

const pendingSignIn = z.strictObject({
  state_mark: z.string(),
  browser_mark: z.string(),
  nonce: z.string(),
  code_verifier: z.string(),
  return_to: z.string().nullable(),
});
export type PendingSignIn = z.infer<typeof pendingSignIn>;

/** Stores one, and removes those that have expired. */
export async function insertPending(
  db: Queryable,
  pending: PendingSignIn & { nowAt: Date; expiresAt: Date },
): Promise<void> {
  await db.run('delete from hosted_sign_ins where expires_at < $1::timestamptz', [pending.nowAt]);
  await db.run(
    `insert into hosted_sign_ins (state_mark, browser_mark, nonce, code_verifier, return_to, expires_at)
     values ($1, $2, $3, $4, $5, $6::timestamptz)`,
    [
      pending.state_mark,
      pending.browser_mark,
      pending.nonce,
      pending.code_verifier,
      pending.return_to,
      pending.expiresAt,
    ],
  );
}

/** Takes it out: a second try with the same state finds nothing. */
export async function takePending(
  db: Queryable,
  stateMark: string,
  nowAt: Date,
): Promise<PendingSignIn | null> {
  const rows = await db.rows(
    pendingSignIn,
    `delete from hosted_sign_ins where state_mark = $1 and expires_at >= $2::timestamptz
     returning state_mark, browser_mark, nonce, code_verifier, return_to`,
    [stateMark, nowAt],
  );
  return rows[0] ?? null;
}
