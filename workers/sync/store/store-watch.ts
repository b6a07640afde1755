/**
 * Notices that databases of an open store were removed (design §4 law 14): by the browser's own hand or somebody's in
 * its settings. It knows no reason and mends nothing: it says which are gone that were there.
 */
import { isOfStore } from '../../store/store-names.ts';
import { isRetired } from './carry-over.ts';

export interface StoreWatchParts {
  idb: Pick<IDBFactory, 'databases'>;
  storeName: string;
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
      const { idb, storeName, onRemoved } = this.parts;
      const there = new Set((await idb.databases()).flatMap(({ name }) => name ?? []));
      const removed = [...this.seen].filter((name) => !there.has(name));
      this.seen = new Set(
        [...there].filter((name) => isOfStore(storeName, name) && !isRetired(storeName, name)),
      );
      if (removed.length > 0) await onRemoved(removed);
    } finally {
      this.isLooking = false;
    }
  }
}
