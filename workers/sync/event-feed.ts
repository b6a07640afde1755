/**
 * The live feed: listens to the server's event stream where there is one, from where this store stands. It
 * reconnects by itself with backoff; a stream that fell silent is opened anew (a half-open socket says nothing).
 */
import {
  changesEventSchema,
  EVENT_NAMES,
  HEARTBEAT_MS,
  heartbeatSchema,
  type ChangesEvent,
} from '../../src/contract/sync.ts';
import { backoffMs } from './backoff.ts';
import type { EventStream, SyncPlatform } from './platform.ts';

/** A stream that missed two heartbeats is dead though nobody closed it. */
const DEAD_AFTER_MS = 2 * HEARTBEAT_MS + 5000;

export interface FeedHandlers {
  /** Where the store stands; asked at each opening. */
  cursor(): string | null;
  onOpen(): void;
  onChanges(event: ChangesEvent): void;
  onHeartbeat(serverMs: number, cursor: string | null): void;
  onSignedOut(): void;
  /** The stream broke; it is opened again after a while. */
  onLost(): void;
}

/** Listens until the signal aborts. */
export function followEvents(platform: SyncPlatform, signal: AbortSignal, handlers: FeedHandlers): void {
  let stream: EventStream | null = null;
  let failures = 0;
  let cancelWatch = () => {};

  const lose = () => {
    cancelWatch();
    stream?.close();
    stream = null;
    if (signal.aborted) return;
    failures += 1;
    platform.later(
      backoffMs(failures, () => platform.random(), null),
      open,
    );
    handlers.onLost();
  };
  const heard = () => {
    failures = 0;
    cancelWatch();
    cancelWatch = platform.later(DEAD_AFTER_MS, lose);
  };

  const receive = (name: string, data: string) => {
    heard();
    if (name === EVENT_NAMES.signedOut) {
      handlers.onSignedOut();
      return;
    }
    const body: unknown = JSON.parse(data);
    if (name === EVENT_NAMES.changes) {
      handlers.onChanges(changesEventSchema.parse(body));
      return;
    }
    const beat = heartbeatSchema.parse(body);
    handlers.onHeartbeat(Date.parse(beat.server_time), beat.cursor ?? null);
  };

  function open() {
    if (signal.aborted || stream !== null) return;
    const cursor = handlers.cursor();
    const query = cursor === null ? '' : `?cursor=${encodeURIComponent(cursor)}`;
    stream = platform.openEvents(`${platform.origin}/api/events${query}`, Object.values(EVENT_NAMES), {
      onOpen() {
        heard();
        handlers.onOpen();
      },
      onEvent(name, data) {
        try {
          receive(name, data);
        } catch (error) {
          platform.report(error);
        }
      },
      onError: lose,
    });
  }

  signal.addEventListener('abort', lose, { once: true });
  open();
}
