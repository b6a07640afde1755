/** Making accounts: the first administrator at start, others for tests and (later) invitations. */
import type { Database } from '../../../platform/db/database.ts';
import { deleteTokensOf } from '../queries/access-token-query.ts';
import type { Platform } from '../../../platform/platform.ts';
import {
  countIdentities,
  findPasswordAccount,
  insertAccount,
  updatePassword,
} from '../queries/identity-query.ts';
import { hashPassword, isPassword } from './passwords.ts';
import { revokeSessionsOf } from '../queries/session-query.ts';

/** 120 bits, in groups of five: long enough for ever, short enough to type once. */
const PASSWORD_BYTES = 15;

export interface AccountRequest {
  email: string;
  firstName: string;
  lastName: string;
  password: string;
  roles: readonly string[];
}

/** Creates person, identity, password and roles as one; answers the person's id. */
export async function createAccount(
  db: Database,
  platform: Platform,
  request: AccountRequest,
): Promise<string> {
  const id = platform.newId();
  const passwordHash = await hashPassword(request.password);
  await db.transaction((tx) =>
    insertAccount(tx, { ...request, email: request.email.toLowerCase(), id, passwordHash }),
  );
  return id;
}

/**
 * On an empty database makes the administrator. With a configured password, an administrator who is there
 * already gets it when it differs: the way back in for an operator who lost it. Answers the password only when
 * it was made here, to be shown once; it is kept nowhere.
 */
export async function ensureAdmin(
  db: Database,
  platform: Platform,
  admin: { email: string; password: string | null },
): Promise<string | null> {
  const existing = await findPasswordAccount(db, admin.email);
  if (existing !== null) {
    if (admin.password !== null && !(await isPassword(existing.secret, admin.password))) {
      const passwordHash = await hashPassword(admin.password);
      await db.transaction(async (tx) => {
        await updatePassword(tx, existing.id, passwordHash);
        await revokeSessionsOf(tx, existing.id, new Date(platform.now()));
        await deleteTokensOf(tx, existing.id);
      });
    }
    return null;
  }
  if (admin.password === null && (await countIdentities(db)) > 0) return null;
  const made =
    admin.password === null ? (platform.secret(PASSWORD_BYTES).match(/.{1,5}/g) ?? []).join('-') : null;
  const [localPart = 'admin'] = admin.email.split('@');
  await createAccount(db, platform, {
    email: admin.email,
    firstName: localPart === 'admin' ? 'Admin' : localPart,
    lastName: '',
    password: admin.password ?? made ?? '',
    roles: ['admin'],
  });
  return made;
}
