/** Ambient power of the data layer: the workers, device facts, one small place that survives a reload. */
import type { ServedQuestion } from '../../contract/http/first-visit.ts';
import { OUTBOX_SYNC_TAG } from '../../contract/outbox/outbox-tag.ts';
import { buildName } from './build-name.ts';
import { frameName } from './windows/first-frame.ts';
import { writeText } from './write-text.ts';
import { askFirstVisit, firstVisitAsked, type VisitAnswer } from './platform-first-visit.ts';

export type WorkerName = 'compute' | 'sync';

/** A worker that was asked to start. */
export interface StartedWorker {
  port: Worker | MessagePort;
  /** Calls when its file could not be loaded: it is no worker then, and hears nothing of what it was sent. */
  onNotLoaded(listener: () => void): void;
}

export interface DeviceState {
  isOnline: boolean;
  isVisible: boolean;
}

export interface DataPlatform {
  /** ms since 1970, this device's clock. */
  now(): number;
  startWorker(name: WorkerName): StartedWorker;
  /** Scheme, host and port of the app. */
  origin: string;
  /** What the document asked the server at once; null where somebody was here before. */
  firstVisitAsked(): Promise<VisitAnswer | null> | null;
  askFirstVisit(question: ServedQuestion): Promise<VisitAnswer | null>;
  readStored(key: string): string | null;
  writeStored(key: string, text: string | null): void;
  storedKeys(): string[];
  /** Another for each build of the app. */
  build: string;
  /** What this page's first frame is stored as (windows/first-frame.ts). */
  frameName: string;
  /** Calls once, after `delayMs`. */
  later(delayMs: number, run: () => void): void;
  /** Calls when the page has nothing better to do. */
  whenIdle(run: () => void): void;
  /** Calls when the next frame is painted; at once where none is, in a tab that nobody sees. */
  afterPaint(run: () => void): void;
  /** Forgets what this tab remembers of its user: searches, sort orders. */
  forgetTab(): void;
  /** Calls at once and on each change. */
  watchDevice(listener: (state: DeviceState) => void): void;
  /** Calls when the page is left for good or put away. */
  onLeave(listener: () => void): void;
  /** Asks the browser to wake the service worker for the outbox when there is a network, tabs or not. */
  askForWakeUp(): void;
  report(error: unknown): void;
}

/** What keeps small texts on this device needs. */
export type StoredTexts = Pick<DataPlatform, 'readStored' | 'writeStored' | 'report'>;

/** The paths and options must be literal for the bundler. */
const OWN_WORKERS: Readonly<Record<WorkerName, () => Worker>> = {
  compute: () =>
    new Worker(new URL('../../../workers/compute/compute.worker.ts', import.meta.url), {
      type: 'module',
      name: 'holdfast-compute',
    }),
  sync: () =>
    new Worker(new URL('../../../workers/sync/sync.worker.ts', import.meta.url), {
      type: 'module',
      name: 'holdfast-sync',
    }),
};
const SHARED_WORKERS: Readonly<Record<WorkerName, () => SharedWorker>> = {
  compute: () =>
    new SharedWorker(new URL('../../../workers/compute/compute.worker.ts', import.meta.url), {
      type: 'module',
      name: 'holdfast-compute',
    }),
  sync: () =>
    new SharedWorker(new URL('../../../workers/sync/sync.worker.ts', import.meta.url), {
      type: 'module',
      name: 'holdfast-sync',
    }),
};

/** Shared between the tabs of an origin where the browser can. */
function startWorker(name: WorkerName): StartedWorker {
  const worker = typeof SharedWorker === 'undefined' ? OWN_WORKERS[name]() : SHARED_WORKERS[name]();
  return {
    port: 'port' in worker ? worker.port : worker,
    onNotLoaded(listener) {
      worker.addEventListener('error', (event) => {
        // One with a message is of a script that runs.
        if (!(event instanceof ErrorEvent)) listener();
      });
    },
  };
}

/** How often a browser that says it is offline is checked on. */
const PROBE_EVERY_MS = 10_000;
/** A connection that is about to end still answers while the browser says so already. */
const PROBE_AFTER_MS = 1000;

/** Whether this page reaches the server, whatever the browser says of the network. */
async function reachesServer(): Promise<boolean> {
  try {
    return (await fetch('/api/healthz', { cache: 'no-store' })).ok;
  } catch {
    // No answer is the answer.
    return false;
  }
}

/**
 * Tells when the device goes offline and comes back. The browser's word is a hint: while it says offline, the
 * page itself tries now and then, because a server on this very machine is reachable without any network.
 */
function watchDevice(listener: (state: DeviceState) => void): void {
  let isReachable = false;
  const tell = () =>
    listener({
      isOnline: navigator.onLine || isReachable,
      isVisible: document.visibilityState === 'visible',
    });
  const probe = async () => {
    if (navigator.onLine) return;
    const isAnswered = await reachesServer();
    if (isAnswered !== isReachable) {
      isReachable = isAnswered;
      tell();
    }
  };
  const hear = () => {
    isReachable = false;
    tell();
    setTimeout(() => void probe(), PROBE_AFTER_MS);
  };
  globalThis.addEventListener('online', hear);
  globalThis.addEventListener('offline', hear);
  document.addEventListener('visibilitychange', tell);
  setInterval(() => void probe(), PROBE_EVERY_MS);
  tell();
  void probe();
}

/** Not every browser can, and some let the user say no: then what is kept goes out with the next visit. */
async function askForWakeUp(): Promise<void> {
  if (!('serviceWorker' in navigator)) return;
  const registration = await navigator.serviceWorker.ready;
  if (!('sync' in registration)) return;
  // Background Sync is not in the standard library's types.
  const { sync } = registration as { sync: { register(tag: string): Promise<void> } };
  await sync.register(OUTBOX_SYNC_TAG).catch(() => undefined);
}

/** A page that is never idle is not waited for. */
const IDLE_WITHIN_MS = 5000;

/** Calls when the page has nothing better to do. */
export function whenIdle(run: () => void): void {
  // Safari has no such call.
  if ('requestIdleCallback' in globalThis) requestIdleCallback(run, { timeout: IDLE_WITHIN_MS });
  else setTimeout(run, IDLE_WITHIN_MS);
}

/** A task that is asked for in a frame comes after its paint. */
function afterPaint(run: () => void): void {
  if (document.visibilityState === 'hidden') run();
  else requestAnimationFrame(() => setTimeout(run));
}

export const browserPlatform: DataPlatform = {
  now: () => Date.now(),
  startWorker,
  get origin() {
    return globalThis.location.origin;
  },
  firstVisitAsked,
  askFirstVisit,
  readStored: (key) => localStorage.getItem(key),
  writeStored: (key, text) =>
    writeText(
      { storage: localStorage, keys: () => Object.keys(localStorage), report: reportError },
      key,
      text,
    ),
  storedKeys: () => Object.keys(localStorage),
  get build() {
    return buildName();
  },
  get frameName() {
    return frameName(globalThis.location);
  },
  later: (delayMs, run) => void setTimeout(run, delayMs),
  whenIdle,
  afterPaint,
  forgetTab: () => sessionStorage.clear(),
  watchDevice,
  onLeave(listener) {
    globalThis.addEventListener('pagehide', (event) => {
      // A page that is only put away comes back with everything in it.
      if (!event.persisted) listener();
    });
  },
  askForWakeUp: () => void askForWakeUp(),
  report: (error) => reportError(error),
};
