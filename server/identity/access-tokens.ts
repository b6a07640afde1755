/**
 * Access tokens (schema §3.4): HTTP Basic, user `token`, the token as the password. A token is five parts with
 * dots between: password, salt, time cost, memory cost (KiB), parallelism; stored is its Argon2id hash. Only our
 * own costs are accepted, because whoever asks would otherwise choose how much work he makes us do.
 */
import { hashRaw } from '@node-rs/argon2';
import { AppError } from '../../src/contract/errors.ts';
import type { Database } from '../db/database.ts';
import type { Platform } from '../platform.ts';
import { findTokenPerson, upsertAccessToken } from './access-token-query.ts';
import type { AttemptLimiter } from './attempt-limiter.ts';
import type { Principal } from './principal.ts';
import { markOf, TOKEN_BYTES } from './secrets.ts';
import { principalOf } from './sessions.ts';

const COST = { timeCost: 1, memoryCost: 65_536, parallelism: 4 } as const;
const COST_TEXT = `${COST.timeCost}.${COST.memoryCost}.${COST.parallelism}`;
const HASH_BYTES = 20;
const SALT_BYTES = 16;
const MAX_REMEMBERED = 1000;
const TOKEN_FORM = new RegExp(
  `^([\\da-f]{${TOKEN_BYTES * 2}})\\.([\\da-f]{${SALT_BYTES * 2}})\\.${COST_TEXT.replaceAll('.', '\\.')}$`,
);

export interface AccessTokenRequest {
  personId: string;
  /** What it is for; a second one for the same person and name ends the first. */
  name: string;
  /** null = never expires. */
  expiresAt: Date | null;
}

export type TokenResult =
  | { kind: 'signed-in'; principal: Principal }
  | { kind: 'refused' }
  | { kind: 'limited'; retryAfterSeconds: number };

export interface AccessTokens {
  /** Makes a token and answers it: the only time that it is seen. */
  create(request: AccessTokenRequest): Promise<string>;
  /** Whose token this is, with the roles of now. Throws `invalid` (400) when it can't be one (schema §3.4). */
  check(credentials: { token: string; ip: string }): Promise<TokenResult>;
}

/** The library's default is Argon2id. */
async function valueOf(password: string, saltHex: string): Promise<string> {
  const hash = await hashRaw(password, {
    ...COST,
    outputLen: HASH_BYTES,
    salt: Buffer.from(saltHex, 'hex'),
  });
  return hash.toString('base64');
}

export function createAccessTokens(deps: {
  db: Database;
  platform: Platform;
  limiter: AttemptLimiter;
}): AccessTokens {
  const { db, platform, limiter } = deps;
  const processSalt = platform.secret(TOKEN_BYTES);
  /** Hashing takes 64 MiB: a token that was hashed before needn't be again. The database is asked each time. */
  const known = new Map<string, string>();

  function remember(mark: string, value: string): void {
    known.set(mark, value);
    const oldest = known.size > MAX_REMEMBERED ? known.keys().next().value : undefined;
    if (oldest !== undefined) known.delete(oldest);
  }

  return {
    async create({ personId, name, expiresAt }) {
      const password = platform.secret(TOKEN_BYTES);
      const salt = platform.secret(SALT_BYTES);
      const value = await valueOf(password, salt);
      await upsertAccessToken(db, { personId, name, value, nowAt: new Date(platform.now()), expiresAt });
      return `${password}.${salt}.${COST_TEXT}`;
    },

    async check({ token, ip }) {
      const [, password, salt] = TOKEN_FORM.exec(token) ?? [];
      if (password === undefined || salt === undefined) {
        throw new AppError('invalid', 'The access token is malformed: make a new one');
      }
      const mark = markOf('access-token', processSalt, token);
      const key = `access-token ${ip}`;
      let value = known.get(mark);
      if (value === undefined) {
        const retryAfterSeconds = limiter.take(key);
        if (retryAfterSeconds > 0) return { kind: 'limited', retryAfterSeconds };
        value = await valueOf(password, salt);
      }
      const person = await findTokenPerson(db, value, new Date(platform.now()));
      if (person === null) return { kind: 'refused' };
      limiter.clear(key);
      remember(mark, value);
      return { kind: 'signed-in', principal: principalOf(person) };
    },
  };
}
