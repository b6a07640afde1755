/**
 * Texts that the signed-in user began to write, as this page has them: what the worker keeps, with what was
 * written here a moment ago on top. They belong to one store; with another user, or nobody, there are none.
 * Invariant: a page that is left notes what is not durable yet, and the next page of that user writes it.
 */
import { isRecord } from '../../lib/is-record.ts';
import type { DraftTexts } from '../../contract/worker.ts';
import { createLiveValue, type LiveValue } from '../client/live-value.ts';
import type { StoredTexts } from '../client/platform.ts';

export type Texts = Readonly<Record<string, string>>;

export interface DraftBook {
  /** Null until they were read. */
  value: LiveValue<Texts | null>;
  /** What the worker keeps. */
  receive: (drafts: DraftTexts) => void;
  /** Another user's from now on, or nobody's. */
  setStore: (storeName: string | null) => void;
  /** Keeps a text, or forgets it (null). */
  write: (key: string, text: string | null) => void;
  /** The page is left: the worker may end with what it was given and did not write. */
  leave: () => void;
  /** This store is deleted on purpose. */
  forget: (storeName: string) => void;
}

type WriteText = (key: string, text: string | null) => Promise<{ ok: boolean }>;

/** Written here and not yet durable: newer than anything that the worker tells of it. */
interface OwnText {
  text: string | null;
  isSending: boolean;
}

const keyOf = (storeName: string) => `holdfast.drafts.${storeName}`;

function readNote(platform: StoredTexts, storeName: string): Map<string, string | null> {
  try {
    const note: unknown = JSON.parse(platform.readStored(keyOf(storeName)) ?? '{}');
    const entries = Object.entries(isRecord(note) ? note : {});
    return new Map(entries.flatMap(([key, text]) => (isText(text) ? [[key, text]] : [])));
  } catch (error) {
    platform.report(error);
    return new Map();
  }
}

const isText = (value: unknown): value is string | null => value === null || typeof value === 'string';

function writeNote(platform: StoredTexts, storeName: string, note: ReadonlyMap<string, string | null>): void {
  platform.writeStored(keyOf(storeName), note.size === 0 ? null : JSON.stringify(Object.fromEntries(note)));
}

/** One for the page; `writeText` keeps a text in the worker, `platform` what a left page had not written. */
export function createDraftBook(platform: StoredTexts, writeText: WriteText): DraftBook {
  const value = createLiveValue<Texts | null>(null);
  let owner: string | null = null;
  let kept: Texts | null = null;
  let own = new Map<string, OwnText>();

  const show = () => {
    if (kept === null && own.size === 0) {
      value.set(null);
      return;
    }
    const texts = new Map(Object.entries(kept ?? {}));
    for (const [key, { text }] of own) {
      if (text === null) texts.delete(key);
      else texts.set(key, text);
    }
    value.set(Object.fromEntries(texts));
  };
  /** What is durable now is newer than what a page left. */
  const strike = (storeName: string, key: string) => {
    const note = readNote(platform, storeName);
    if (note.delete(key)) writeNote(platform, storeName, note);
  };
  /** One write of a key at a time; what was written meanwhile follows as one. */
  const send = async (storeName: string, key: string, one: OwnText) => {
    const mine = own;
    one.isSending = true;
    try {
      for (let sent: string | null | undefined; sent !== one.text;) {
        sent = one.text;
        const { ok } = await writeText(key, sent);
        if (ok) strike(storeName, key);
      }
    } catch (error) {
      platform.report(error);
    }
    // It stays on top until the worker's own word has come, which it sends before it answers.
    mine.delete(key);
  };
  /** Until the worker told what it keeps, it has nobody to keep texts for. */
  const sendNew = () => {
    if (owner === null || kept === null) return;
    for (const [key, one] of own) if (!one.isSending) void send(owner, key, one);
  };

  return {
    value,
    receive(drafts) {
      if (drafts.storeName !== owner) return;
      if (kept === null)
        for (const [key, text] of readNote(platform, owner))
          if (!own.has(key)) own.set(key, { text, isSending: false });
      kept = drafts.texts;
      show();
      sendNew();
    },
    setStore(storeName) {
      if (storeName === owner) return;
      owner = storeName;
      kept = null;
      own = new Map();
      show();
    },
    write(key, text) {
      const before = own.get(key);
      if (before === undefined) own.set(key, { text, isSending: false });
      else before.text = text;
      show();
      sendNew();
    },
    leave() {
      if (owner === null || own.size === 0) return;
      const note = readNote(platform, owner);
      for (const [key, { text }] of own) note.set(key, text);
      writeNote(platform, owner, note);
    },
    forget(storeName) {
      writeNote(platform, storeName, new Map());
    },
  };
}
