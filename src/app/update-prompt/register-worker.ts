/**
 * Registers the service worker and watches for new versions. A new version waits until the user agrees; then
 * every tab reloads together, so that no page runs with files of another version.
 */
import { Workbox } from 'workbox-window';
import {
  afterNetworkIsBack,
  cacheRestWhenIdle,
  noteInstallation,
  noteReplacement,
} from '../platform-offline.ts';
import { reloadOnNewVersion } from '../platform-reload.ts';
import { canRunOffline } from '../platform.ts';

const CHECK_EVERY_MS = 60 * 60_000;
const RETRY_MS = 60_000;

export interface WaitingVersion {
  /** Lets the new version take over. */
  accept: () => void;
}

type OnWaiting = (version: WaitingVersion) => void;

/** For want of a network or of room; the files that are cached by now are not fetched again. */
function retryLater(onWaiting: OnWaiting): void {
  noteInstallation('failed');
  const done = new AbortController();
  const retry = () => {
    done.abort();
    clearTimeout(timer);
    install(onWaiting);
  };
  const timer = setTimeout(retry, RETRY_MS);
  afterNetworkIsBack(retry, done.signal);
}

async function register(onWaiting: OnWaiting): Promise<void> {
  const workbox = new Workbox('/sw.js');
  const accept = () => {
    noteReplacement();
    workbox.messageSkipWaiting();
  };
  workbox.addEventListener('waiting', () => onWaiting({ accept }));
  const registration = await workbox.register();
  workbox.addEventListener('redundant', () => {
    // Where there is a version already, it stays, and the next check finds the new one again.
    if (registration?.active === null) retryLater(onWaiting);
  });
  setInterval(() => {
    // Offline this fails, and the next one may not.
    workbox.update().catch(() => {});
  }, CHECK_EVERY_MS);
}

function install(onWaiting: OnWaiting): void {
  noteInstallation('running');
  register(onWaiting).catch((error: unknown) => {
    reportError(error);
    retryLater(onWaiting);
  });
}

let isRegistered = false;

/** Registers once in a page's life. */
export function registerWorker(onWaiting: OnWaiting): void {
  if (isRegistered || !canRunOffline()) return;
  isRegistered = true;
  reloadOnNewVersion();
  install(onWaiting);
  cacheRestWhenIdle();
}
