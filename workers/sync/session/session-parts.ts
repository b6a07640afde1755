/** What the session is given. */
import type { SessionUser } from '../../../src/contract/session-user.ts';
import type { KeyValue } from '../../store/key-value.ts';
import type { HttpClient } from '../network/http-client.ts';
import type { SyncPlatform } from '../platform.ts';

export interface SessionParts {
  platform: SyncPlatform;
  http: HttpClient;
  device: KeyValue;
  /** Opens what is kept of the user; pulling starts only when `isConfirmed`. */
  onUser: (user: SessionUser, isConfirmed: boolean) => void;
  /** Closes what is open; resolves when nothing writes to it any more. */
  onNobody: () => Promise<void>;
  /** True when commands of that store's user were not delivered; they stay sealed for the same user (law 6). */
  hasUnsent: (storeName: string) => Promise<boolean>;
  /** The server didn't answer who is signed in. */
  onUnreachable: (error: unknown) => void;
}
