/**
 * Backup recovery codes: a second factor on paper. Invariants: each code counts once; a code is found by a mark
 * that needs the key file, and kept sealed so that its owner can look again at those he has left.
 */
import type { Queryable } from '../../../platform/db/database.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { Sealer } from '../../../platform/crypto/sealing.ts';
import {
  deleteRecoveryCodes,
  insertRecoveryCode,
  isUsedRecoveryCode,
  listRecoveryCodes,
  useRecoveryCode,
} from '../queries/second-factor-query.ts';

const CODES = 12;
const CODE_LENGTH = 8;
/** 32 signs that nobody mixes up: 40 bits a code. */
const SIGNS = 'abcdefghijkmnpqrstuvwxyz23456789';

export interface ShownCode {
  code: string;
  usedAt: string | null;
}

export interface RecoveryCodes {
  generate(): string[];
  /** Replaces all codes of an account. */
  store(tx: Queryable, identityId: string, codes: readonly string[]): Promise<void>;
  list(db: Queryable, identityId: string): Promise<ShownCode[]>;
  disable(tx: Queryable, identityId: string): Promise<void>;
  use(db: Queryable, identityId: string, code: string): Promise<'right' | 'used' | 'wrong'>;
}

/** Nothing of it opens a transaction: callers pass theirs. */
export function createRecoveryCodes({
  platform,
  sealer,
}: {
  platform: Platform;
  sealer: Sealer;
}): RecoveryCodes {
  const hashCode = (identityId: string, code: string) => sealer.mark('recovery-code', identityId, code);
  const purposeOf = (identityId: string) => `recovery-code ${identityId}`;
  return {
    generate: () =>
      Array.from({ length: CODES }, () =>
        [...Buffer.from(platform.secret(CODE_LENGTH), 'hex')]
          .map((byte) => SIGNS[byte % SIGNS.length] ?? '')
          .join(''),
      ),
    async store(tx, identityId, codes) {
      await deleteRecoveryCodes(tx, identityId);
      for (const [position, code] of codes.entries()) {
        const sealed = sealer.seal(code, purposeOf(identityId));
        await insertRecoveryCode(tx, { identityId, position, mark: hashCode(identityId, code), sealed });
      }
    },
    async list(db, identityId) {
      const rows = await listRecoveryCodes(db, identityId);
      return rows.map((row) => ({
        code: sealer.open(row.sealed_code, purposeOf(identityId)),
        usedAt: row.used_at,
      }));
    },
    async disable(tx, identityId) {
      await deleteRecoveryCodes(tx, identityId);
    },
    async use(db, identityId, typed) {
      const mark = hashCode(identityId, typed.trim().toLowerCase());
      const used = await useRecoveryCode(db, { identityId, mark }, new Date(platform.now()));
      if (used === 1) return 'right';
      return (await isUsedRecoveryCode(db, { identityId, mark })) ? 'used' : 'wrong';
    },
  };
}
