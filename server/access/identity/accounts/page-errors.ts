/**
 * Errors that a page shows (contract §2.2). Nothing is stored: who is refused without signing in must not be able to
 * fill the database. The id of an error is the error itself with the server's mark on it, so a page shows no text that
 * somebody else made up.
 */
import { z } from 'zod';
import type { Platform } from '../../../platform/platform.ts';
import type { Sealer } from '../../../platform/crypto/sealing.ts';
import { isSameMark } from '../../../platform/crypto/secrets.ts';

const KEPT_MS = 3_600_000;
const MARK_PURPOSE = 'page-error';

const payloadSchema = z.object({ at: z.number(), error: z.record(z.string(), z.unknown()) });

export interface PageError {
  error: Record<string, unknown>;
  createdAt: Date;
}

export interface PageErrors {
  /** The id under which `read` finds the error for an hour. */
  idOf(error: object): string;
  /** null for an id that this server didn't make, or that is too old. */
  read(id: string): PageError | null;
}

/** `read` answers null for an id that has expired or that this server did not make. */
export function createPageErrors({ sealer, platform }: { sealer: Sealer; platform: Platform }): PageErrors {
  return {
    idOf(error) {
      const payload = Buffer.from(JSON.stringify({ at: platform.now(), error })).toString('base64url');
      return `${payload}.${sealer.mark(MARK_PURPOSE, payload)}`;
    },
    read(id) {
      const [payload = '', mark = ''] = id.split('.');
      if (!isSameMark(sealer.mark(MARK_PURPOSE, payload), mark)) return null;
      const { at, error } = payloadSchema.parse(JSON.parse(Buffer.from(payload, 'base64url').toString()));
      return platform.now() - at > KEPT_MS ? null : { error, createdAt: new Date(at) };
    },
  };
}
