/**
 * In which order a first load brings the collections: what a page waits for first, then as `COLLECTIONS` says. It may
 * change while a load runs. It decides nothing else: all of them are loaded.
 */
import { COLLECTIONS, type CollectionName } from '../../../src/contract/collections.ts';

/** One for a worker; its pages share it. */
export class LoadOrder {
  private wanted: readonly CollectionName[] = [];

  /** A page shows these now, the most important first. */
  want(collections: readonly CollectionName[]): void {
    this.wanted = [...new Set([...collections, ...this.wanted])];
  }

  /** Each collection once; which one is next is decided when it is asked for. */
  *[Symbol.iterator](): Generator<CollectionName> {
    const left = new Set<CollectionName>(COLLECTIONS);
    for (;;) {
      const next = [...this.wanted, ...left].find((name) => left.has(name));
      if (next === undefined) return;
      left.delete(next);
      yield next;
    }
  }
}
