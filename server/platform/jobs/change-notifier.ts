/**
 * Tells listeners which tables changed, coalesced: many changes within a short while are one notification. It says
 * that something changed, never what: the tail of the change log looks then.
 */
import type { Platform } from '../platform.ts';

/** Long enough to fold the results of one batch together, short enough to stay under 300 ms to the screen. */
const COALESCE_MS = 100;
const FIRST_MS = 10;

export type ChangeListener = (tables: string[]) => void;

export interface ChangeNotifier {
  /** Call after commit with the tables that were written. */
  notify(...tables: string[]): void;
  subscribe(listener: ChangeListener): () => void;
}

/** One for the process; other processes on the database are not told. */
export function createChangeNotifier(platform: Platform): ChangeNotifier {
  const listeners = new Set<ChangeListener>();
  let pending = new Set<string>();
  let flushedAtMs = Number.NEGATIVE_INFINITY;

  const flush = () => {
    flushedAtMs = platform.now();
    const tables = [...pending].toSorted();
    pending = new Set();
    for (const listener of listeners) listener(tables);
  };

  return {
    notify(...tables) {
      const isFirst = pending.size === 0;
      for (const table of tables) pending.add(table);
      if (!isFirst || pending.size === 0) return;
      // The first after a quiet while is told nearly at once; the rest of a burst together. Clocks may be set back.
      const sinceMs = Math.max(0, platform.now() - flushedAtMs);
      const waitMs = Math.max(FIRST_MS, COALESCE_MS - sinceMs);
      void platform.sleep(waitMs).then(flush);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
