/** SQL of second factors: the authenticator app and the recovery codes of an account. */
import { z } from 'zod';
import type { Queryable } from '../../../platform/db/database.ts';

/** Links the app, in place of one that was linked before; `step` is that of the code which proved it. */
export function insertTotp(
  tx: Queryable,
  totp: { identityId: string; sealed: string; step: number },
): Promise<number> {
  return tx.run(
    `insert into identity_credentials (identity_id, type, secret, last_step) values ($1, 'totp', $2, $3)
     on conflict (identity_id, type) do update
       set secret = excluded.secret, last_step = excluded.last_step, updated_at = now()`,
    [totp.identityId, totp.sealed, totp.step],
  );
}

const secretRow = z.strictObject({ secret: z.string() });

/** The sealed secret; null when no app is linked. */
export async function findTotp(db: Queryable, identityId: string): Promise<string | null> {
  const rows = await db.rows(
    secretRow,
    `select secret from identity_credentials where identity_id = $1 and type = 'totp'`,
    [identityId],
  );
  return rows[0]?.secret ?? null;
}

/** 0 when no app was linked. */
export function deleteTotp(tx: Queryable, identityId: string): Promise<number> {
  return tx.run(`delete from identity_credentials where identity_id = $1 and type = 'totp'`, [identityId]);
}

/** Uses up the code of a step and those before it; 0 when that happened already. */
export function useTotpStep(db: Queryable, identityId: string, step: number): Promise<number> {
  return db.run(
    `update identity_credentials set last_step = $2
      where identity_id = $1 and type = 'totp' and coalesce(last_step, 0) < $2`,
    [identityId, step],
  );
}

const recoveryCodeRow = z.strictObject({
  position: z.number(),
  sealed_code: z.string(),
  used_at: z.string().nullable(),
});
export type RecoveryCodeRow = z.infer<typeof recoveryCodeRow>;

/** Used and unused ones, in the order in which they are printed. */
export function listRecoveryCodes(db: Queryable, identityId: string): Promise<RecoveryCodeRow[]> {
  return db.rows(
    recoveryCodeRow,
    `select position, sealed_code, used_at from identity_recovery_codes
      where identity_id = $1 order by position`,
    [identityId],
  );
}

/** Stores one code by its mark and sealed. */
export function insertRecoveryCode(
  tx: Queryable,
  code: { identityId: string; position: number; mark: string; sealed: string },
): Promise<number> {
  return tx.run(
    `insert into identity_recovery_codes (identity_id, position, code_mark, sealed_code)
     values ($1, $2, $3, $4)`,
    [code.identityId, code.position, code.mark, code.sealed],
  );
}

/** All of an account; answers how many. */
export function deleteRecoveryCodes(tx: Queryable, identityId: string): Promise<number> {
  return tx.run('delete from identity_recovery_codes where identity_id = $1', [identityId]);
}

/** Uses up a recovery code; 1 for the one caller that got it. */
export function useRecoveryCode(
  db: Queryable,
  code: { identityId: string; mark: string },
  nowAt: Date,
): Promise<number> {
  return db.run(
    `update identity_recovery_codes set used_at = $3::timestamptz
      where identity_id = $1 and code_mark = $2 and used_at is null`,
    [code.identityId, code.mark, nowAt],
  );
}

const usedRow = z.strictObject({ is_used: z.boolean() });

/** To say "used already" in place of "wrong". */
export async function isUsedRecoveryCode(
  db: Queryable,
  code: { identityId: string; mark: string },
): Promise<boolean> {
  const rows = await db.rows(
    usedRow,
    `select exists(select 1 from identity_recovery_codes
                    where identity_id = $1 and code_mark = $2 and used_at is not null) as is_used`,
    [code.identityId, code.mark],
  );
  return rows[0]?.is_used ?? false;
}
