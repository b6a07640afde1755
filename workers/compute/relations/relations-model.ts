/**
 * The relations of the attached store, read when somebody first asks and followed from then on, beside the items and
 * changes that live queries hold. It knows no question.
 * Invariant: nothing is answered from a collection before its first load is in (design §4 law 10).
 */
import type { CollectionName, ReplicatedRow } from '../../../src/contract/collections.ts';
import type { LiveQueries } from '../live/live-queries.ts';
import { visitPacked } from '../live/read-collection.ts';
import type { ComputePlatform } from '../platform.ts';
import { createStoreFollower, type StoreFollower } from '../store-follower.ts';
import { factsOf } from './config-facts.ts';
import { linkIn, RelationLinks } from './relation-links.ts';

/** As many relations as a device keeps (contract COLLECTION_FACTS; a test compares them). */
export const RELATIONS_CAP = 300_000;

export type ModelPlatform = Pick<ComputePlatform, 'announce' | 'idb' | 'listen' | 'later' | 'report'>;

/** One collection in a form of its own. */
interface Part<Data> {
  collection: CollectionName;
  empty: () => Data;
  fill: (data: Data, rows: ReplicatedRow[]) => void;
  put: (data: Data, row: ReplicatedRow) => void;
  remove: (data: Data, id: string) => void;
}

interface Held<Data> {
  data: Data;
  isWhole: boolean;
}

/** Reads and follows one collection. */
class Follower<Data> {
  held: Held<Data>;
  private readonly part: Part<Data>;
  private readonly stops: (() => void)[] = [];
  private readonly follower: StoreFollower;
  private storeName: string | null = null;

  constructor(platform: ModelPlatform, part: Part<Data>, onChange: () => void) {
    this.part = part;
    this.held = { data: part.empty(), isWhole: false };
    this.follower = createStoreFollower<Held<Data>>({
      listen: (listener) => {
        const stop = platform.listen(listener);
        this.stops.push(stop);
        return stop;
      },
      later: (delayMs, callback) => platform.later(delayMs, callback),
      target: {
        concerns: (name) => name === part.collection,
        load: (storeName) => this.load(platform.idb, storeName),
        onLoaded: (held) => {
          this.held = held;
          onChange();
        },
        onChange: ({ upserts, deletedIds }) => {
          // What comes before the first load is in would look like all there is.
          if (!this.held.isWhole) return;
          // Rows were parsed when they came in from the server.
          this.apply(this.held.data, { upserts: upserts as ReplicatedRow[], deletedIds });
          onChange();
        },
        onFailure: (error) => {
          platform.report(error);
          // Only the writer can make it anew.
          if (this.storeName !== null && error instanceof SyntaxError)
            platform.announce({ type: 'damaged', storeName: this.storeName });
        },
      },
    });
  }

  follow(storeName: string | null): void {
    this.storeName = storeName;
    this.held = { data: this.part.empty(), isWhole: false };
    this.follower.follow(storeName);
  }

  close(): void {
    this.follower.follow(null);
    for (const stop of this.stops) stop();
  }

  private async load(idb: IDBFactory, storeName: string): Promise<Held<Data>> {
    const data = this.part.empty();
    const isWhole = await visitPacked({
      idb,
      storeName,
      collection: this.part.collection,
      fill: (rows) => this.part.fill(data, rows),
      apply: (change) => this.apply(data, change),
    });
    return { data, isWhole };
  }

  private apply(
    data: Data,
    { deletedIds, upserts }: { deletedIds: readonly string[]; upserts: readonly ReplicatedRow[] },
  ): void {
    for (const id of deletedIds) this.part.remove(data, id);
    for (const row of upserts) this.part.put(data, row);
  }
}

type Joined = ReturnType<LiveQueries['join']>;

/** One for the worker while somebody asks; close it to let its memory go. */
export class RelationsModel {
  /** Rises with every change. */
  version = 0;
  private readonly links: Follower<RelationLinks>;
  private readonly configs: Joined;
  private readonly changes: Joined;
  /** How many changes each item has; null when they are to be counted anew. */
  private counts: ReadonlyMap<unknown, number> | null = null;

  constructor(platform: ModelPlatform, live: Pick<LiveQueries, 'join'>, onChange: () => void) {
    const tell = () => {
      this.version += 1;
      onChange();
    };
    this.links = new Follower<RelationLinks>(
      platform,
      {
        collection: 'config_relationships',
        empty: () => new RelationLinks(),
        fill: (links, rows) => links.fill(rows.map(linkIn)),
        put: (links, row) => links.put(linkIn(row)),
        remove: (links, id) => links.remove(id),
      },
      tell,
    );
    this.configs = live.join('configs', tell);
    this.changes = live.join('config_changes', () => {
      this.counts = null;
      tell();
    });
  }

  isLoaded(): boolean {
    return this.links.held.isWhole && this.configs.source.isLoaded();
  }

  /** There may be relations beyond those that this device keeps. */
  isCut(): boolean {
    return this.relations.size >= RELATIONS_CAP;
  }

  get relations(): RelationLinks {
    return this.links.held.data;
  }

  factsOf(id: string) {
    return factsOf(this.configs.source.index.table, id);
  }

  /** Of the last 7 days: what the server's view `configs` counts, too. */
  changesOf(id: string): number {
    const { table } = this.changes.source.index;
    this.counts ??= table.count(table.takenSlots(), 'config_id');
    return this.counts.get(id) ?? 0;
  }

  follow(storeName: string | null): void {
    this.version += 1;
    this.links.follow(storeName);
  }

  close(): void {
    this.links.close();
    for (const joined of [this.configs, this.changes]) joined.leave();
  }
}
