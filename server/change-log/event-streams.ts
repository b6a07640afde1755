/**
 * The open event streams of this process. Owns: who listens, heartbeats, and the end of a stream whose session
 * or account ended. Knows nothing of HTTP: a stream is text that somebody pipes out. Invariants: a reader hears
 * only of tables that the roles of this moment may read; all open sessions are asked for in one query, twice a
 * second, so that an end reaches every process on the same database; a reader too slow to keep up is dropped
 * and comes back by itself.
 */
import { PassThrough } from 'node:stream';
import type { Readable } from 'node:stream';
import { AppError } from '../../src/contract/errors.ts';
import { EVENT_NAMES, HEARTBEAT_MS } from '../../src/contract/sync.ts';
import type { Principal } from '../identity/principal.ts';
import type { Sessions } from '../identity/sessions.ts';
import type { Logger } from '../logger.ts';
import type { Platform } from '../platform.ts';
import type { NudgeHub } from './nudge-hub.ts';

/** A session's end reaches its streams within a second; half of that leaves room for a busy database. */
const WATCH_MS = 500;
/** One account may run a whole wall of devices (the product's goal is 500 on the stream), but not more. */
const MAX_STREAMS_PER_PERSON = 600;
/** Some thousand nudges that nobody read. */
const MAX_BACKLOG_BYTES = 256 * 1024;
/** Clients come back after 1 to 5 s, each at its own moment, or all would come at once after a restart. */
const RETRY_MIN_MS = 1000;
const RETRY_SPREAD_MS = 4000;

export interface EventStreams {
  open(reader: Principal): Readable;
  count(): number;
  /** Heartbeats and the watch over sessions, until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
  /** Ends all streams; their readers come back. */
  closeAll(): void;
}

interface OpenStream {
  reader: Principal;
  roles: string[];
  out: PassThrough;
}

export function createEventStreams(deps: {
  nudges: NudgeHub;
  sessions: Pick<Sessions, 'stillLive'>;
  platform: Platform;
  logger: Logger;
  mayReadTable: (roles: readonly string[], table: string) => boolean;
  heartbeatMs?: number;
}): EventStreams {
  const { nudges, sessions, platform, logger, mayReadTable, heartbeatMs = HEARTBEAT_MS } = deps;
  const streams = new Set<OpenStream>();
  const serverTime = () => new Date(platform.now()).toISOString();

  function write(stream: OpenStream, event: string, data: object): void {
    if (stream.out.writableLength > MAX_BACKLOG_BYTES) {
      stream.out.destroy();
      return;
    }
    stream.out.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  }

  function nudge(tables: readonly string[]): void {
    for (const stream of streams) {
      const readable = tables.filter((table) => mayReadTable(stream.roles, table));
      if (readable.length > 0) {
        write(stream, EVENT_NAMES.nudge, { tables: readable, server_time: serverTime() });
      }
    }
  }

  async function watchSessions(): Promise<void> {
    const watched = [...streams].filter((stream) => stream.reader.sessionId !== null);
    const ids = new Set(watched.flatMap((stream) => stream.reader.sessionId ?? []));
    if (ids.size === 0) return;
    const live = await sessions.stillLive([...ids]);
    for (const stream of watched) {
      const roles = live.get(stream.reader.sessionId ?? '');
      if (roles !== undefined) {
        stream.roles = roles;
        continue;
      }
      write(stream, EVENT_NAMES.signedOut, { server_time: serverTime() });
      stream.out.end();
      streams.delete(stream);
    }
  }

  async function repeat(everyMs: number, signal: AbortSignal, step: () => Promise<void> | void) {
    while (!signal.aborted) {
      try {
        await step();
      } catch (error) {
        logger.error({ err: error }, 'event streams: a round failed, the next one tries again');
      }
      await platform.sleep(everyMs, signal);
    }
  }

  return {
    open(reader) {
      const own = [...streams].filter((stream) => stream.reader.personId === reader.personId).length;
      if (own >= MAX_STREAMS_PER_PERSON) {
        throw new AppError('rate_limited', `More than ${MAX_STREAMS_PER_PERSON} open streams`);
      }
      const stream: OpenStream = { reader, roles: reader.roles, out: new PassThrough() };
      stream.out.on('close', () => streams.delete(stream));
      // A reader that goes away in the middle of a write is no fault of ours; 'close' follows.
      stream.out.on('error', () => streams.delete(stream));
      streams.add(stream);
      stream.out.write(`retry: ${RETRY_MIN_MS + Math.round(platform.random() * RETRY_SPREAD_MS)}\n\n`);
      write(stream, EVENT_NAMES.heartbeat, { server_time: serverTime() });
      return stream.out;
    },

    count: () => streams.size,

    async run(signal) {
      const unsubscribe = nudges.subscribe(nudge);
      await Promise.all([
        repeat(WATCH_MS, signal, watchSessions),
        repeat(heartbeatMs, signal, () => {
          for (const stream of streams) write(stream, EVENT_NAMES.heartbeat, { server_time: serverTime() });
        }),
      ]);
      unsubscribe();
    },

    closeAll() {
      for (const stream of streams) stream.out.end();
      streams.clear();
    },
  };
}
