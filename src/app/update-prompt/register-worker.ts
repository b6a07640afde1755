/**
 * Registers the service worker and watches for new versions. A new version waits until the user agrees; then
 * every tab reloads together, so that no page runs with files of another version.
 */
import type { Workbox } from 'workbox-window';
import { canRunOffline, reloadOnNewVersion } from '../platform.ts';

const CHECK_EVERY_MS = 60 * 60_000;

export interface WaitingVersion {
  /** Lets the new version take over. */
  accept: () => void;
}

async function register(onWaiting: (version: WaitingVersion) => void): Promise<void> {
  const workbox: Workbox = new (await import('workbox-window')).Workbox('/sw.js');
  workbox.addEventListener('waiting', () => onWaiting({ accept: () => workbox.messageSkipWaiting() }));
  reloadOnNewVersion();
  await workbox.register();
  setInterval(() => {
    // Offline this fails, and the next one may not.
    workbox.update().catch(() => {});
  }, CHECK_EVERY_MS);
}

let isRegistered = false;

/** Registers once in a page's life. */
export function registerWorker(onWaiting: (version: WaitingVersion) => void): void {
  if (isRegistered || !canRunOffline()) return;
  isRegistered = true;
  register(onWaiting).catch((error: unknown) => reportError(error));
}
