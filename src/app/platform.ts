/**
 * What the app takes from the browser, in one place: settings storage, clipboard, share sheet, clock ticks,
 * installation, ids, the promise of persistent storage. Everything else is given these.
 */
import type { CopyResult, Persistence } from '../ui/Device.tsx';
import type { ToastClock } from '../ui/feedback/toast-store.ts';
import { isControlled, isServerThere } from './platform-reload.ts';

const TICK_MS = 1000;

/** Chromium's offer to install; not in the DOM's types. */
interface InstallPromptEvent extends Event {
  prompt(): Promise<unknown>;
}

/** Storage may be blocked (private windows, policies): the app then works with its defaults. */
export function readSetting(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Reports where the browser has no room or forbids it; nothing is thrown. */
export function writeSetting(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch (error) {
    reportError(error);
  }
}

/** Of this tab alone; null where there is none. */
export function readTabSetting(key: string): string | null {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Gone with the tab. */
export function writeTabSetting(key: string, value: string): void {
  try {
    sessionStorage.setItem(key, value);
  } catch (error) {
    reportError(error);
  }
}

/** Says what became of it; throws nothing. */
export async function copyText(text: string): Promise<CopyResult> {
  // Absent on plain http: its type doesn't know that.
  const clipboard: Clipboard | undefined = navigator.clipboard;
  if (clipboard === undefined) return 'unavailable';
  try {
    await clipboard.writeText(text);
    return 'copied';
  } catch {
    return 'failed';
  }
}

async function share(data: { title: string; text?: string; url: string }): Promise<void> {
  try {
    await navigator.share(data);
  } catch (error) {
    // The user closing the sheet is no failure.
    if (!(error instanceof DOMException && error.name === 'AbortError')) reportError(error);
  }
}

/** The share sheet where it is the natural way: on devices that are held in a hand. */
export function shareSheet(): typeof share | null {
  const isHandheld = window.matchMedia('(pointer: coarse)').matches;
  return isHandheld && 'share' in navigator ? share : null;
}

/** The whole address of a path of the app. */
export function addressOf(path: string): string {
  return new URL(path, window.location.origin).href;
}

/** Scheme, host and port of the app. */
export function ownOrigin(): string {
  return window.location.origin;
}

/** Leaves the app for an address that the browser has to load. */
export function loadPage(href: string): void {
  window.location.assign(href);
}

/** The nonce that the server put into this page. */
export function styleNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
}

/** One timer for every age on the screen; it rests while nobody looks. */
export function createTicker(): (listener: () => void) => () => void {
  const listeners = new Set<() => void>();
  const tell = () => {
    if (document.visibilityState !== 'visible') return;
    for (const listener of listeners) listener();
  };
  document.addEventListener('visibilitychange', tell);
  setInterval(tell, TICK_MS);
  return (listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
}

export const toastClock: ToastClock = {
  now: () => performance.now(),
  later(delayMs, run) {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
};

/** Absent on plain http: its type doesn't know that. */
function storageManager(): StorageManager | undefined {
  return navigator.storage;
}

export const persistence: Persistence = {
  read: async () => (await storageManager()?.persisted()) ?? null,
  ask: async () => (await storageManager()?.persist()) ?? null,
};

const hex = (bytes: Uint8Array) => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** Version 7: ids that were made later sort later. Not `randomUUID`, which plain http lacks. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const random = hex(bytes);
  const time = Date.now().toString(16).padStart(12, '0');
  const variant = (8 + ((bytes[8] ?? 0) & 3)).toString(16);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(13, 16)}-${variant}${random.slice(17, 20)}-${random.slice(20)}`;
}

let installPrompt: InstallPromptEvent | null = null;
const installListeners = new Set<() => void>();

function setInstallPrompt(prompt: InstallPromptEvent | null): void {
  installPrompt = prompt;
  for (const listener of installListeners) listener();
}

/** Keeps the browser's offer to install, which comes once and early. */
export function watchInstallable(): void {
  window.addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    setInstallPrompt(event as InstallPromptEvent);
  });
  window.addEventListener('appinstalled', () => setInstallPrompt(null));
}

export const installation = {
  subscribe: (listener: () => void): (() => void) => {
    installListeners.add(listener);
    return () => installListeners.delete(listener);
  },
  isOffered: (): boolean => installPrompt !== null,
  install: async (): Promise<void> => {
    const prompt = installPrompt;
    setInstallPrompt(null);
    await prompt?.prompt();
  },
};

/** Puts the density where the style sheet sees it. */
export function applyDensity(density: 'compact' | 'comfortable'): void {
  document.documentElement.dataset.density = density;
}

/** Whether this build has a service worker and the browser can run it. */
export function canRunOffline(): boolean {
  return import.meta.env.PROD && 'serviceWorker' in navigator;
}

const missingParts = new WeakSet<object>();

/** Remembers which errors are of a part that could not be loaded; the document loads the page again (watch-files.ts). */
export function noteMissingParts(): void {
  window.addEventListener('vite:preloadError', (event) => missingParts.add(event.payload));
}

/** Whether a page crashed because a file of it could not be loaded. */
export function isPartMissing(error: unknown): boolean {
  return typeof error === 'object' && error !== null && missingParts.has(error);
}

/** Tries again after a crash. A part that failed once fails for as long as the page lives. */
export function retryAfterCrash(error: unknown, reset: () => void): void {
  if (!isPartMissing(error)) {
    reset();
    return;
  }
  // The service worker has the page itself, whether or not there is a server.
  if (isControlled()) {
    window.location.reload();
    return;
  }
  void isServerThere().then((isThere) => (isThere ? window.location.reload() : reset()));
}
