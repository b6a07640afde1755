/**
 * The live nudge: listens to the server's event stream where there is one, says when tables changed and when
 * the server was heard. It reconnects by itself with backoff; a stream that fell silent is opened anew.
 */
import { EVENT_NAMES, HEARTBEAT_MS, heartbeatSchema, nudgeSchema } from '../../src/contract/sync.ts';
import { backoffMs } from './backoff.ts';
import type { EventStream, SyncPlatform } from './platform.ts';

/** A stream that missed this many heartbeats is dead though nobody closed it. */
const DEAD_AFTER_MS = 3 * HEARTBEAT_MS + 2000;

export interface FeedHandlers {
  onOpen(): void;
  onNudge(tables: string[], serverMs: number): void;
  onHeartbeat(serverMs: number): void;
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
    if (name === EVENT_NAMES.nudge) {
      const { tables, server_time: time } = nudgeSchema.parse(body);
      handlers.onNudge(tables, Date.parse(time));
    } else {
      handlers.onHeartbeat(Date.parse(heartbeatSchema.parse(body).server_time));
    }
  };

  function open() {
    if (signal.aborted || stream !== null) return;
    stream = platform.openEvents(`${platform.origin}/api/events`, Object.values(EVENT_NAMES), {
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
