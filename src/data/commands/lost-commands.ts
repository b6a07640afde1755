/**
 * Notices that an outbox was lost (evicted, deleted, corrupt) while commands waited in it. What waited is noted
 * outside of the database, by the time at which the database was made: a younger one in its place has nothing of
 * what the older had. Invariant: nothing is told as lost before the server was asked for it by its id; what went
 * out with the last tab (the service worker's work) is there. Where the browser took everything of this origin at
 * once, nobody can know.
 */
import { isRecord } from '../../lib/is-record.ts';
import type { OutboxItem, OutboxView } from '../../contract/outbox/outbox.ts';
import { createLiveValue } from '../client/live-value.ts';
import type { StoredTexts } from '../client/platform.ts';
import { storedJson } from '../client/stored-json.ts';

export interface LostCommands {
  count: number;
  /** When the oldest of them was written; ms, server clock. */
  sinceMs: number;
}

/** When each command was written, by its id; ms, server clock. */
type Written = Readonly<Record<string, number>>;

interface Note {
  bornMs: number;
  waiting: Written;
  /** Went with their database; the server has not been asked for them yet. */
  missing: Written;
  lost: LostCommands | null;
}

const keyOf = (storeName: string) => `holdfast.waiting.${storeName}`;

const isCommands = (value: unknown): value is LostCommands =>
  isRecord(value) && typeof value.count === 'number' && typeof value.sinceMs === 'number';
const isWritten = (value: unknown): value is Written =>
  isRecord(value) && Object.values(value).every((atMs) => typeof atMs === 'number');

/** By hand: the schema's library would be a sixth of the app's first download. */
function isNote(value: unknown): value is Note {
  if (!isRecord(value) || typeof value.bornMs !== 'number') return false;
  if (!isWritten(value.waiting) || !isWritten(value.missing)) return false;
  return value.lost === null || isCommands(value.lost);
}

function readNote(platform: StoredTexts, storeName: string): Note | null {
  const note = storedJson(platform, keyOf(storeName));
  return isNote(note) ? note : null;
}

/** So few are noted anew whenever one of them is gone. */
const FEW = 200;
/** Of more, when so large a part of what was noted is gone. */
const GONE_SHARE = 0.1;

interface Noted {
  storeName: string;
  bornMs: number;
  ids: ReadonlySet<string>;
}

/**
 * Whether the note would say nothing that is needed: whoever reads it later asks the server for what is in it, so that too
 * much does no harm, and of thousands each answer would be a megabyte to write.
 */
function isGoodEnough(noted: Noted | null, { items, place }: OutboxView): boolean {
  if (noted?.storeName !== place.storeName || noted.bornMs !== place.bornMs) return false;
  const waiting = items.filter(({ state }) => state.kind !== 'accepted');
  if (waiting.length <= FEW || waiting.length < noted.ids.size * (1 - GONE_SHARE)) return false;
  return waiting.every(({ commandId }) => noted.ids.has(commandId));
}

function waitingIn(items: readonly OutboxItem[]): Written {
  const waiting = items.filter(({ state }) => state.kind !== 'accepted');
  return Object.fromEntries(waiting.map(({ commandId, atMs }) => [commandId, atMs]));
}

/** What was lost before and what is lost now, told together until the user has read it. */
function joined(before: LostCommands | null, now: Written): LostCommands | null {
  const times = Object.values(now);
  if (times.length === 0) return before;
  const sinceMs = Math.min(...times, before?.sinceMs ?? Number.POSITIVE_INFINITY);
  return { count: times.length + (before?.count ?? 0), sinceMs };
}

function without(written: Written, ids: ReadonlySet<string>): Written {
  return Object.fromEntries(Object.entries(written).filter(([id]) => !ids.has(id)));
}

/** What is noted of an outbox; `before` may be the note of one that was there before it. */
function noteOf(before: Note | null, { items, place: { bornMs } }: OutboxView): Note {
  const isAnother = before !== null && before.bornMs !== bornMs;
  const missing = { ...before?.missing, ...(isAnother ? before.waiting : {}) };
  const here = new Set(items.map(({ commandId }) => commandId));
  return {
    bornMs,
    waiting: waitingIn(items),
    missing: without(missing, here),
    lost: before?.lost ?? null,
  };
}

export interface LostWatch {
  get: () => LostCommands | null;
  subscribe: (listener: () => void) => () => void;
  /** What the outbox has now. */
  note: (view: OutboxView) => void;
  /** The server can be asked again. */
  ask: () => void;
  /** The user has read it. */
  dismiss: () => void;
  /** This outbox is deleted on purpose. */
  forget: (storeName: string) => void;
}

/** `findDone`: which of these commands the server has done; null while it can't be asked. */
type FindDone = (commandIds: string[]) => Promise<readonly string[] | null>;

/** `findDone` asks the server which of the missing commands it has applied. */
export function createLostWatch(platform: StoredTexts, findDone: FindDone): LostWatch {
  const value = createLiveValue<LostCommands | null>(null);
  let shown: string | null = null;
  let isAsking = false;
  let noted: Noted | null = null;
  const write = (storeName: string, note: Note) => {
    const isNeeded = Object.keys({ ...note.waiting, ...note.missing }).length > 0 || note.lost !== null;
    platform.writeStored(keyOf(storeName), isNeeded ? JSON.stringify(note) : null);
    if (JSON.stringify(note.lost) !== JSON.stringify(value.get())) value.set(note.lost);
  };
  const find = async (storeName: string, asked: string[]) => {
    const found = await findDone(asked);
    const note = readNote(platform, storeName);
    if (found === null || note === null || storeName !== shown) return;
    const done = new Set(found);
    const gone = asked.filter((id) => id in note.missing && !done.has(id));
    const lost = joined(note.lost, Object.fromEntries(gone.map((id) => [id, note.missing[id] ?? 0])));
    write(storeName, { ...note, missing: without(note.missing, new Set(asked)), lost });
  };
  const ask = () => {
    const note = shown === null ? null : readNote(platform, shown);
    const asked = Object.keys(note?.missing ?? {});
    if (shown === null || asked.length === 0 || isAsking) return;
    isAsking = true;
    find(shown, asked)
      .catch((error: unknown) => platform.report(error))
      .finally(() => {
        isAsking = false;
      });
  };
  return {
    get: value.get,
    subscribe: value.subscribe,
    ask,
    note(view) {
      if (isGoodEnough(noted, view)) return;
      const { storeName, bornMs } = view.place;
      const note = noteOf(readNote(platform, storeName), view);
      shown = storeName;
      noted = { storeName, bornMs, ids: new Set(Object.keys(note.waiting)) };
      write(storeName, note);
      ask();
    },
    dismiss() {
      const note = shown === null ? null : readNote(platform, shown);
      if (shown !== null && note !== null) write(shown, { ...note, lost: null });
      value.set(null);
    },
    forget(storeName) {
      noted = null;
      platform.writeStored(keyOf(storeName), null);
      if (shown === storeName) value.set(null);
    },
  };
}
