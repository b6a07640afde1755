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

export interface EventStreamDeps {
  nudges: NudgeHub;
  sessions: Pick<Sessions, 'stillLive'>;
  platform: Platform;
  logger: Logger;
  mayReadTable: (roles: readonly string[], table: string) => boolean;
  heartbeatMs?: number;
}

interface OpenStream {
  reader: Principal;
  roles: string[];
  out: PassThrough;
}

interface Hub extends EventStreamDeps {
  streams: Set<OpenStream>;
}

function write(hub: Hub, stream: OpenStream, message: { event: string; tables?: readonly string[] }): void {
  if (stream.out.writableLength > MAX_BACKLOG_BYTES) {
    stream.out.destroy();
    return;
  }
  const serverTime = new Date(hub.platform.now()).toISOString();
  const tables = message.tables === undefined ? {} : { tables: message.tables };
  const data = JSON.stringify({ ...tables, server_time: serverTime });
  stream.out.write(`event: ${message.event}\ndata: ${data}\n\n`);
}

function nudgeReaders(hub: Hub, tables: readonly string[]): void {
  for (const stream of hub.streams) {
    const readable = tables.filter((table) => hub.mayReadTable(stream.roles, table));
    if (readable.length > 0) write(hub, stream, { event: EVENT_NAMES.nudge, tables: readable });
  }
}

/** Gives each stream the roles of now, and ends those whose session is over. */
async function watchSessions(hub: Hub): Promise<void> {
  const watched = [...hub.streams].filter((stream) => stream.reader.sessionId !== null);
  const ids = new Set(watched.flatMap((stream) => stream.reader.sessionId ?? []));
  if (ids.size === 0) return;
  const live = await hub.sessions.stillLive([...ids]);
  for (const stream of watched) {
    const roles = live.get(stream.reader.sessionId ?? '');
    if (roles !== undefined) {
      stream.roles = roles;
      continue;
    }
    write(hub, stream, { event: EVENT_NAMES.signedOut });
    stream.out.end();
    hub.streams.delete(stream);
  }
}

interface Round {
  everyMs: number;
  signal: AbortSignal;
  step: () => Promise<void> | void;
}

async function repeat(hub: Hub, { everyMs, signal, step }: Round): Promise<void> {
  while (!signal.aborted) {
    try {
      await step();
    } catch (error) {
      hub.logger.error({ err: error }, 'event streams: a round failed, the next one tries again');
    }
    await hub.platform.sleep(everyMs, signal);
  }
}

function openStream(hub: Hub, reader: Principal): PassThrough {
  const own = [...hub.streams].filter((stream) => stream.reader.personId === reader.personId).length;
  if (own >= MAX_STREAMS_PER_PERSON) {
    throw new AppError('rate_limited', `More than ${MAX_STREAMS_PER_PERSON} open streams`);
  }
  const stream: OpenStream = { reader, roles: reader.roles, out: new PassThrough() };
  const forget = () => hub.streams.delete(stream);
  stream.out.on('close', forget);
  // A reader that goes away in the middle of a write is no fault of ours.
  stream.out.on('error', forget);
  hub.streams.add(stream);
  stream.out.write(`retry: ${RETRY_MIN_MS + Math.round(hub.platform.random() * RETRY_SPREAD_MS)}\n\n`);
  write(hub, stream, { event: EVENT_NAMES.heartbeat });
  return stream.out;
}

export function createEventStreams(deps: EventStreamDeps): EventStreams {
  const hub: Hub = { ...deps, streams: new Set() };
  const beat = () => {
    for (const stream of hub.streams) write(hub, stream, { event: EVENT_NAMES.heartbeat });
  };
  return {
    open: (reader) => openStream(hub, reader),
    count: () => hub.streams.size,
    async run(signal) {
      const unsubscribe = hub.nudges.subscribe((tables) => nudgeReaders(hub, tables));
      const heartbeatMs = hub.heartbeatMs ?? HEARTBEAT_MS;
      await Promise.all([
        repeat(hub, { everyMs: WATCH_MS, signal, step: () => watchSessions(hub) }),
        repeat(hub, { everyMs: heartbeatMs, signal, step: beat }),
      ]);
      unsubscribe();
    },
    closeAll() {
      for (const stream of hub.streams) stream.out.end();
      hub.streams.clear();
    },
  };
}
