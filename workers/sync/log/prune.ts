/**
 * Lets go of what grew too old or too much (design §4 law 14) and folds what stays: one collection in a quiet moment,
 * each once an hour.
 */
import { z } from 'zod';
import {
  COLLECTION_FACTS,
  COLLECTIONS,
  type CollectionName,
  type ReplicatedRow,
} from '../../../src/contract/collections.ts';
import { isOutOfScope, oldestFirst } from '../../../src/domain/sync/scope.ts';
import type { KeyValue } from '../../store/key-value.ts';
import type { RowStore } from '../../store/row-store.ts';

const PRUNE_EVERY_MS = 3_600_000;
const PRUNED_AT = 'prunedAt';

export interface PrunerParts {
  rows: Readonly<Record<CollectionName, RowStore<ReplicatedRow>>>;
  /** Takes rows out of a collection and tells who looks at it. */
  drop: (collection: CollectionName, ids: readonly string[]) => Promise<unknown>;
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

/** When each collection was last gone through. A visit may end before all are; the next goes on with the rest. */
const prunedAtSchema = z.partialRecord(z.enum(COLLECTIONS), z.number());
type PrunedAt = z.infer<typeof prunedAtSchema>;

/** Each call does one collection; false when none is due. */
export function createPruner({ rows, drop, meta, serverNow }: PrunerParts): () => Promise<boolean> {
  let prunedAt: PrunedAt | null = null;

  const readPrunedAt = async (): Promise<PrunedAt> => {
    const parsed = prunedAtSchema.safeParse(await meta.get(PRUNED_AT));
    return parsed.success ? parsed.data : {};
  };
  const prune = async (collection: CollectionName): Promise<void> => {
    const found = await rows[collection].loadAll();
    const gone = surplus(collection, found, serverNow());
    if (gone.size > 0) await drop(collection, [...gone]);
    if (collection === 'incidents' && gone.size > 0) {
      const records = await rows.incident_records.loadAll();
      const orphans = records.filter((row) => gone.has(String(row['incident_id']))).map((row) => row.id);
      if (orphans.length > 0) await drop('incident_records', orphans);
    }
    // Visits too short to fold their own changes leave a log that only grows.
    await rows[collection].tidy();
  };

  return async () => {
    prunedAt ??= await readPrunedAt();
    const isDue = (collection: CollectionName) => {
      const atMs = prunedAt?.[collection];
      // A time to come was noted while a clock was wrong.
      return atMs === undefined || Math.abs(serverNow() - atMs) > PRUNE_EVERY_MS;
    };
    const collection = COLLECTIONS.find(isDue);
    if (collection === undefined) return false;
    // Noted before: one that can't be read is no reason to leave out the others.
    prunedAt = { ...prunedAt, [collection]: serverNow() };
    await prune(collection);
    await meta.set(PRUNED_AT, prunedAt);
    return true;
  };
}
