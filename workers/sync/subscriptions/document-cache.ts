/** The cache of what the server answered, with the time at which it was true. */
import type { RowStore } from '../../store/row-store.ts';
import type { CachedDocument } from '../../store/store-facts.ts';

/** Documents beyond this many are dropped, longest unasked first. */
const MAX_DOCUMENTS = 1000;

/** Documents cached on the device, by id. */
export interface DocumentCache {
  get(id: string): Promise<CachedDocument | null>;
  put(document: CachedDocument): Promise<void>;
}

/** A cache that drops the least recently used document when it is full. */
export function createDocumentCache(
  store: RowStore<CachedDocument> & {
    partitions(): Promise<string[]>;
    dropPartitions(names: readonly string[]): Promise<void>;
  },
): DocumentCache {
  /** Least recently used first. */
  let used: Map<string, true> | null = null;
  const touch = async (id: string) => {
    used ??= new Map((await store.partitions()).map((name) => [name, true]));
    used.delete(id);
    used.set(id, true);
    const surplus = [...used.keys()].slice(0, Math.max(0, used.size - MAX_DOCUMENTS));
    if (surplus.length === 0) return;
    await store.dropPartitions(surplus);
    for (const name of surplus) used.delete(name);
  };
  return {
    async get(id) {
      const [document] = await store.loadAll(id);
      return document ?? null;
    },
    async put(document) {
      await store.apply({ upserts: [document], deletedIds: [] });
      await touch(document.id);
    },
  };
}
