/**
 * The live feed: listens to the server's event stream where there is one, from where this store stands. It
 * reconnects by itself with backoff; a stream that fell silent, or never opens, is opened anew (a half-open socket
 * says nothing).
 */
import {
  changesEventSchema,
  EVENT_NAMES,
  HEARTBEAT_MS,
  heartbeatSchema,
  type ChangesEvent,
} from '../../../src/contract/sync.ts';
import { backoffMs } from './backoff.ts';
import type { EventStream, SyncPlatform } from '../platform.ts';

/** A stream that missed two heartbeats is dead though nobody closed it. */
const DEAD_AFTER_MS = 2 * HEARTBEAT_MS + 5000;
/** One that took longer than this to open never will; a slow line opens one in a second or two. */
const CONNECT_LIMIT_MS = 10_000;

export interface FeedHandlers {
  /** Where the store stands; asked at each opening. */
  cursor(): string | null;
  onOpen(): void;
  onChanges(event: ChangesEvent): void;
  onHeartbeat(serverMs: number, cursor: string | null): void;
  onSignedOut(): void;
  /**
   * The stream broke, did not open, or said nothing (`isSilent`); it is opened again after a while. `isFirst`: since it
   * was open, or since an outage.
   */
  onLost(isSilent: boolean, isFirst: boolean): void;
}

/** Listens until its signal aborts. */
export class EventFeed {
  private readonly platform: SyncPlatform;
  private readonly signal: AbortSignal;
  private readonly handlers: FeedHandlers;
  private stream: EventStream | null = null;
  private isOpen = false;
  private failures = 0;
  private cancelWatch = () => {};
  private cancelRetry = () => {};

  /** Listens until the signal aborts. */
  constructor(platform: SyncPlatform, signal: AbortSignal, handlers: FeedHandlers) {
    this.platform = platform;
    this.signal = signal;
    this.handlers = handlers;
    signal.addEventListener('abort', () => this.end(), { once: true });
    this.open();
  }

  /** Opens a stream that isn't open now: the server was just heard on another way. */
  reopen(): void {
    if (this.isOpen || this.signal.aborted) return;
    this.end();
    this.open();
  }

  /** The same after a time without the server: what is lost from now on is news. */
  reopenAfterOutage(): void {
    if (!this.isOpen) this.failures = 0;
    this.reopen();
  }

  private open(): void {
    const { platform, handlers } = this;
    if (this.signal.aborted || this.stream !== null) return;
    const cursor = handlers.cursor();
    const query = cursor === null ? '' : `?cursor=${encodeURIComponent(cursor)}`;
    this.stream = platform.openEvents(`${platform.origin}/api/events${query}`, Object.values(EVENT_NAMES), {
      onOpen: () => {
        this.isOpen = true;
        this.heard();
        handlers.onOpen();
      },
      onEvent: (name, data) => {
        try {
          this.receive(name, data);
        } catch (error) {
          platform.report(error);
        }
      },
      onError: () => this.lose(false),
    });
    this.watch(CONNECT_LIMIT_MS);
  }

  private end(): void {
    this.cancelWatch();
    this.cancelRetry();
    this.stream?.close();
    this.stream = null;
    this.isOpen = false;
  }

  private lose(isSilent: boolean): void {
    this.end();
    if (this.signal.aborted) return;
    this.failures += 1;
    const delayMs = backoffMs(this.failures, () => this.platform.random(), null);
    this.cancelRetry = this.platform.later(delayMs, () => this.open());
    this.handlers.onLost(isSilent, this.failures === 1);
  }

  private watch(limitMs: number): void {
    this.cancelWatch();
    this.cancelWatch = this.platform.later(limitMs, () => this.lose(true));
  }

  private heard(): void {
    this.failures = 0;
    this.watch(DEAD_AFTER_MS);
  }

  private receive(name: string, data: string): void {
    const { handlers } = this;
    this.heard();
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
  }
}
