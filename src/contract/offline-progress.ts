/** What a page and the service worker say to each other about the app's own files in the cache. */
import { isRecord } from '../lib/is-record.ts';

/** A page asks how much of the app is cached; the answer is an `OfflineProgress`. */
export const PROGRESS_QUESTION = 'OFFLINE_PROGRESS';

/** A page asks to cache what is left. */
export const CACHE_REST = 'CACHE_REST';

export interface OfflineProgress {
  /** How many of the files are cached, 0 to 1. */
  part: number;
  /** The shell and the pages of the menus are. */
  hasMenuPages: boolean;
  /** The browser had no room for a file when it was last tried. */
  isStorageFull: boolean;
}

/** Null for anything else: an earlier version of the service worker answers otherwise. */
export function readOfflineProgress(message: unknown): OfflineProgress | null {
  if (!isRecord(message)) return null;
  const { part, hasMenuPages, isStorageFull } = message;
  if (typeof part !== 'number' || typeof hasMenuPages !== 'boolean' || typeof isStorageFull !== 'boolean')
    return null;
  return { part, hasMenuPages, isStorageFull };
}
