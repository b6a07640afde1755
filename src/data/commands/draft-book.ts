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
  state: 'new' | 'sending' | 'failed';
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

/** Answers how to write one; false where that is not durable. */
function reporting({ report }: Pick<StoredTexts, 'report'>, writeText: WriteText) {
  return async (key: string, text: string | null): Promise<boolean> => {
    try {
      return (await writeText(key, text)).ok;
    } catch (error) {
      report(error);
      return false;
    }
  };
}

/** One write of a key at a time; what was written meanwhile follows as one. Answers whether the last is durable. */
async function writeLatest(one: OwnText, put: (text: string | null) => Promise<boolean>): Promise<boolean> {
  one.state = 'sending';
  let isDurable = false;
  for (let sent: string | null | undefined; sent !== one.text;) {
    sent = one.text;
    isDurable = await put(sent);
  }
  one.state = 'failed';
  return isDurable;
}

/** One for the page; `writeText` keeps a text in the worker, `platform` what a left page had not written. */
export function createDraftBook(platform: StoredTexts, writeText: WriteText): DraftBook {
  const value = createLiveValue<Texts | null>(null);
  const note = createDraftNote(platform);
  const put = reporting(platform, writeText);
  let owner: string | null = null;
  let kept: Texts | null = null;
  let own = new Map<string, OwnText>();

  const show = () => value.set(kept === null && own.size === 0 ? null : withOwn(kept ?? {}, own));
  /** It stays on top until the worker's own word has come, which it sends before it answers; or while there is no room. */
  const send = async (storeName: string, key: string, one: OwnText) => {
    const mine = own;
    if (await writeLatest(one, (text) => put(key, text))) {
      // What is durable now is newer than what a page left.
      note.remove(storeName, key);
      mine.delete(key);
      retry();
    } else if (mine === own) {
      // The page may end in a way that it doesn't hear of. Of who left, nothing is noted any more.
      note.add(storeName, new Map([[key, one.text]]));
    }
  };
  /** Until the worker told what it keeps, it has nobody to keep texts for. */
  const sendNew = () => {
    if (owner === null || kept === null) return;
    for (const [key, one] of own) if (one.state === 'new') void send(owner, key, one);
  };
  /** There may be room now. Not with each word of the worker, which tells of what it could not write, too. */
  const retry = () => {
    for (const one of own.values()) if (one.state === 'failed') one.state = 'new';
    sendNew();
  };

  return {
    value,
    receive(drafts) {
      if (drafts.storeName !== owner) return;
      if (kept === null)
        for (const [key, text] of note.read(owner)) if (!own.has(key)) own.set(key, { text, state: 'new' });
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
      if (before === undefined) own.set(key, { text, state: 'new' });
      else before.text = text;
      show();
      retry();
    },
    leave() {
      if (owner !== null) note.add(owner, new Map([...own].map(([key, { text }]) => [key, text])));
    },
    forget: note.clear,
  };
}
