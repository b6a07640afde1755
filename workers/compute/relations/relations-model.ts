/**
 * The relations, items and counts of changes of the attached store, read when somebody first asks and followed
 * from then on. It owns the numbers that both are kept by; it knows no question.
 * Invariant: nothing is answered from a collection before its first load is in (design §4 law 10).
 */
import type { CollectionName, ReplicatedRow } from '../../../src/contract/collections.ts';
import { visitPacked } from '../live/read-collection.ts';
import type { ComputePlatform } from '../platform.ts';
import { createStoreFollower, type StoreFollower } from '../store-follower.ts';
import { ChangeCounts } from './change-counts.ts';
import { ConfigFactsIndex } from './config-facts.ts';
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

/** Items are kept by their ids: the links may be read anew, and number them otherwise. */
class ConfigRows {
  readonly numbers = new Map<string, number>();
  readonly facts = new ConfigFactsIndex();

  put(row: ReplicatedRow): void {
    const number = this.numbers.get(row.id) ?? this.numbers.size;
    this.numbers.set(row.id, number);
    this.facts.put(number, row);
  }

  remove(id: string): void {
    const number = this.numbers.get(id);
    if (number !== undefined) this.facts.remove(number);
  }
}

/** One for the worker while somebody asks; close it to let its memory go. */
export class RelationsModel {
  /** Rises with every change. */
  version = 0;
  private readonly links: Follower<RelationLinks>;
  private readonly configs: Follower<ConfigRows>;
  private readonly counts: Follower<ChangeCounts>;

  constructor(platform: ModelPlatform, onChange: () => void) {
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
    this.configs = new Follower<ConfigRows>(
      platform,
      {
        collection: 'configs',
        empty: () => new ConfigRows(),
        fill: (configs, rows) => {
          for (const row of rows) configs.put(row);
        },
        put: (configs, row) => configs.put(row),
        remove: (configs, id) => configs.remove(id),
      },
      tell,
    );
    this.counts = new Follower<ChangeCounts>(
      platform,
      {
        collection: 'config_changes',
        empty: () => new ChangeCounts(),
        fill: (counts, rows) => {
          for (const row of rows) counts.put(row);
        },
        put: (counts, row) => counts.put(row),
        remove: (counts, id) => counts.remove(id),
      },
      tell,
    );
  }

  isLoaded(): boolean {
    return this.links.held.isWhole && this.configs.held.isWhole;
  }

  /** There may be relations beyond those that this device keeps. */
  isCut(): boolean {
    return this.relations.size >= RELATIONS_CAP;
  }

  get relations(): RelationLinks {
    return this.links.held.data;
  }

  factsOf(id: string) {
    const { numbers, facts } = this.configs.held.data;
    const number = numbers.get(id);
    return number === undefined ? undefined : facts.get(number);
  }

  changesOf(id: string): number {
    return this.counts.held.data.of(id);
  }

  follow(storeName: string | null): void {
    this.version += 1;
    for (const part of [this.links, this.configs, this.counts]) part.follow(storeName);
  }

  close(): void {
    for (const part of [this.links, this.configs, this.counts]) part.close();
  }
}
