/**
 * Texts that the signed-in user began to write, as this page has them: what the worker keeps, with what was
 * written here a moment ago on top. They belong to one store; with another user, or nobody, there are none.
 */
import type { DraftTexts } from '../../contract/worker.ts';
import { createLiveValue, type LiveValue } from '../client/live-value.ts';

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
}

interface BookParts {
  write: (key: string, text: string | null) => Promise<{ ok: boolean }>;
  report: (error: unknown) => void;
}

/** One for the page; `write` keeps a text in the worker, `report` gets its failures. */
export function createDraftBook({ write, report }: BookParts): DraftBook {
  const value = createLiveValue<Texts | null>(null);
  let owner: string | null = null;
  let kept: Texts | null = null;
  /** Written here and not yet durable: newer than anything that the worker tells of them. */
  let own = new Map<string, { text: string | null; writes: number }>();

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
  const settle = (key: string, writes: typeof own) => {
    const mine = writes.get(key);
    if (mine === undefined) return;
    mine.writes -= 1;
    // It stays on top until the worker's own word has come, which it sends before it answers.
    if (mine.writes === 0) writes.delete(key);
  };

  return {
    value,
    receive(drafts) {
      if (drafts.storeName !== owner) return;
      kept = drafts.texts;
      show();
    },
    setStore(storeName) {
      if (storeName === owner) return;
      owner = storeName;
      kept = null;
      own = new Map();
      show();
    },
    write(key, text) {
      const writes = own;
      writes.set(key, { text, writes: (writes.get(key)?.writes ?? 0) + 1 });
      show();
      write(key, text)
        .catch(report)
        .finally(() => settle(key, writes));
    },
  };
}
