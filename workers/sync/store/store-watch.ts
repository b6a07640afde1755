/**
 * Notices that databases of an open store were removed (design §4 law 14): by the browser's own hand or somebody's in
 * its settings. It knows no reason and mends nothing: it says which are gone that were there.
 */
export interface StoreWatchParts {
  idb: Pick<IDBFactory, 'databases'>;
  names: readonly string[];
  onRemoved: (names: readonly string[]) => Promise<void>;
}

/** One for a user's open store. */
export class StoreWatch {
  private readonly parts: StoreWatchParts;
  private seen = new Set<string>();
  private isLooking = false;

  constructor(parts: StoreWatchParts) {
    this.parts = parts;
  }

  /** Compares with the last look; one look at a time. */
  async look(): Promise<void> {
    if (this.isLooking) return;
    this.isLooking = true;
    try {
      const { idb, names, onRemoved } = this.parts;
      const there = new Set((await idb.databases()).map(({ name }) => name));
      const now = names.filter((name) => there.has(name));
      const removed = [...this.seen].filter((name) => !there.has(name));
      this.seen = new Set(now);
      if (removed.length > 0) await onRemoved(removed);
    } finally {
      this.isLooking = false;
    }
  }
}
