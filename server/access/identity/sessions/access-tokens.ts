/**
 * Access tokens (schema §3.4): HTTP Basic, user `token`, the token as the password. A token is five parts with
 * dots between: password, salt, time cost, memory cost (KiB), parallelism; stored is its Argon2id hash and a mark
 * (secrets.ts) that it is found by without hashing: its 256 random bits can't be guessed, so what is made up costs one
 * look-up. Tokens that came from elsewhere have no mark: they are hashed once, limited. Only our own costs are
 * accepted, because whoever asks would otherwise choose how much work he makes us do.
 */
import { hashRaw } from '@node-rs/argon2';
import { AppError } from '../../../../src/contract/errors.ts';
import type { Database } from '../../../platform/db/database.ts';
import type { Platform } from '../../../platform/platform.ts';
import {
  deleteToken,
  findTokenPerson,
  findTokens,
  hasUnmarkedTokens,
  markToken,
  upsertAccessToken,
} from '../queries/access-token-query.ts';
import type { TokenPerson, TokenRow, TokenScope } from '../queries/access-token-query.ts';
import type { Asker, Attempts } from '../attempts/attempts.ts';
import { argon2Limit } from '../accounts/passwords.ts';
import type { Principal } from './principal.ts';
import { hashToken, TOKEN_BYTES } from '../../../platform/crypto/secrets.ts';
import { principalOf } from './sessions.ts';

const COST = { timeCost: 1, memoryCost: 65_536, parallelism: 4 } as const;
const COST_TEXT = `${COST.timeCost}.${COST.memoryCost}.${COST.parallelism}`;
const HASH_BYTES = 20;
const SALT_BYTES = 16;
const TOKEN_FORM = new RegExp(
  `^([\\da-f]{${TOKEN_BYTES * 2}})\\.([\\da-f]{${SALT_BYTES * 2}})\\.${COST_TEXT.replaceAll('.', '\\.')}$`,
);

export interface AccessTokenRequest {
  personId: string;
  /** What it is for; a second one for the same person and name ends the first. */
  name: string;
  /** null = never expires. */
  expiresAt: Date | null;
  /** What it opens; null for all that its person may do. */
  scope?: TokenScope | null;
}

export type TokenResult =
  | { kind: 'signed-in'; principal: Principal }
  | { kind: 'refused' }
  | { kind: 'limited'; retryAfterSeconds: number };

export interface AccessTokens {
  /** Makes a token and answers it: the only time that it is seen. */
  create(request: AccessTokenRequest): Promise<string>;
  /** Whose token this is, with the roles of now. Throws `invalid` (400) when it can't be one (schema §3.4). */
  check(credentials: { token: string; asker: Asker }): Promise<TokenResult>;
  /** The tokens of a person that still count, the newest first; never their values. */
  list(personId: string): Promise<TokenRow[]>;
  /** Ends one token of a person; false when there is no such one. */
  end(personId: string, id: string): Promise<boolean>;
}

/** The library's default is Argon2id. */
async function valueOf(password: string, saltHex: string): Promise<string> {
  const options = { ...COST, outputLen: HASH_BYTES, salt: Buffer.from(saltHex, 'hex') };
  const hash = await argon2Limit.run(() => hashRaw(password, options));
  return hash.toString('base64');
}

const tokenMarkOf = (token: string) => hashToken('access-token', token);

function signedIn(person: TokenPerson): TokenResult {
  const { token_scope: tokenScope } = person;
  return {
    kind: 'signed-in',
    principal: { ...principalOf(person), ...(tokenScope === null ? {} : { tokenScope }) },
  };
}

interface Parts {
  db: Database;
  platform: Platform;
  attempts: Attempts;
}

/** A token without a mark, made by another server: found by its hash, and marked for the next time. */
async function checkByHash(
  { db, platform, attempts }: Parts,
  sent: { token: string; password: string; salt: string; asker: Asker },
): Promise<TokenResult> {
  const attempt = attempts.token(sent.asker);
  const { retryAfterSeconds } = attempt;
  if (retryAfterSeconds > 0) return { kind: 'limited', retryAfterSeconds };
  if (!(await hasUnmarkedTokens(db))) return { kind: 'refused' };
  const value = await valueOf(sent.password, sent.salt);
  const person = await findTokenPerson(db, { value }, new Date(platform.now()));
  if (person === null) return { kind: 'refused' };
  attempt.clear();
  await markToken(db, value, tokenMarkOf(sent.token));
  return signedIn(person);
}

/** `create` answers the token once; afterwards it can't be read again. */
export function createAccessTokens(parts: Parts): AccessTokens {
  const { db, platform } = parts;
  const nowAt = () => new Date(platform.now());
  return {
    async create({ personId, name, expiresAt, scope = null }) {
      const password = platform.secret(TOKEN_BYTES);
      const salt = platform.secret(SALT_BYTES);
      const token = `${password}.${salt}.${COST_TEXT}`;
      const value = await valueOf(password, salt);
      const mark = tokenMarkOf(token);
      await upsertAccessToken(db, { personId, name, value, mark, nowAt: nowAt(), expiresAt, scope });
      return token;
    },

    async check({ token, asker }) {
      const [, password, salt] = TOKEN_FORM.exec(token) ?? [];
      if (password === undefined || salt === undefined) {
        throw new AppError('invalid', 'The access token is malformed: make a new one');
      }
      const person = await findTokenPerson(db, { mark: tokenMarkOf(token) }, nowAt());
      return person === null ? checkByHash(parts, { token, password, salt, asker }) : signedIn(person);
    },

    list: (personId) => findTokens(db, personId, nowAt()),
    end: async (personId, id) => (await deleteToken(db, personId, id)) > 0,
  };
}
