/**
 * The device's own word on its network. A shared worker's requests may still pass where the page's don't (a
 * browser's offline switch, a captive device policy), and requests into a dead network hang for half a minute:
 * while the pages say that the device is offline, this link lets nothing through and fails at once. The pages
 * verify the browser's hint themselves (src/data/client/platform.ts), so a wrong hint corrects itself.
 * Streams that are opened meanwhile wait and open when the device is back.
 */
import { AppError, OFFLINE_TEXT } from '../../../src/contract/errors.ts';
import type { EventHandlers, EventStream, SyncPlatform } from '../platform.ts';

export interface DeviceLink {
  isOnline(): boolean;
  /** Going offline ends what is under way; coming back opens the streams that wait. */
  setOnline(isOnline: boolean): void;
  /** Ends what is under way, as on a line that fell silent; what comes after goes through. */
  renew(): void;
  fetch: SyncPlatform['fetch'];
  openEvents: SyncPlatform['openEvents'];
}

interface Held {
  handlers: EventHandlers;
  open: () => void;
  close: () => void;
}

/** Wraps the platform's own calls; take these in their place everywhere. */
export function createDeviceLink(platform: Pick<SyncPlatform, 'fetch' | 'openEvents'>): DeviceLink {
  let isUp = true;
  let line = new AbortController();
  const streams = new Set<Held>();
  const end = () => {
    line.abort();
    line = new AbortController();
    for (const { close, handlers } of Array.from(streams)) {
      close();
      handlers.onError();
    }
  };

  return {
    renew: end,
    isOnline: () => isUp,
    setOnline(isOnline) {
      if (isOnline === isUp) return;
      isUp = isOnline;
      if (isOnline) for (const stream of streams) stream.open();
      else end();
    },
    async fetch(url, init) {
      if (!isUp) throw new AppError('network', OFFLINE_TEXT, { retryable: true });
      const { signal } = line;
      try {
        return await platform.fetch(url, {
          ...init,
          signal: AbortSignal.any([signal, ...(init.signal ? [init.signal] : [])]),
        });
      } catch (error) {
        // To the caller this is a network that went away, not a request that it gave up itself.
        if (signal.aborted) throw new AppError('network', OFFLINE_TEXT, { cause: error, retryable: true });
        throw error;
      }
    },
    openEvents(url, names, handlers): EventStream {
      let source: EventStream | null = null;
      const held: Held = {
        handlers,
        open: () => {
          source ??= platform.openEvents(url, names, handlers);
        },
        close: () => {
          source?.close();
          source = null;
          streams.delete(held);
        },
      };
      streams.add(held);
      if (isUp) held.open();
      return { close: held.close };
    },
  };
}
