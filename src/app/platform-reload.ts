/** Loads this page again: for another version, or because a file of it is missing. */
import { buildName } from '../data/client/build-name.ts';
import { retryWaitMs } from '../lib/retry-wait.ts';

const UNSAVED_CHECK_MS = 1000;
const NOT_FOUND = 404;
/** In this tab's storage: which version this page was already loaded again for, and how often. */
const RELOADED_KEY = 'holdfast.reloaded';

/** True while somebody has text in a field that is neither sent nor given up; such fields carry `data-unsaved`. */
export function hasUnsavedText(): boolean {
  return document.querySelector('[data-unsaved]') !== null;
}

/** True while a form has something that was neither sent nor given up. */
export function hasUnsavedForm(): boolean {
  return document.querySelector('form[data-unsaved=""], [data-unsaved="form"]') !== null;
}

function reloadWhenFree(): void {
  if (hasUnsavedText()) setTimeout(reloadWhenFree, UNSAVED_CHECK_MS);
  else window.location.reload();
}

/** Absent on plain http: its type doesn't know that. */
function serviceWorkers(): ServiceWorkerContainer | undefined {
  return navigator.serviceWorker;
}

/** Whether a service worker answers for this page: then it is there with and without a server. */
export function isControlled(): boolean {
  return (serviceWorkers()?.controller ?? null) !== null;
}

type Found = 'there' | 'gone' | 'no-answer';

async function lookFor(file: string): Promise<Found> {
  try {
    const { ok, status } = await fetch(file, { method: 'HEAD', cache: 'no-store' });
    if (ok) return 'there';
    return status === NOT_FOUND ? 'gone' : 'no-answer';
  } catch {
    // No line: that is what was asked.
    return 'no-answer';
  }
}

/** Without a server a reload could end at the browser's own error page. */
export async function isServerThere(): Promise<boolean> {
  return (await lookFor('/')) === 'there';
}

/** Over sooner when the device finds a network. */
function wait(delayMs: number): Promise<void> {
  return new Promise((resolve) => {
    const over = () => {
      clearTimeout(timer);
      window.removeEventListener('online', over);
      resolve();
    };
    const timer = setTimeout(over, delayMs);
    window.addEventListener('online', over);
  });
}

async function waitingVersion(): Promise<ServiceWorker | null> {
  try {
    return (await serviceWorkers()?.getRegistration())?.waiting ?? null;
  } catch (error) {
    // Browsers that were told to keep nothing refuse even the question; the page is loaded again all the same.
    reportError(error);
    return null;
  }
}

/** How often this version was loaded again here though the server answered; too often where that can't be remembered. */
function reloadsBefore(): number {
  try {
    const [build, count] = (sessionStorage.getItem(RELOADED_KEY) ?? '').split(' ');
    return build === buildName() ? Number(count) : 0;
  } catch (error) {
    reportError(error);
    return Number.POSITIVE_INFINITY;
  }
}

/**
 * Loads this page again as soon as a file of it is there, because one that failed once fails for as long as the page
 * lives. While the server answers all the time, at most `most` times for a version, each later than the one before;
 * for a file that is gone for good, once: another version may have replaced it.
 */
export async function reloadWhenThere(file: string, most: number): Promise<void> {
  let failures = 0;
  let found = await lookFor(file);
  for (; found === 'no-answer'; failures += 1) {
    await wait(retryWaitMs(failures));
    found = await lookFor(file);
  }
  if (failures === 0) {
    const before = reloadsBefore();
    if (before >= (found === 'gone' ? 1 : most)) return;
    if (before > 0) await wait(retryWaitMs(before));
    sessionStorage.setItem(RELOADED_KEY, `${buildName()} ${before + 1}`);
  }
  // A version that waits while the one in use lacks a file has replaced it on the server: the file is gone for good.
  (await waitingVersion())?.postMessage({ type: 'SKIP_WAITING' });
  reloadWhenFree();
}

/**
 * Loads this page again when another version takes over, in every tab alike; not when the first one does, and not
 * under somebody's hands: what is being written is finished first.
 */
export function reloadOnNewVersion(): void {
  let isOfVersion = isControlled();
  navigator.serviceWorker.addEventListener('controllerchange', () => {
    if (isOfVersion) reloadWhenFree();
    isOfVersion = true;
  });
}
