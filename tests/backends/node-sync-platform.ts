/** The sync worker's platform on Node, for tests: real network and timers, databases of fake-indexeddb. */
import { randomUUID } from 'node:crypto';
import type { EventHandlers, EventStream, SyncPlatform } from '../../workers/sync/platform.ts';

export interface Bus {
  announce(message: unknown): void;
  listen(listener: (message: unknown) => void): () => void;
  messages: unknown[];
}

/** Joins workers as a BroadcastChannel does. */
export function createBus(): Bus {
  const listeners = new Set<(message: unknown) => void>();
  const messages: unknown[] = [];
  return {
    messages,
    announce(message) {
      messages.push(structuredClone(message));
      for (const listener of listeners) listener(structuredClone(message));
    },
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Reads an event stream with fetch; enough of EventSource for the feed. */
export function openEvents(
  url: string,
  handlers: EventHandlers,
  ask: SyncPlatform['fetch'] = fetch,
): EventStream {
  const stop = new AbortController();
  const read = async () => {
    const response = await ask(url, { signal: stop.signal });
    if (!response.ok || response.body === null) throw new Error(String(response.status));
    handlers.onOpen();
    let text = '';
    for await (const part of response.body.pipeThrough(new TextDecoderStream())) {
      text += part;
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        const event = /^event: (.*)$/m.exec(block)?.[1];
        const data = /^data: (.*)$/m.exec(block)?.[1];
        if (event !== undefined && data !== undefined) handlers.onEvent(event, data);
      }
    }
    throw new Error('ended');
  };
  read().catch(() => {
    if (!stop.signal.aborted) handlers.onError();
  });
  return { close: () => stop.abort() };
}

export interface TestPlatform extends SyncPlatform {
  errors: unknown[];
}

export function createNodeSyncPlatform(origin: string, bus: Bus): TestPlatform {
  const errors: unknown[] = [];
  const locks = new Map<string, { held: Promise<void>; lost: AbortController }>();
  return {
    errors,
    now: () => Date.now(),
    elapsed: () => performance.now(),
    random: () => 0.1,
    newId: () => randomUUID(),
    later(delayMs, callback) {
      const timer = setTimeout(callback, delayMs);
      return () => clearTimeout(timer);
    },
    fetch: (url, init) => fetch(url, init),
    openEvents: (url, _, handlers) => openEvents(url, handlers),
    origin,
    idb: indexedDB,
    announce: (message) => bus.announce(message),
    listen: (listener) => bus.listen(listener),
    async holdLock({ name, signal, steal }, run) {
      const lost = new AbortController();
      if (steal) locks.get(name)?.lost.abort();
      else await locks.get(name)?.held;
      if (signal.aborted) return;
      const held = run(lost.signal);
      locks.set(name, { held, lost });
      await held;
    },
    estimateStorage: async () => ({ usedBytes: null, quotaBytes: null }),
    report: (error) => errors.push(error),
  };
}
