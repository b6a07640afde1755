/** Building a user's store anew after it was damaged (design §4 law 14). The outbox and drafts stay. */
import { markForDeletion } from '../../store/delete-store.ts';
import type { KeyValue } from '../../store/key-value.ts';
import type { SyncPlatform } from '../platform.ts';
import { deleteWhileAlone } from './delete-when-alone.ts';

export interface ReplaceStoreParts {
  device: KeyValue;
  platform: Pick<SyncPlatform, 'holdLock' | 'idb' | 'later'>;
  storeName: string;
  /** False once its user signed out. */
  isWanted: () => Promise<boolean>;
  close: () => Promise<void>;
  reopen: () => void;
}

/** Ends with the store open: a new one, or what there is when that can't be done. */
export async function replaceStore(parts: ReplaceStoreParts): Promise<void> {
  const { device, platform, storeName, isWanted, close, reopen } = parts;
  const deletion = { device, idb: platform.idb };
  // A full disk refuses this note: then nothing is closed.
  await markForDeletion(deletion, storeName, { keepsOutbox: true, keepsDrafts: true });
  await close();
  try {
    await deleteWhileAlone(deletion, platform, storeName);
  } finally {
    // Whoever signed out meanwhile must not find their store opened again.
    if (await isWanted()) reopen();
  }
}
