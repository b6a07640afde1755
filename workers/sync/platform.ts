/** Ambient power of the sync worker: network, clock, timers, local databases, locks. Injected everywhere else. */
import { STORE_CHANNEL } from '../store/store-facts.ts';

/** A server-sent event stream. */
export interface EventStream {
  close(): void;
}

export interface EventHandlers {
  onOpen(): void;
  onEvent(name: string, data: string): void;
  onError(): void;
}

export interface LockRequest {
  name: string;
  /** Gives up waiting; does not end what runs. */
  signal: AbortSignal;
  steal: boolean;
}

export interface SyncPlatform {
  /** ms since 1970, this device's clock. */
  now(): number;
  /** ms that only ever grow, whatever happens to the clock; says nothing about the time. */
  elapsed(): number;
  /** In [0, 1). */
  random(): number;
  newId(): string;
  /** Calls back once after `delayMs`; returns how to cancel it. */
  later(delayMs: number, callback: () => void): () => void;
  fetch(url: string, init: RequestInit): Promise<Response>;
  openEvents(url: string, names: readonly string[], handlers: EventHandlers): EventStream;
  /** Scheme, host and port that the app was loaded from; the API is below it. */
  origin: string;
  idb: IDBFactory;
  /** Tells every reader of the store, in this thread's order. */
  announce(message: unknown): void;
  listen(listener: (message: unknown) => void): () => void;
  /**
   * Runs while holding a lock that one worker of this origin can hold; waits for it, or takes it from whoever
   * holds it. `lost` aborts when somebody took it from here; what runs on after that holds nothing.
   */
  holdLock(request: LockRequest, run: (lost: AbortSignal) => Promise<void>): Promise<void>;
  /** What the browser says of this origin's storage; nulls where it doesn't. */
  estimateStorage(): Promise<{ usedBytes: number | null; quotaBytes: number | null }>;
  /** For errors that no caller waits for. */
  report(error: unknown): void;
}

function createBus() {
  const channel = new BroadcastChannel(STORE_CHANNEL);
  return {
    announce: (message: unknown) => channel.postMessage(message),
    listen(listener: (message: unknown) => void) {
      const handle = (event: MessageEvent<unknown>) => listener(event.data);
      channel.addEventListener('message', handle);
      return () => channel.removeEventListener('message', handle);
    },
  };
}

async function holdWebLock(
  { name, signal, steal }: LockRequest,
  run: (lost: AbortSignal) => Promise<void>,
): Promise<void> {
  const lost = new AbortController();
  if (!('locks' in navigator)) {
    await run(lost.signal);
    return;
  }
  let isRunning = false;
  try {
    // A request that steals can't be given up, and never waits.
    await navigator.locks.request(name, steal ? { steal } : { signal }, async () => {
      isRunning = true;
      await run(lost.signal);
    });
  } catch (error) {
    // The browser rejects a stolen lock's request while what it ran goes on.
    const isStolen = isRunning && error instanceof DOMException && error.name === 'AbortError';
    if (!isStolen) throw error;
    lost.abort();
  }
}

/** The platform of a real worker. */
export function createWorkerPlatform(): SyncPlatform {
  const bus = createBus();
  return {
    now: () => Date.now(),
    elapsed: () => performance.now(),
    random: () => Math.random(),
    newId: () => crypto.randomUUID(),
    later(delayMs, callback) {
      const timer = setTimeout(callback, delayMs);
      return () => clearTimeout(timer);
    },
    fetch: (url, init) => fetch(url, init),
    openEvents(url, names, handlers) {
      const source = new EventSource(url);
      source.addEventListener('open', () => handlers.onOpen());
      source.addEventListener('error', () => handlers.onError());
      for (const name of names) {
        source.addEventListener(name, (event: MessageEvent<string>) => handlers.onEvent(name, event.data));
      }
      return { close: () => source.close() };
    },
    origin: location.origin,
    idb: indexedDB,
    announce: (message) => bus.announce(message),
    listen: (listener) => bus.listen(listener),
    holdLock: holdWebLock,
    async estimateStorage() {
      const { usage, quota } = await navigator.storage.estimate();
      return { usedBytes: usage ?? null, quotaBytes: quota ?? null };
    },
    report: (error) => reportError(error),
  };
}
