/** Ambient power of the compute worker: clock, timers, local databases to read, the store's channel. */
import { STORE_CHANNEL } from '../store/store-facts.ts';

export interface ComputePlatform {
  /** ms since 1970, this device's clock. */
  now(): number;
  newId(): string;
  /** Calls back once after `delayMs`. */
  later(delayMs: number, callback: () => void): void;
  /** Goes on once the messages and events that wait have been handled; a timer would be late by milliseconds. */
  nextTurn?(): Promise<void>;
  every(intervalMs: number, callback: () => void): void;
  idb: IDBFactory;
  /** Messages of the store's writer; unknown, because another version of the app may send them. */
  listen(listener: (message: unknown) => void): () => void;
  /** Tells the store's writer. */
  announce(message: unknown): void;
  /** For errors that no caller waits for. */
  report(error: unknown): void;
}

/** A message to itself stands behind those that wait already. */
function createTurns(): () => Promise<void> {
  const { port1, port2 } = new MessageChannel();
  const waiting: (() => void)[] = [];
  port1.addEventListener('message', () => waiting.shift()?.());
  port1.start();
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      port2.postMessage(null);
    });
}

export const workerPlatform: ComputePlatform = {
  now: () => Date.now(),
  newId: () => crypto.randomUUID(),
  later: (delayMs, callback) => {
    setTimeout(callback, delayMs);
  },
  nextTurn: createTurns(),
  every: (intervalMs, callback) => {
    setInterval(callback, intervalMs);
  },
  idb: indexedDB,
  listen(listener) {
    const channel = new BroadcastChannel(STORE_CHANNEL);
    channel.addEventListener('message', (event: MessageEvent<unknown>) => listener(event.data));
    return () => channel.close();
  },
  announce(message) {
    const channel = new BroadcastChannel(STORE_CHANNEL);
    channel.postMessage(message);
    channel.close();
  },
  report: (error) => reportError(error),
};
