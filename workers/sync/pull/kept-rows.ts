/**
 * What is known of one collection's rows without reading them: a fingerprint and the time of the last change.
 * It lets a pull skip rows that came again in the overlap, and a sweep find what is gone. Memory: a few bytes
 * a row, not the row.
 */
import type { RowStore } from '../../store/row-store.ts';
import type { Announce } from '../announcer.ts';

interface KnownRow {
  fingerprint: number;
  updatedAt: string | null;
}

interface Replicated {
  id: string;
  updated_at: string | null;
}

function fingerprintOf(row: unknown): number {
  const text = JSON.stringify(row);
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

export interface KeptRows<Row> {
  /** Makes durable and announces what differs from what is kept; returns the ids that differed. */
  merge(rows: readonly Row[], deletedIds: readonly string[]): Promise<string[]>;
  replaceAll(rows: readonly Row[]): Promise<void>;
  known(): Promise<ReadonlyMap<string, KnownRow>>;
}

/** Keeps one collection; the writer of its store. */
export function createKeptRows<Row extends Replicated>(options: {
  collection: string;
  store: RowStore<Row>;
  announce: Announce;
}): KeptRows<Row> {
  const { collection, store, announce } = options;
  let loading: Promise<Map<string, KnownRow>> | null = null;

  const factsOf = (row: Row): [string, KnownRow] => [
    row.id,
    { fingerprint: fingerprintOf(row), updatedAt: row.updated_at },
  ];
  const known = () => {
    loading ??= store.loadAll().then((rows) => new Map(rows.map(factsOf)));
    return loading;
  };

  return {
    known,
    async merge(rows, deletedIds) {
      const facts = await known();
      const upserts = rows.filter((row) => facts.get(row.id)?.fingerprint !== fingerprintOf(row));
      const gone = deletedIds.filter((id) => facts.has(id));
      if (upserts.length === 0 && gone.length === 0) return [];
      await store.apply({ upserts, deletedIds: gone });
      for (const id of gone) facts.delete(id);
      for (const row of upserts) facts.set(...factsOf(row));
      announce(collection, { upserts, deletedIds: gone });
      return [...upserts.map((row) => row.id), ...gone];
    },
    async replaceAll(rows) {
      await store.replaceAll(rows);
      loading = Promise.resolve(new Map(rows.map(factsOf)));
    },
  };
}
