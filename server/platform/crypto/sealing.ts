/**
 * Secrets that the server must be able to read again, and marks of secrets that are short enough to guess: both
 * with a key that isn't in the database, so that a stolen database or backup alone opens nothing. The key lies
 * in DATA_DIR, readable by its owner only; several servers on one database need the same file.
 */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../../src/contract/errors.ts';
import type { Platform } from '../platform.ts';
import { hashToken } from './secrets.ts';

const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const KEY_FILE = 'identity.key';
const OWNER_ONLY = 0o600;

export interface Sealer {
  /** `purpose` must be the same to open it: what was sealed for one account opens for no other. */
  seal(text: string, purpose: string): string;
  open(sealed: string, purpose: string): string;
  /** A mark that can't be guessed without the key. */
  mark(...parts: readonly string[]): string;
}

/** `key` is 32 bytes; seals with AES-256-GCM, bound to their purpose, and marks with HMAC-SHA-256. */
export function createSealer(key: Buffer, platform: Platform): Sealer {
  const part = (use: string) => Buffer.from(hkdfSync('sha256', key, '', `holdfast ${use}`, KEY_BYTES));
  const sealKey = part('seal');
  const markKey = part('mark');
  return {
    seal(text, purpose) {
      const iv = Buffer.from(platform.secret(IV_BYTES), 'hex');
      const cipher = createCipheriv('aes-256-gcm', sealKey, iv).setAAD(Buffer.from(purpose));
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64');
    },
    open(sealed, purpose) {
      const bytes = Buffer.from(sealed, 'base64');
      const decipher = createDecipheriv('aes-256-gcm', sealKey, bytes.subarray(0, IV_BYTES))
        .setAAD(Buffer.from(purpose))
        .setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
      try {
        const text = decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES));
        return Buffer.concat([text, decipher.final()]).toString('utf8');
      } catch (error) {
        throw new AppError(
          'server',
          `a secret can't be opened: ${KEY_FILE} is not the one it was sealed with`,
          {
            cause: error,
          },
        );
      }
    },
    mark: (...parts) =>
      createHmac('sha256', markKey)
        .update(hashToken(...parts))
        .digest('hex'),
  };
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

/** The key of DATA_DIR; made at the first start. */
export async function loadSealingKey(dataDir: string, platform: Platform): Promise<Buffer> {
  const file = join(dataDir, KEY_FILE);
  try {
    const key = Buffer.from((await readFile(file, 'utf8')).trim(), 'hex');
    if (key.length === KEY_BYTES) return key;
    throw new AppError('invalid', `${file} is not a key: restore it from a backup of DATA_DIR`);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  await mkdir(dataDir, { recursive: true });
  const made = platform.secret(KEY_BYTES);
  // 'wx': of two servers that start at once, the second fails instead of replacing the key of the first.
  await writeFile(file, `${made}\n`, { mode: OWNER_ONLY, flag: 'wx' });
  return Buffer.from(made, 'hex');
}
