/** What a paired screen does when it was revoked: nobody comes back to what it keeps, so that goes with the session. */
import type { SessionUser } from '../../../src/contract/session-user.ts';
import { isWallAccount } from '../../../src/domain/wall/wall-account.ts';
import { markGone, type DeletionParts } from '../../store/delete-store.ts';

/** Notes that the store must go, if it is a screen's; answers its name, null for a person's, which stays. */
export async function noteWallEnd(deletion: DeletionParts, user: SessionUser | null): Promise<string | null> {
  if (user === null || !isWallAccount(user)) return null;
  await markGone(deletion, { storeName: user.storeName, keepsOutbox: false });
  return user.storeName;
}
