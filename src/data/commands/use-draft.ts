import { useCallback, useSyncExternalStore } from 'react';
import { dataClient } from '../client/data-client.ts';

export interface StoredDraft {
  /** What was kept; null when nothing was, undefined until that is known. */
  text: string | null | undefined;
  keep: (text: string | null) => void;
}

/** A text that the signed-in user is writing, kept in their store on this device until it is sent or given up. */
export function useDraft(key: string): StoredDraft {
  const { drafts } = dataClient();
  const texts = useSyncExternalStore(drafts.value.subscribe, drafts.value.get);
  const keep = useCallback((text: string | null) => drafts.write(key, text), [drafts, key]);
  return { text: texts === null ? undefined : (texts[key] ?? null), keep };
}

/** How many texts the signed-in user began and has not sent; undefined until that is known. */
export function useDraftCount(): number | undefined {
  const { drafts } = dataClient();
  const texts = useSyncExternalStore(drafts.value.subscribe, drafts.value.get);
  return texts === null ? undefined : Object.keys(texts).length;
}
