/** One collection of the attached store, read and followed for as long as somebody asks about it. */
import {
  COLLECTION_FACTS,
  type CollectionName,
  type ReplicatedRow,
} from '../../../src/contract/collections.ts';
import { requestRows } from '../../store/row-requests.ts';
import type { ComputePlatform } from '../platform.ts';
import { createSlices } from '../slices.ts';
import { createStoreFollower, type StoreFollower } from '../store-follower.ts';
import {
  CollectionIndex,
  noRows,
  prepareOrders,
  prepareRows,
  type EntryChange,
  type PreparedRows,
} from '../../../src/contract/row-index/collection-index.ts';
import type { LoadTurns } from './load-turns.ts';
import type { ShownRows } from '../../../src/contract/row-index/shown-rows.ts';
import { readInto } from './read-collection.ts';
import { RowTable } from '../../../src/contract/row-index/row-table.ts';

/** Fewer are searched at once, however they lie. */
const WARM_FROM = 2000;
const WARM_ROWS = 256;

interface Prepared {
  isWhole: boolean;
  rows: PreparedRows;
}

export interface LiveCollectionOptions {
  platform: Pick<
    ComputePlatform,
    'announce' | 'idb' | 'listen' | 'later' | 'newId' | 'nextTurn' | 'now' | 'report'
  >;
  collection: CollectionName;
  overlay: ShownRows;
  turns: LoadTurns;
  /** Rows changed; null when anything may have. */
  onChange: (changes: readonly EntryChange[] | null) => void;
}

/** Close it when nobody asks any more: it stops following the store. */
export class LiveCollection {
  readonly index: CollectionIndex;
  private readonly options: LiveCollectionOptions;
  private readonly follower: StoreFollower;
  private readonly stopListening: (() => void)[] = [];
  private isWhole = false;

  private storeName: string | null = null;

  constructor(options: LiveCollectionOptions) {
    const { platform, collection, overlay } = options;
    this.options = options;
    this.index = new CollectionIndex(collection, overlay);
    this.follower = createStoreFollower<Prepared>({
      listen: (listener) => {
        const stop = platform.listen(listener);
        this.stopListening.push(stop);
        return stop;
      },
      later: platform.later,
      target: {
        concerns: (name) => name === collection,
        load: (storeName) => this.load(storeName),
        onLoaded: ({ isWhole, rows }) => this.take(isWhole, rows),
        // Rows were parsed when they came in from the server.
        onChange: ({ upserts, deletedIds }) =>
          this.apply({ upserts: upserts as ReplicatedRow[], deletedIds }),
        onFailure: (error) => {
          platform.report(error);
          // Only the writer can make it anew.
          if (this.storeName !== null && error instanceof SyntaxError)
            platform.announce({ type: 'damaged', storeName: this.storeName });
        },
      },
    });
  }

  /** The first load is in and was read. */
  isLoaded(): boolean {
    return this.isWhole;
  }

  /** Reads another store, or none; forgets what was read before. */
  follow(storeName: string | null): void {
    this.storeName = storeName;
    this.take(false, noRows());
    this.follower.follow(storeName);
  }

  /** Computes rows anew whose pending commands changed. */
  recompute(ids: Iterable<string>): void {
    const changes = this.index.recompute(ids);
    if (changes.length > 0) this.options.onChange(changes);
  }

  close(): void {
    this.follower.follow(null);
    for (const stop of this.stopListening) stop();
  }

  private async load(storeName: string): Promise<Prepared> {
    const { platform, collection, turns } = this.options;
    const isWanted = () => this.storeName === storeName;
    const isInRxdb = COLLECTION_FACTS[collection].store === 'rxdb';
    // Not in turn: the others don't wait for another worker.
    const answer = isInRxdb ? await requestRows(platform, { storeName, collection }, isWanted) : null;
    return await turns.take(collection, {
      read: async (pause) => {
        if (answer !== null) return { isWhole: answer.isWhole, rows: await prepareRows(answer.rows, pause) };
        const table = new RowTable();
        const isWhole = await readInto(table, { idb: platform.idb, storeName, collection });
        return { isWhole, rows: await prepareOrders(table, this.index.sorts(), pause) };
      },
      pause: createSlices(platform).pause,
    });
  }

  private take(isWhole: boolean, rows: PreparedRows): void {
    this.isWhole = isWhole;
    this.index.replaceAll(rows);
    this.options.onChange(null);
    this.warm(rows.table).catch((error: unknown) => this.options.platform.report(error));
  }

  /** What the first search would have to make. */
  private async warm(table: RowTable): Promise<void> {
    if (table.size < WARM_FROM) return;
    const slices = createSlices(this.options.platform);
    await slices.rest();
    for (let slot = 0; slot < table.slotCount && this.index.table === table; slot += WARM_ROWS) {
      table.warmSearch(slot, slot + WARM_ROWS);
      await slices.pause();
    }
  }

  private apply(change: { upserts: readonly ReplicatedRow[]; deletedIds: readonly string[] }): void {
    // What comes before the first load is in would look like all there is.
    if (!this.isWhole) return;
    this.options.onChange(this.index.apply(change));
  }
}
