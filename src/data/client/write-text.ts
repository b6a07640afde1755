/** Small texts of this device where it has no room left: what is made again from the store goes before anything else. */

/** Beginnings of first windows (windows/first-windows.ts). */
const MADE_AGAIN = 'holdfast.window';

type TextStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** How to write one, null for taking it away, and what to do where even that brings no room. */
export interface TextWriter {
  storage: TextStorage;
  keys: () => string[];
  report: (error: unknown) => void;
}

/**
 * Writes it, if need be in the room of first windows. Throws for these alone, which ask for room themselves; for others a
 * device without room is reported, and what stood there before stays: what comes after the note is not held up by it.
 */
export function writeText({ storage, keys, report }: TextWriter, key: string, text: string | null): void {
  if (text === null) return storage.removeItem(key);
  try {
    return storage.setItem(key, text);
  } catch (error) {
    if (key.startsWith(MADE_AGAIN)) throw error;
  }
  for (const other of keys()) if (other.startsWith(MADE_AGAIN)) storage.removeItem(other);
  try {
    storage.setItem(key, text);
  } catch (error) {
    report(error);
  }
}
