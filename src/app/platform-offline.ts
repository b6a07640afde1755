/**
 * Whether this device can start the app without a network: what the service worker has cached of the app's files, and
 * when it goes on with the rest of them. The service worker does the caching; a page only asks for it.
 */
import {
  CACHE_REST,
  PROGRESS_QUESTION,
  readOfflineProgress,
  type OfflineProgress,
} from '../contract/offline-progress.ts';
import { whenIdle } from '../data/client/platform.ts';
import { canRunOffline } from './platform.ts';

export type OfflineReadiness =
  /** All files are cached. */
  | { kind: 'ready' }
  /** This browser has no service worker for the app. */
  | { kind: 'unavailable' }
  /** The service worker could not be installed; it is tried again. */
  | { kind: 'failed' }
  | ({ kind: 'loading' } & OfflineProgress);

const ANSWER_WITHIN_MS = 5000;
const RETRY_MS = 60_000;
/** What changed meanwhile comes before files: both at once share the network, the processor and the server. */
const AFTER_DATA_MS = 3000;
const NOTHING_YET: OfflineProgress = { part: 0, hasMenuPages: false, isStorageFull: false };
const ALL: OfflineProgress = { part: 1, hasMenuPages: true, isStorageFull: false };

let hasFailed = false;
let isReplaced = false;
let retry: ReturnType<typeof setTimeout> | undefined;

/** Each time that the network is back, once what changed meanwhile had time to come; until the signal aborts. */
export function afterNetworkIsBack(run: () => void, signal?: AbortSignal): void {
  const later = () =>
    setTimeout(() => {
      if (signal?.aborted !== true) run();
    }, AFTER_DATA_MS);
  globalThis.addEventListener('online', later, signal === undefined ? {} : { signal });
}

/** Whether the first installation failed when it was last tried. */
export function noteInstallation(result: 'failed' | 'running'): void {
  hasFailed = result === 'failed';
}

/**
 * A new version, which has all of its files, was let take over. A message would start the old service worker once more,
 * and the new one waits until that is idle.
 */
export function noteReplacement(): void {
  isReplaced = true;
}

/** Null when it doesn't answer, or as an earlier version does. */
function ask(worker: ServiceWorker): Promise<OfflineProgress | null> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    const settle = (progress: OfflineProgress | null) => {
      resolve(progress);
      port1.close();
    };
    const timer = setTimeout(() => settle(null), ANSWER_WITHIN_MS);
    port1.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      clearTimeout(timer);
      settle(readOfflineProgress(data));
    });
    port1.start();
    worker.postMessage(PROGRESS_QUESTION, [port2]);
  });
}

async function read(): Promise<OfflineReadiness> {
  const registration = await navigator.serviceWorker.getRegistration();
  const active = registration?.active ?? null;
  const worker = active ?? registration?.waiting ?? registration?.installing ?? null;
  // Not registered yet: the first data goes before the app's files.
  if (worker === null) return hasFailed ? { kind: 'failed' } : { kind: 'loading', ...NOTHING_YET };
  // Earlier versions were only activated with all of their files.
  const progress = (await ask(worker)) ?? (active === null ? NOTHING_YET : ALL);
  if (active === null) return { kind: 'loading', ...progress, hasMenuPages: false };
  return progress.part === 1 ? { kind: 'ready' } : { kind: 'loading', ...progress };
}

/** Looks once. */
export async function readOfflineReadiness(): Promise<OfflineReadiness> {
  if (!canRunOffline()) return { kind: 'unavailable' };
  // Browsers that were told to keep nothing refuse even the question.
  return read().catch(() => ({ kind: 'unavailable' as const }));
}

async function askForRest(): Promise<void> {
  const { active } = await navigator.serviceWorker.ready;
  if (isReplaced) return;
  if (active === null || (await read()).kind === 'ready') return;
  active.postMessage(CACHE_REST);
  clearTimeout(retry);
  retry = setTimeout(() => whenIdle(cacheRest), RETRY_MS);
}

function cacheRest(): void {
  askForRest().catch((error: unknown) => reportError(error));
}

/**
 * Asks the service worker for the files that are not cached yet, now and once the network is back, until all are. It
 * goes on where it stopped, whatever stopped it: a lost network, a full disk, the browser ending the service worker.
 */
export function cacheRestWhenIdle(): void {
  afterNetworkIsBack(() => whenIdle(cacheRest));
  whenIdle(cacheRest);
}
