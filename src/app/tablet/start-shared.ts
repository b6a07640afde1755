/** How a page of a shared tablet begins: it is of who is on, and leaves when somebody else comes or nobody touches it. */
import { holdPlace } from '../../data/device/platform-tablet-tabs.ts';
import {
  isTabletLocked,
  leaveTablet,
  lockTablet,
  watchIdling,
  watchLocks,
} from '../../data/device/platform-tablet.ts';
import { IDLE_MS } from '../../domain/tablet/locked-person.ts';

/** `start` draws the app; without anybody on, the page to come on is drawn in its place. */
export async function startShared(root: Element, start: (root: Element) => void): Promise<void> {
  const release = await holdPlace(leaveTablet);
  if (isTabletLocked(IDLE_MS)) {
    release();
    const { showLockedTablet } = await import('./locked-tablet.tsx');
    showLockedTablet(root);
    return;
  }
  watchLocks(leaveTablet);
  watchIdling(IDLE_MS, lockTablet);
  start(root);
}
