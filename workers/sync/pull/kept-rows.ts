/**
 * What is known of one collection's rows without reading them: a fingerprint and the time of the last change.
 * It lets a pull skip rows that came again in the overlap, and a sweep find what is gone. Memory: a few bytes
 * a row, not the row.
 */
import type { RowChange, RowStore } from '../../store/row-store.ts';
import type { Stamp } from '../../store/packed-ledger.ts';
import type { Announce } from '../announcer.ts';
import type { VouchedStore } from '../store-vouch.ts';

/** Changes in the copy's log after which a quiet moment is used to fold it. */
const LOG_LENGTH = 200;

interface KnownRow {
  fingerprint: number;
  updatedAt: string | null;
}

interface Replicated {
  id: string;
  updated_at?: unknown;
}

function fingerprintOf(row: unknown): number {
  const text = JSON.stringify(row);
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

function factsOf(row: Replicated): [string, KnownRow] {
  return [
    row.id,
    {
      fingerprint: fingerprintOf(row),
      updatedAt: typeof row.updated_at === 'string' ? row.updated_at : null,
    },
  ];
}

/** Count and checksum of all rows; another content has another. */
function stampOf(facts: ReadonlyMap<string, KnownRow>): Stamp {
  let sum = 0;
  for (const [id, { fingerprint }] of facts)
    sum = (sum + Math.imul(fingerprint ^ id.length, 0x9e3779b1)) >>> 0;
  return { generation: `${facts.size} rows ${sum.toString(16)}`, writes: 0 };
}

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

export interface KeptRows<Row> {
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

/** Compares what was written with what is there, which has to be read for that. */
function tallyOf<Row extends Replicated>(store: RowStore<Row>, written: () => Stamp | null): VouchedStore {
  return {
    written,
    async stamp({ isThorough }) {
      return isThorough ? stampOf(new Map((await store.loadAll()).map(factsOf))) : 'unread';
    },
  };
}

/** Keeps one collection; the writer of its store. */
export function createKeptRows<Row extends Replicated>(options: {
  collection: string;
  store: RowStore<Row>;
  /** The same rows in a form that is quick to read; `store` decides where they differ. */
  copy?: RowStore<Row>;
  announce: Announce;
}): KeptRows<Row> {
  const { collection, store, copy, announce } = options;
  let logged = 0;
  let written: Stamp | null = null;
  let loading: Promise<Map<string, KnownRow>> | null = null;

  const load = async () => {
    const rows = await store.loadAll();
    const facts = new Map(rows.map(factsOf));
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
    },
    tally: tallyOf(store, () => written),
    async merge(rows, deletedIds) {
      const facts = await known();
      const upserts = rows.filter((row) => facts.get(row.id)?.fingerprint !== fingerprintOf(row));
      const gone = deletedIds.filter((id) => facts.has(id));
      if (upserts.length === 0 && gone.length === 0) return [];
      await store.apply({ upserts, deletedIds: gone });
      await copy?.apply({ upserts, deletedIds: gone });
      logged += 1;
      for (const id of gone) facts.delete(id);
      for (const row of upserts) facts.set(...factsOf(row));
      written = stampOf(facts);
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
      loading = Promise.resolve(new Map(rows.map(factsOf)));
      written = stampOf(await loading);
    },
  };
}
