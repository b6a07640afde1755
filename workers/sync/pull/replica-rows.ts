/**
 * What is known of one collection's rows without reading them: a fingerprint and the time of the last change.
 * It lets a pull skip rows that came again in the overlap, and a sweep find what is gone. Memory: a few bytes
 * a row, not the row.
 */
import type { RowChange, RowStore } from '../../store/row-store.ts';
import type { Announce } from '../tabs/announcer.ts';
import type { VouchedStore, WriteAhead } from '../store/store-vouch.ts';
import { factsOf, fingerprintOf, RowsTally, type KnownRow, type Replicated } from './rows-tally.ts';

/** Changes in the copy's log after which a quiet moment is used to fold it. */
const LOG_LENGTH = 200;

/**
 * What makes a copy equal to the rows; null when it is. A crash between two writes leaves the copy behind, and
 * readers that started from it have to be told.
 */
function differences<Row extends Replicated>(
  rows: readonly Row[],
  copied: readonly Row[],
): RowChange<Row> | null {
  const before = new Map(copied.map(factsOf));
  const here = new Set(rows.map((row) => row.id));
  const upserts = rows.filter((row) => before.get(row.id)?.fingerprint !== fingerprintOf(row));
  const deletedIds = [...before.keys()].filter((id) => !here.has(id));
  return upserts.length === 0 && deletedIds.length === 0 ? null : { upserts, deletedIds };
}

export interface ReplicaRows<Row> {
  /** Makes durable and announces what differs from what is kept; returns the ids that differed. */
  merge(rows: readonly Row[], deletedIds: readonly string[]): Promise<string[]>;
  /** `onCopied` is called when a copy holds all rows, which is long before the store does. */
  replaceAll(rows: readonly Row[], onCopied: () => Promise<void>): Promise<void>;
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
  /** The same rows in a form that is quick to read; `store` decides where they differ. */
  copy?: RowStore<Row>;
  announce: Announce;
  /** For a store that keeps no ledger by itself. */
  ahead?: WriteAhead;
}

/** Keeps one collection; the writer of its store. */
export function createReplicaRows<Row extends Replicated>(options: ReplicaRowsParts<Row>): ReplicaRows<Row> {
  const { collection, store, copy, announce, ahead = null } = options;
  const tally = new RowsTally(store, ahead);
  let logged = 0;
  let loading: Promise<Map<string, KnownRow>> | null = null;

  const load = async () => {
    const rows = await store.loadAll();
    const facts = new Map(rows.map(factsOf));
    await tally.found(facts);
    const wrong = copy === undefined || rows.length === 0 ? null : differences(rows, await copy.loadAll());
    if (wrong !== null) {
      await copy?.apply(wrong);
      announce(collection, wrong);
    }
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
      const upserts = rows.filter((row) => facts.get(row.id)?.fingerprint !== fingerprintOf(row));
      const gone = deletedIds.filter((id) => facts.has(id));
      if (upserts.length === 0 && gone.length === 0) return [];
      const wrote = await tally.begin(facts, { upserts, gone });
      await store.apply({ upserts, deletedIds: gone });
      await copy?.apply({ upserts, deletedIds: gone });
      logged += 1;
      for (const id of gone) facts.delete(id);
      for (const row of upserts) facts.set(...factsOf(row));
      wrote();
      announce(collection, { upserts, deletedIds: gone });
      return [...upserts.map((row) => row.id), ...gone];
    },
    shouldTidy: () => logged >= LOG_LENGTH,
    async tidy() {
      logged = 0;
      await copy?.tidy();
      await store.tidy();
    },
    async replaceAll(rows, onCopied) {
      await copy?.replaceAll(rows);
      await onCopied();
      await store.replaceAll(rows);
      const facts = new Map(rows.map(factsOf));
      loading = Promise.resolve(facts);
      tally.replaced(facts);
    },
  };
}
