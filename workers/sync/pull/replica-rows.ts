/**
 * What is known of one collection's rows without reading them: a fingerprint and the time of the last change.
 * It lets a pull skip rows that came again in the overlap, and a sweep find what is gone. Memory: a few bytes
 * a row, not the row.
 */
import type { RowStore } from '../../store/row-store.ts';
import type { Announce } from '../tabs/announcer.ts';
import type { VouchedStore, WriteAhead } from '../store/store-vouch.ts';
import { factsOf, RowsTally, type KnownRow, type Replicated } from './rows-tally.ts';

/** Changes in a store's log after which a quiet moment is used to fold it. */
const LOG_LENGTH = 200;

export interface ReplicaRows<Row> {
  /** Makes durable and announces what differs from what is kept; returns the ids that differed. */
  merge(rows: readonly Row[], deletedIds: readonly string[]): Promise<string[]>;
  /** Swaps everything; tells nobody. */
  replaceAll(rows: readonly Row[]): Promise<void>;
  /** True when the copy's log has grown long enough to be folded. */
  shouldTidy(): boolean;
  tidy(): Promise<void>;
  known(): Promise<ReadonlyMap<string, KnownRow>>;
  /** Forgets what it knows, because another worker wrote; it is read again. */
  reload(): void;
  /** What is kept as count and checksum, for a store that can't tell by itself whether it lost something. */
  tally: VouchedStore;
}

export interface ReplicaRowsParts<Row> {
  collection: string;
  store: RowStore<Row>;
  announce: Announce;
  /** For a store that keeps no ledger by itself. */
  ahead?: WriteAhead;
}

/** Keeps one collection; the writer of its store. */
export function createReplicaRows<Row extends Replicated>(options: ReplicaRowsParts<Row>): ReplicaRows<Row> {
  const { collection, store, announce, ahead = null } = options;
  const tally = new RowsTally(store, ahead);
  let logged = 0;
  let loading: Promise<Map<string, KnownRow>> | null = null;

  const load = async () => {
    const facts = new Map<string, KnownRow>();
    for await (const part of store.loadParts()) for (const row of part) facts.set(...factsOf(row));
    await tally.found(facts);
    return facts;
  };
  const known = () => {
    loading ??= load();
    return loading;
  };

  return {
    known,
    reload() {
      loading = null;
      tally.forget();
    },
    tally,
    async merge(rows, deletedIds) {
      const facts = await known();
      // Worked out once: of thousands of rows it takes long.
      const told = new Map(rows.map(factsOf));
      const isNews = ([id, { fingerprint }]: [string, KnownRow]) =>
        facts.get(id)?.fingerprint !== fingerprint;
      const news = new Map([...told].filter(isNews));
      const upserts = rows.filter(({ id }) => news.has(id));
      const gone = deletedIds.filter((id) => facts.has(id));
      if (upserts.length === 0 && gone.length === 0) return [];
      const wrote = await tally.begin(facts, { upserts: news, gone });
      await store.apply({ upserts, deletedIds: gone });
      logged += 1;
      for (const id of gone) facts.delete(id);
      for (const [id, fact] of news) facts.set(id, fact);
      wrote();
      announce(collection, { upserts, deletedIds: gone });
      return [...upserts.map((row) => row.id), ...gone];
    },
    shouldTidy: () => logged >= LOG_LENGTH,
    async tidy() {
      logged = 0;
      await store.tidy();
    },
    async replaceAll(rows) {
      await store.replaceAll(rows);
      const facts = new Map(rows.map(factsOf));
      loading = Promise.resolve(facts);
      tally.replaced(facts);
    },
  };
}
