/**
 * The authenticator app as a second factor (RFC 6238). Invariants: the secret is stored sealed; a code counts in
 * its own 30 s and one step to each side, and once.
 */
import { Secret, TOTP } from 'otpauth';
import { toDataURL } from 'qrcode';
import type { Queryable } from '../../../platform/db/database.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { Sealer } from '../../../platform/crypto/sealing.ts';
import { deleteTotp, findTotp, insertTotp, useTotpStep } from '../queries/second-factor-query.ts';

const PERIOD_SECONDS = 30;
const SECRET_BYTES = 20;
const WINDOW_STEPS = 1;
const SIX_DIGITS = /^[0-9]{6}$/;
const ISSUER = 'Holdfast';
export const QR_SIZE_PX = 256;

function totpOf(secret: Secret, label: string): TOTP {
  return new TOTP({ issuer: ISSUER, label, algorithm: 'SHA1', digits: 6, period: PERIOD_SECONDS, secret });
}

export interface Totp {
  /** A new secret as people type it (base 32). */
  newSecret(): string;
  /** The picture that an app scans. */
  qrCode(secret: string, email: string): Promise<string>;
  /** The step whose code this is; null when it is none of now. */
  stepOf(secret: string, code: string): number | null;
  /** Links an app to an account; the code that proved it is used up by that. */
  link(tx: Queryable, to: { identityId: string; secret: string; step: number }): Promise<void>;
  isLinked(db: Queryable, identityId: string): Promise<boolean>;
  unlink(tx: Queryable, identityId: string): Promise<boolean>;
  /** True for a code of now that wasn't used before. */
  use(db: Queryable, identityId: string, code: string): Promise<boolean>;
}

/** Secrets are Base32; `stepOf` answers the 30 s step a code belongs to, null for a wrong one. */
export function createTotp({ platform, sealer }: { platform: Platform; sealer: Sealer }): Totp {
  const purposeOf = (identityId: string) => `totp ${identityId}`;

  function stepOf(secret: string, code: string): number | null {
    const timestamp = platform.now();
    const token = code.replaceAll(/\s/g, '');
    // The library compares bytes and throws when signs outside ASCII make them more.
    if (!SIX_DIGITS.test(token)) return null;
    const totp = totpOf(Secret.fromBase32(secret), '');
    const delta = totp.validate({ token, timestamp, window: WINDOW_STEPS });
    return delta === null ? null : Math.floor(timestamp / 1000 / PERIOD_SECONDS) + delta;
  }

  return {
    newSecret: () => Secret.fromHex(platform.secret(SECRET_BYTES)).base32,
    qrCode: (secret, email) =>
      toDataURL(totpOf(Secret.fromBase32(secret), email).toString(), { width: QR_SIZE_PX, margin: 1 }),
    stepOf,
    async link(tx, { identityId, secret, step }) {
      await insertTotp(tx, { identityId, sealed: sealer.seal(secret, purposeOf(identityId)), step });
    },
    isLinked: async (db, identityId) => (await findTotp(db, identityId)) !== null,
    unlink: async (tx, identityId) => (await deleteTotp(tx, identityId)) > 0,
    async use(db, identityId, code) {
      const sealed = await findTotp(db, identityId);
      if (sealed === null) return false;
      const step = stepOf(sealer.open(sealed, purposeOf(identityId)), code);
      return step !== null && (await useTotpStep(db, identityId, step)) === 1;
    },
  };
}
