/**
 * Lets go of what grew too old or too much (design §4 law 14) and folds what stays: one collection in a quiet moment,
 * each once an hour.
 */
import {
  COLLECTION_FACTS,
  COLLECTIONS,
  type CollectionName,
  type ReplicatedRow,
} from '../../../src/contract/collections.ts';
import { isOutOfScope, oldestFirst } from '../../../src/domain/sync/scope.ts';
import type { KeyValue } from '../../store/key-value.ts';
import type { RowStore } from '../../store/row-store.ts';
import type { ReplicaCollection } from './replica-collection.ts';

const PRUNE_EVERY_MS = 3_600_000;
const PRUNED_AT = 'prunedAt';

export interface PrunerParts {
  rows: Readonly<Record<CollectionName, RowStore<ReplicatedRow>>>;
  kept: Readonly<Record<CollectionName, ReplicaCollection>>;
  meta: KeyValue;
  serverNow: () => number;
}

/** Ids that have to go: too old, then whatever is over the cap. */
function surplus(collection: CollectionName, rows: readonly ReplicatedRow[], nowMs: number): Set<string> {
  const { cap } = COLLECTION_FACTS[collection];
  const old = rows.filter((row) => isOutOfScope(collection, row, nowMs));
  const gone = new Set(old.map((row) => row.id));
  const over = rows.length - gone.size - cap;
  if (over <= 0) return gone;
  const staying = rows.filter((row) => !gone.has(row.id));
  for (const row of oldestFirst(staying).slice(0, over)) gone.add(row.id);
  return gone;
}

/** Each call does one collection; false when none is due. */
export function createPruner({ rows, kept, meta, serverNow }: PrunerParts): () => Promise<boolean> {
  let due: CollectionName[] | null = null;

  const plan = async (): Promise<CollectionName[]> => {
    const at = await meta.get(PRUNED_AT);
    // A time to come was noted while a clock was wrong.
    const isDue = typeof at !== 'number' || Math.abs(serverNow() - at) > PRUNE_EVERY_MS;
    return isDue ? [...COLLECTIONS] : [];
  };
  let lookedAtMs = Number.NEGATIVE_INFINITY;

  return async () => {
    if (due === null || (due.length === 0 && Math.abs(serverNow() - lookedAtMs) >= PRUNE_EVERY_MS)) {
      due = await plan();
      lookedAtMs = serverNow();
    }
    const collection = due.shift();
    if (collection === undefined) return false;
    const found = await rows[collection].loadAll();
    const gone = surplus(collection, found, serverNow());
    if (gone.size > 0) await kept[collection].merge([], [...gone]);
    if (collection === 'incidents' && gone.size > 0) {
      const records = await rows.incident_records.loadAll();
      const orphans = records.filter((row) => gone.has(String(row['incident_id']))).map((row) => row.id);
      if (orphans.length > 0) await kept.incident_records.merge([], orphans);
    }
    // Visits too short to fold their own changes leave a log that only grows.
    await rows[collection].tidy();
    if (due.length === 0) await meta.set(PRUNED_AT, serverNow());
    return true;
  };
}
