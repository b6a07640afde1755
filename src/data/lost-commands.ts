/**
 * Notices that an outbox was lost (evicted, deleted, corrupt) while commands waited in it. What waited is noted
 * outside of the database, by the time at which the database was made: a younger one in its place has nothing of
 * what the older had. Where the browser took everything of this origin at once, nobody can know.
 */
import { isRecord } from '../lib/is-record.ts';
import type { OutboxView } from '../contract/outbox.ts';
import { createLiveValue } from './live-value.ts';
import type { KeptTexts } from './platform.ts';

export interface LostCommands {
  count: number;
  /** When the oldest of them was written; ms, server clock. */
  sinceMs: number;
}

interface Note {
  bornMs: number;
  waiting: LostCommands;
  lost: LostCommands | null;
}

const NOTHING: LostCommands = { count: 0, sinceMs: 0 };
const keyOf = (storeName: string) => `holdfast.waiting.${storeName}`;

const isCommands = (value: unknown): value is LostCommands =>
  isRecord(value) && typeof value.count === 'number' && typeof value.sinceMs === 'number';

/** By hand: the schema's library would be a sixth of the app's first download. */
function isNote(value: unknown): value is Note {
  if (!isRecord(value) || typeof value.bornMs !== 'number' || !isCommands(value.waiting)) return false;
  return value.lost === null || isCommands(value.lost);
}

function readNote(platform: KeptTexts, storeName: string): Note | null {
  const text = platform.readKept(keyOf(storeName));
  if (text === null) return null;
  try {
    const value: unknown = JSON.parse(text);
    return isNote(value) ? value : null;
  } catch (error) {
    platform.report(error);
    return null;
  }
}

function waitingIn({ items }: OutboxView): LostCommands {
  const waiting = items.filter(({ state }) => state.kind !== 'accepted');
  if (waiting.length === 0) return NOTHING;
  return { count: waiting.length, sinceMs: Math.min(...waiting.map(({ atMs }) => atMs)) };
}

/** What was lost before and what is lost now, told together until the user has read it. */
function joined(before: LostCommands | null, now: LostCommands): LostCommands | null {
  if (now.count === 0) return before;
  if (before === null) return now;
  return { count: before.count + now.count, sinceMs: Math.min(before.sinceMs, now.sinceMs) };
}

export interface LostWatch {
  get: () => LostCommands | null;
  subscribe: (listener: () => void) => () => void;
  /** What the outbox has now. */
  note: (view: OutboxView) => void;
  /** The user has read it. */
  dismiss: () => void;
  /** This outbox is deleted on purpose. */
  forget: (storeName: string) => void;
}

export function createLostWatch(platform: KeptTexts): LostWatch {
  const value = createLiveValue<LostCommands | null>(null);
  let shown: string | null = null;
  const write = (storeName: string, note: Note) => {
    const isNeeded = note.waiting.count > 0 || note.lost !== null;
    platform.writeKept(keyOf(storeName), isNeeded ? JSON.stringify(note) : null);
  };
  return {
    get: value.get,
    subscribe: value.subscribe,
    note(view) {
      const { storeName, bornMs } = view.place;
      const before = readNote(platform, storeName);
      const isAnother = before !== null && before.bornMs !== bornMs;
      const lost = isAnother ? joined(before.lost, before.waiting) : (before?.lost ?? null);
      write(storeName, { bornMs, waiting: waitingIn(view), lost });
      shown = storeName;
      if (JSON.stringify(lost) !== JSON.stringify(value.get())) value.set(lost);
    },
    dismiss() {
      const note = shown === null ? null : readNote(platform, shown);
      if (shown !== null && note !== null) write(shown, { ...note, lost: null });
      value.set(null);
    },
    forget(storeName) {
      platform.writeKept(keyOf(storeName), null);
      if (shown === storeName) value.set(null);
    },
  };
}
