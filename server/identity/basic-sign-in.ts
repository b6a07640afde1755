/**
 * HTTP Basic for scripts (schema §3.4): user `token` with an access token, or e-mail and password. A password
 * alone isn't enough for an account with a second factor: its scripts use access tokens. Each request is checked against the stored
 * hash; a password that fitted this very hash before needn't be hashed again, which keeps scripts fast without
 * outliving a change of password, a disabled account or a changed role.
 */
import type { Database } from '../db/database.ts';
import type { Platform } from '../platform.ts';
import type { AccessTokens } from './access-tokens.ts';
import type { AttemptLimiter } from './attempt-limiter.ts';
import { findActivePerson, findPasswordAccount } from './identity-query.ts';
import { isPassword } from './passwords.ts';
import type { Principal } from './principal.ts';
import { markOf, TOKEN_BYTES } from './secrets.ts';
import { principalOf } from './sessions.ts';

const TOKEN_USER = 'token';
const MAX_REMEMBERED = 1000;

export type BasicResult =
  | { kind: 'signed-in'; principal: Principal }
  | { kind: 'refused' }
  | { kind: 'limited'; retryAfterSeconds: number };

export interface BasicSignIn {
  check(credentials: { email: string; password: string; ip: string }): Promise<BasicResult>;
}

/** The two halves of an Authorization header; null when it isn't a Basic one. */
export function parseBasic(header: string): { email: string; password: string } | null {
  const encoded = /^basic ([\w+/=-]+)$/i.exec(header.trim())?.[1];
  if (encoded === undefined) return null;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon === -1 ? null : { email: text.slice(0, colon), password: text.slice(colon + 1) };
}

export function createBasicSignIn(deps: {
  db: Database;
  platform: Platform;
  limiter: AttemptLimiter;
  accessTokens: AccessTokens;
}): BasicSignIn {
  const { db, platform, limiter, accessTokens } = deps;
  const salt = platform.secret(TOKEN_BYTES);
  const fitted = new Map<string, string>();

  function remember(mark: string, storedHash: string): void {
    fitted.set(mark, storedHash);
    const oldest = fitted.size > MAX_REMEMBERED ? fitted.keys().next().value : undefined;
    if (oldest !== undefined) fitted.delete(oldest);
  }

  return {
    async check({ email, password, ip }) {
      if (email === TOKEN_USER) return accessTokens.check({ token: password, ip });
      const account = await findPasswordAccount(db, email.trim().toLowerCase());
      const mark = markOf('basic', salt, email.toLowerCase(), password);
      const storedHash = account?.secret ?? null;
      if (storedHash === null || fitted.get(mark) !== storedHash) {
        const key = `basic ${ip} ${email.toLowerCase()}`;
        const retryAfterSeconds = limiter.take(key);
        if (retryAfterSeconds > 0) return { kind: 'limited', retryAfterSeconds };
        if (!(await isPassword(storedHash, password)) || storedHash === null) return { kind: 'refused' };
        limiter.clear(key);
        remember(mark, storedHash);
      }
      if (account === null || account.has_second_factor) return { kind: 'refused' };
      const person = await findActivePerson(db, account.id);
      return person === null ? { kind: 'refused' } : { kind: 'signed-in', principal: principalOf(person) };
    },
  };
}
