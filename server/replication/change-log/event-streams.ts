/**
 * The open event streams of this process. Owns: who listens and where each stands in the log, heartbeats, and the
 * end of a stream whose session or account ended. Knows nothing of HTTP: a stream is text that somebody pipes
 * out. Invariants: a reader gets only what the roles of this moment may read; all open sessions are asked for in
 * one query, twice a second, so that an end reaches every process on the same database; rows are read once for
 * all readers that may see the same; a reader too slow to keep up is dropped and comes back by itself.
 */
import { PassThrough } from 'node:stream';
import type { Readable } from 'node:stream';
import type { CollectionName } from '../../../src/contract/collections.ts';
import { AppError } from '../../../src/contract/errors.ts';
import { EVENT_NAMES, HEARTBEAT_MS, type Change } from '../../../src/contract/sync.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Principal } from '../../access/identity/sessions/principal.ts';
import type { Sessions } from '../../access/identity/sessions/sessions.ts';
import { runLoop } from '../../platform/jobs/background-loop.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Platform } from '../../platform/platform.ts';
import { changesOf, parseCursor } from './change-feed.ts';
import { createChangeTail, MOST_IN_STREAM, type LogPosition, type LogRange } from './change-tail.ts';
import { readEntries } from './feed-query.ts';
import type { ChangeNotifier } from '../../platform/jobs/change-notifier.ts';
import { addTo } from '../../../src/lib/group-by.ts';

/** A session's end reaches its streams within a second; half of that leaves room for a busy database. */
const WATCH_MS = 500;
/** One account may run a whole wall of devices (the product's goal is 500 on the stream), but not more. */
const MAX_STREAMS_PER_PERSON = 600;
/** A reader that is this far behind is not reading. */
const MAX_BACKLOG_BYTES = 1024 * 1024;
/** Clients come back after 1 to 5 s, each at its own moment, or all would come at once after a restart. */
const RETRY_MIN_MS = 1000;
const RETRY_SPREAD_MS = 4000;

export interface EventStreams {
  /** A stream from that cursor on; without one, from now on. */
  open(reader: Principal, cursor?: string | null): Readable;
  count(): number;
  /** The tail of the log, heartbeats and the watch over sessions, until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
  /** Ends all streams; their readers come back. */
  closeAll(): void;
}

export interface EventStreamDeps {
  db: Database;
  notifier: ChangeNotifier;
  sessions: Pick<Sessions, 'stillLive'>;
  platform: Platform;
  logger: Logger;
  readable: (roles: readonly string[]) => CollectionName[];
  heartbeatMs?: number;
}

interface OpenStream {
  reader: Principal;
  readable: CollectionName[];
  /** The cursor that it came with. */
  from: string | null;
  /** Where it stands in the log; null until it joined. */
  cursor: string | null;
  out: PassThrough;
}

interface Hub extends EventStreamDeps {
  streams: Set<OpenStream>;
  /** Streams that don't follow yet. */
  joining: OpenStream[];
}

function write(stream: OpenStream, event: { name: string; data: string; id: string | null }): void {
  if (stream.out.writableLength > MAX_BACKLOG_BYTES) {
    stream.out.destroy();
    return;
  }
  const id = event.id === null ? '' : `id: ${event.id}\n`;
  stream.out.write(`${id}event: ${event.name}\ndata: ${event.data}\n\n`);
}

const serverTime = (hub: Hub) => new Date(hub.platform.now()).toISOString();

function beat(hub: Hub, stream: OpenStream): void {
  const cursor = stream.cursor === null ? {} : { cursor: stream.cursor };
  const data = JSON.stringify({ server_time: serverTime(hub), ...cursor });
  write(stream, { name: EVENT_NAMES.heartbeat, data, id: null });
}

/** Moves a stream on; `changes` null makes its reader ask. */
function tell(hub: Hub, stream: OpenStream, { cursor, changes }: { cursor: string; changes: string }): void {
  const previous = JSON.stringify(stream.cursor ?? cursor);
  const data = `{"previous":${previous},"cursor":${JSON.stringify(cursor)},"server_time":"${serverTime(hub)}","changes":${changes}}`;
  stream.cursor = cursor;
  write(stream, { name: EVENT_NAMES.changes, data, id: cursor });
}

/** Tells a range to all who stand at its beginning, each audience its own rows. */
async function sendRange(hub: Hub, range: LogRange): Promise<void> {
  const audiences = new Map<string, OpenStream[]>();
  for (const stream of hub.streams) {
    if (stream.cursor === null) continue;
    const key = stream.readable.join();
    addTo(audiences, key, stream);
  }
  const { entries } = range;
  const all = audiences.size === 0 || entries === null ? [] : await changesOf(hub.db, entries);
  const cursor = `${range.epoch}.${range.to}`;
  for (const streams of audiences.values()) {
    const readable = new Set<CollectionName>(streams[0]?.readable);
    const own: Change[] = all.filter((change) => readable.has(change.collection));
    const changes = entries === null ? 'null' : JSON.stringify(own);
    for (const stream of streams) tell(hub, stream, { cursor, changes });
  }
}

/** What somebody who stands at `from` missed up to `place`, as JSON; 'null' when it is too much to tell. */
async function missedSince(
  hub: Hub,
  { from, place, readable }: { from: string; place: LogPosition; readable: readonly CollectionName[] },
): Promise<string> {
  const at = parseCursor(from);
  if (at === null || at.epoch !== place.epoch || at.sequence > place.sequence) return 'null';
  if (at.sequence === place.sequence) return '[]';
  const { state, entries } = await readEntries(hub.db, {
    after: at.sequence,
    limit: MOST_IN_STREAM + 1,
    collections: readable,
  });
  // What is older than the log remembers may lack deletes: the reader asks, and is told to start over.
  if (entries.length > MOST_IN_STREAM || at.sequence < state.horizon) return 'null';
  const upTo = entries.filter((entry) => entry.seq <= place.sequence);
  return JSON.stringify(await changesOf(hub.db, upTo));
}

/**
 * Brings new streams to where the tail stands, and lets them follow from there. Those that come from the same
 * place are answered together: after a restart of the server that is nearly everybody.
 */
async function join(hub: Hub, place: LogPosition): Promise<void> {
  const cursor = `${place.epoch}.${place.sequence}`;
  const groups = new Map<string, OpenStream[]>();
  for (const stream of hub.joining.splice(0)) {
    stream.cursor = stream.from ?? cursor;
    const key = `${stream.cursor} ${stream.readable.join()}`;
    addTo(groups, key, stream);
  }
  for (const streams of groups.values()) {
    const [first] = streams;
    const from = first?.cursor ?? cursor;
    const changes =
      from === cursor ? null : await missedSince(hub, { from, place, readable: first?.readable ?? [] });
    for (const stream of streams) {
      if (changes !== null) tell(hub, stream, { cursor, changes });
      beat(hub, stream);
    }
  }
}

/** Ends the streams of tokens that ended: their readers come back with new ones. */
function endWithTokens(hub: Hub): void {
  const nowMs = hub.platform.now();
  for (const stream of hub.streams) {
    const { tokenEndsMs } = stream.reader;
    if (tokenEndsMs === undefined || tokenEndsMs > nowMs) continue;
    stream.out.end();
    hub.streams.delete(stream);
  }
}

/** Gives each stream the roles of now, and ends those whose session is over. */
async function watchSessions(hub: Hub): Promise<void> {
  endWithTokens(hub);
  const watched = [...hub.streams].filter((stream) => stream.reader.sessionId !== null);
  const ids = new Set(watched.flatMap((stream) => stream.reader.sessionId ?? []));
  if (ids.size === 0) return;
  const live = await hub.sessions.stillLive([...ids]);
  for (const stream of watched) {
    const roles = live.get(stream.reader.sessionId ?? '');
    if (roles === undefined) {
      const data = JSON.stringify({ server_time: serverTime(hub) });
      write(stream, { name: EVENT_NAMES.signedOut, data, id: null });
      stream.out.end();
      hub.streams.delete(stream);
      continue;
    }
    const readable = hub.readable(roles);
    if (readable.join() === stream.readable.join()) continue;
    stream.readable = readable;
    // What may be read is told with the answer to the question that this provokes.
    if (stream.cursor !== null) tell(hub, stream, { cursor: stream.cursor, changes: 'null' });
  }
}

function openStream(hub: Hub, reader: Principal, from: string | null): OpenStream {
  const own = [...hub.streams].filter((stream) => stream.reader.personId === reader.personId).length;
  if (own >= MAX_STREAMS_PER_PERSON) {
    throw new AppError('rate_limited', `More than ${MAX_STREAMS_PER_PERSON} open streams`);
  }
  const readable = hub.readable(reader.roles);
  const stream: OpenStream = { reader, readable, from, cursor: null, out: new PassThrough() };
  const forget = () => hub.streams.delete(stream);
  stream.out.on('close', forget);
  // A reader that goes away in the middle of a write is no fault of ours.
  stream.out.on('error', forget);
  hub.streams.add(stream);
  stream.out.write(`retry: ${RETRY_MIN_MS + Math.round(hub.platform.random() * RETRY_SPREAD_MS)}\n\n`);
  return stream;
}

/** One for the process. */
export function createEventStreams(deps: EventStreamDeps): EventStreams {
  const hub: Hub = { ...deps, streams: new Set(), joining: [] };
  const { db, notifier, platform, logger } = deps;
  const tail = createChangeTail({
    db,
    notifier,
    platform,
    logger,
    onRange: (range) => sendRange(hub, range),
  });
  const joinSoon = async () => {
    try {
      await tail.look(false);
      await tail.between(async () => {
        const place = tail.place();
        if (place === null) throw new AppError('server', 'the change log could not be read');
        await join(hub, place);
      });
    } catch (error) {
      logger.error({ err: error }, 'event streams: readers could not join');
      // One that could not join would hear nothing for ever; dropped, it comes back by itself.
      for (const stream of hub.joining.splice(0)) stream.out.destroy();
    }
  };
  return {
    open(reader, cursor = null) {
      const stream = openStream(hub, reader, cursor);
      hub.joining.push(stream);
      if (hub.joining.length === 1) void joinSoon();
      return stream.out;
    },
    count: () => hub.streams.size,
    async run(signal) {
      const heartbeatMs = hub.heartbeatMs ?? HEARTBEAT_MS;
      const pulse = async () => {
        await tail.look(true);
        for (const stream of hub.streams) beat(hub, stream);
      };
      const loops = [
        { name: 'sessions of event streams', everyMs: WATCH_MS, run: () => watchSessions(hub) },
        { name: 'heartbeat of event streams', everyMs: heartbeatMs, run: pulse },
      ];
      await Promise.all([tail.run(signal), ...loops.map((loop) => runLoop(hub, loop, signal))]);
    },
    closeAll() {
      for (const stream of hub.streams) stream.out.end();
      hub.streams.clear();
    },
  };
}
