/** What pages left unwritten, outside of the database: at most a few texts, and only until they are durable. */
import { recordOf } from '../../lib/is-record.ts';
import type { StoredTexts } from '../client/platform.ts';
import { storedJson } from '../client/stored-json.ts';

/** Texts by their keys; null forgets one. */
export type NotedTexts = ReadonlyMap<string, string | null>;

export interface DraftNote {
  read: (storeName: string) => NotedTexts;
  add: (storeName: string, texts: NotedTexts) => void;
  remove: (storeName: string, key: string) => void;
  clear: (storeName: string) => void;
}

const keyOf = (storeName: string) => `holdfast.drafts.${storeName}`;
const isNoted = (value: unknown): value is string | null => value === null || typeof value === 'string';

/** `platform` is where notes outlive the page. */
export function createDraftNote(platform: StoredTexts): DraftNote {
  const read = (storeName: string): Map<string, string | null> => {
    const entries = Object.entries(recordOf(storedJson(platform, keyOf(storeName))));
    return new Map(entries.flatMap(([key, text]) => (isNoted(text) ? [[key, text]] : [])));
  };
  const write = (storeName: string, note: NotedTexts) =>
    platform.writeStored(keyOf(storeName), note.size === 0 ? null : JSON.stringify(Object.fromEntries(note)));
  return {
    read,
    add: (storeName, texts) => {
      if (texts.size > 0) write(storeName, new Map([...read(storeName), ...texts]));
    },
    remove: (storeName, key) => {
      const note = read(storeName);
      if (note.delete(key)) write(storeName, note);
    },
    clear: (storeName) => write(storeName, new Map()),
  };
}
