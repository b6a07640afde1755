/**
 * The last signed-in user, mirrored where the main thread can read it at once: so the store's name is known
 * before the sync worker has even started. Names and roles only; the worker's own record decides.
 */
import type { SessionUser } from '../../contract/session-user.ts';
import type { SessionState } from '../../contract/worker.ts';
import { SESSION_KEY, SIGNED_OUT_KEY } from '../client/platform-first-visit.ts';
import type { DataPlatform } from '../client/platform.ts';
import { storedJson } from '../client/stored-json.ts';

const SIGNED_OUT: ReadonlySet<SessionState['kind']> = new Set(['signed-out', 'no-organization', 'switching']);

/** Nothing of anybody may be shown or remembered. */
export function isSignedOut({ kind }: SessionState): boolean {
  return SIGNED_OUT.has(kind);
}

/** Whether a record names a person and their store. */
export function isSessionUser(value: unknown): value is SessionUser {
  return (
    typeof value === 'object' &&
    value !== null &&
    'id' in value &&
    typeof value.id === 'string' &&
    'name' in value &&
    typeof value.name === 'string' &&
    'storeName' in value &&
    typeof value.storeName === 'string' &&
    'roles' in value &&
    Array.isArray(value.roles)
  );
}

/** The remembered user; null when nobody is, or when what is kept is not readable any more. */
export function readRemembered(platform: DataPlatform): SessionUser | null {
  const value = storedJson(platform, SESSION_KEY);
  return isSessionUser(value) ? value : null;
}

/** Null forgets, and says that whoever comes next has to sign in. */
export function remember(platform: DataPlatform, user: SessionUser | null): void {
  // Where there is no room for the new one, nobody else is taken for him.
  const isOther = user === null || readRemembered(platform)?.storeName !== user.storeName;
  if (isOther) platform.writeStored(SESSION_KEY, null);
  if (user !== null) platform.writeStored(SESSION_KEY, JSON.stringify(user));
  platform.writeStored(SIGNED_OUT_KEY, user === null ? 'yes' : null);
}
