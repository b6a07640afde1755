/**
 * HTTP Basic for scripts (schema §3.4): user `token` with an access token, or e-mail and password. A password
 * alone isn't enough for an account with a second factor, and the answer doesn't tell whether it was right. Each
 * request is checked against the stored hash; a password that fitted this very hash before needn't be hashed again,
 * which keeps scripts fast without outliving a change of password, a disabled account or a changed role. Attempts
 * share their counts with the sign-in form.
 */
import type { Database } from '../../../platform/db/database.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { AccessTokens } from './access-tokens.ts';
import { identifierOf } from '../attempts/attempts.ts';
import type { Attempts } from '../attempts/attempts.ts';
import { findActivePerson, findPasswordAccount } from '../queries/identity-query.ts';
import { isPassword } from '../accounts/passwords.ts';
import type { Principal } from './principal.ts';
import { hashToken, TOKEN_BYTES } from '../../../platform/crypto/secrets.ts';
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

/** An access token that came as a bearer's: five parts with dots between, where other bearers have three. */
export function parseTokenBearer(header: string): { email: string; password: string } | null {
  const token = /^bearer ((?:[\da-f]+\.){4}[\da-f]+)$/i.exec(header.trim())?.[1];
  return token === undefined ? null : { email: TOKEN_USER, password: token };
}

/** Each request is checked; a hash that fitted is remembered in memory, since Argon2id takes long. */
export function createBasicSignIn(deps: {
  db: Database;
  platform: Platform;
  attempts: Attempts;
  accessTokens: AccessTokens;
}): BasicSignIn {
  const { db, platform, attempts, accessTokens } = deps;
  const salt = platform.secret(TOKEN_BYTES);
  const fitted = new Map<string, string>();

  function remember(mark: string, storedHash: string): void {
    fitted.set(mark, storedHash);
    const oldest = fitted.size > MAX_REMEMBERED ? fitted.keys().next().value : undefined;
    if (oldest !== undefined) fitted.delete(oldest);
  }

  return {
    async check({ email, password, ip }) {
      const asker = { ip, deviceToken: null };
      if (email === TOKEN_USER) return accessTokens.check({ token: password, asker });
      const identifier = identifierOf(email);
      const mark = hashToken('basic', salt, identifier, password);
      const waitSeconds = fitted.has(mark) ? 0 : attempts.place(asker);
      if (waitSeconds > 0) return { kind: 'limited', retryAfterSeconds: waitSeconds };
      const account = await findPasswordAccount(db, identifier);
      const storedHash = account?.secret ?? null;
      const isFitting = storedHash !== null && fitted.get(mark) === storedHash;
      const attempt = isFitting
        ? null
        : await attempts.password({ identityId: account?.id ?? null, identifier }, asker);
      if (attempt !== null && attempt.retryAfterSeconds > 0) {
        return { kind: 'limited', retryAfterSeconds: attempt.retryAfterSeconds };
      }
      const isRight = isFitting || (await isPassword(storedHash, password));
      // Where a right password doesn't sign in (second factor, disabled), it counts as a wrong one: nothing shows it.
      if (!isRight || account === null || account.has_second_factor) return { kind: 'refused' };
      const person = await findActivePerson(db, account.id);
      if (person === null) return { kind: 'refused' };
      attempt?.clear();
      if (storedHash !== null) remember(mark, storedHash);
      return { kind: 'signed-in', principal: principalOf(person) };
    },
  };
}
