/**
 * Texts that the signed-in user began to write, as this page has them: what the worker keeps, with what was
 * written here a moment ago on top. They belong to one store; with another user, or nobody, there are none.
 * Invariant: a page that is left notes what is not durable yet, and the next page of that user writes it.
 */
import type { DraftTexts } from '../../contract/worker.ts';
import { createLiveValue, type LiveValue } from '../client/live-value.ts';
import type { StoredTexts } from '../client/platform.ts';
import { createDraftNote } from './draft-note.ts';

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

/** What is shown: what the worker keeps, with this page's own on top. */
function withOwn(kept: Texts, own: ReadonlyMap<string, OwnText>): Texts {
  const texts = new Map(Object.entries(kept));
  for (const [key, { text }] of own) {
    if (text === null) texts.delete(key);
    else texts.set(key, text);
  }
  return Object.fromEntries(texts);
}

/** One for the page; `writeText` keeps a text in the worker, `platform` what a left page had not written. */
export function createDraftBook(platform: StoredTexts, writeText: WriteText): DraftBook {
  const value = createLiveValue<Texts | null>(null);
  const note = createDraftNote(platform);
  let owner: string | null = null;
  let kept: Texts | null = null;
  let own = new Map<string, OwnText>();

  const show = () => value.set(kept === null && own.size === 0 ? null : withOwn(kept ?? {}, own));
  /** One write of a key at a time; what was written meanwhile follows as one. */
  const send = async (storeName: string, key: string, one: OwnText) => {
    const mine = own;
    one.isSending = true;
    try {
      for (let sent: string | null | undefined; sent !== one.text;) {
        sent = one.text;
        const { ok } = await writeText(key, sent);
        // What is durable now is newer than what a page left.
        if (ok) note.remove(storeName, key);
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
        for (const [key, text] of note.read(owner))
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
      if (owner !== null) note.add(owner, new Map([...own].map(([key, { text }]) => [key, text])));
    },
    forget: note.clear,
  };
}
