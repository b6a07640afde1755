/** Between two views of many items there is a rest: what changes meanwhile is shown with the next one. */
import type { SyncPlatform } from '../platform.ts';

/** A view is read, copied to the page and compared there: some ten microseconds for each item on either side. */
const REST_MS_PER_ITEM = 0.05;
const SHOWN_AT_ONCE = 200;
const MOST_REST_MS = 1000;

/** After a view of so many items; none for a few. */
export function restAfter(count: number, platform: Pick<SyncPlatform, 'later'>): Promise<void> | undefined {
  if (count <= SHOWN_AT_ONCE) return undefined;
  const delayMs = Math.min(count * REST_MS_PER_ITEM, MOST_REST_MS);
  return new Promise((resolve) => void platform.later(delayMs, resolve));
}
