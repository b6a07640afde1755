/** SQL of second factors: the authenticator app and the recovery codes of an account. */
import type { Queryable } from '../../../platform/db/database.ts';

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

/** The sealed secret; null when no app is linked. */
export async function findTotp(db: Queryable, identityId: string): Promise<string | null> {
  const rows = await db.rows<{ secret: string }>(
    `select secret from identity_credentials where identity_id = $1 and type = 'totp'`,
    [identityId],
  );
  return rows[0]?.secret ?? null;
}

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

export interface RecoveryCodeRow {
  position: number;
  sealed_code: string;
  used_at: string | null;
}

export function listRecoveryCodes(db: Queryable, identityId: string): Promise<RecoveryCodeRow[]> {
  return db.rows<RecoveryCodeRow>(
    `select position, sealed_code, used_at from identity_recovery_codes
      where identity_id = $1 order by position`,
    [identityId],
  );
}

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

export async function isUsedRecoveryCode(
  db: Queryable,
  code: { identityId: string; mark: string },
): Promise<boolean> {
  const rows = await db.rows<{ is_used: boolean }>(
    `select exists(select 1 from identity_recovery_codes
                    where identity_id = $1 and code_mark = $2 and used_at is not null) as is_used`,
    [code.identityId, code.mark],
  );
  return rows[0]?.is_used ?? false;
}
