/**
 * Tells listeners which tables changed, coalesced: many changes within a short while are one nudge. It says
 * that something changed, never what; readers fetch under their own permissions. The ordered change log of
 * design §4 law 2 takes this place in the next step, behind the same `touch`.
 */
import type { Platform } from '../platform.ts';

/** Long enough to fold the results of one batch together, short enough to stay under 300 ms to the screen. */
const COALESCE_MS = 100;

export type NudgeListener = (tables: string[]) => void;

export interface NudgeHub {
  /** Call after commit with the tables that were written. */
  touch(...tables: string[]): void;
  subscribe(listener: NudgeListener): () => void;
}

export function createNudgeHub(platform: Platform): NudgeHub {
  const listeners = new Set<NudgeListener>();
  let pending = new Set<string>();

  const flush = () => {
    const tables = [...pending].toSorted();
    pending = new Set();
    for (const listener of listeners) listener(tables);
  };

  return {
    touch(...tables) {
      const isFirst = pending.size === 0;
      for (const table of tables) pending.add(table);
      if (isFirst && pending.size > 0) void platform.sleep(COALESCE_MS).then(flush);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
