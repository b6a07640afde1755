/** Whether this device can start the app without a network: when the service worker has cached all of its files. */
import { PROGRESS_QUESTION } from '../contract/offline-progress.ts';
import { canRunOffline } from './platform.ts';

/** `part`: how much is cached, 0 to 1. */
export type OfflineReadiness =
  | { kind: 'ready' }
  | { kind: 'unavailable' }
  | { kind: 'loading'; part: number };

const ANSWER_WITHIN_MS = 5000;

/** Null when it doesn't answer: an earlier version knows no such question. */
function ask(worker: ServiceWorker): Promise<number | null> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    const settle = (part: number | null) => {
      resolve(part);
      port1.close();
    };
    const timer = setTimeout(() => settle(null), ANSWER_WITHIN_MS);
    port1.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      clearTimeout(timer);
      settle(typeof data === 'number' ? data : null);
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
  if (worker === null) return { kind: 'loading', part: 0 };
  // A version is only activated once all of its files are cached.
  const part = (await ask(worker)) ?? (active === null ? 0 : 1);
  return active !== null && part === 1 ? { kind: 'ready' } : { kind: 'loading', part };
}

/** Looks once. */
export async function readOfflineReadiness(): Promise<OfflineReadiness> {
  if (!canRunOffline()) return { kind: 'unavailable' };
  // Browsers that were told to keep nothing refuse even the question.
  return read().catch(() => ({ kind: 'unavailable' as const }));
}
