/**
 * Lets go of what grew too old or too much (design §4 law 14) and folds what stays: in quiet moments, a part of one
 * collection at a time, each collection once an hour.
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
/** What a first visit has just loaded is what the server counts: the visit begins with other things. */
const FIRST_MS = 60_000;
const PRUNED_AT = 'prunedAt';

export interface PrunerParts {
  rows: Readonly<Record<CollectionName, RowStore<ReplicatedRow>>>;
  /** Takes rows out of a collection and tells who looks at it. */
  drop: (collection: CollectionName, ids: readonly string[]) => Promise<unknown>;
  meta: KeyValue;
  serverNow: () => number;
  /** ms that only ever grow. */
  elapsed: () => number;
}

/** When each collection was last gone through. A visit may end before all are; the next goes on with the rest. */
const prunedAtSchema = z.partialRecord(z.enum(COLLECTIONS), z.number());
type PrunedAt = z.infer<typeof prunedAtSchema>;

const idsOf = (rows: readonly ReplicatedRow[]) => rows.map(({ id }) => id);

/** What is over the cap: the rows that changed longest ago, of which no more is read into memory than that. */
async function surplusOf(rows: RowStore<ReplicatedRow>, cap: number): Promise<string[]> {
  const found: ReplicatedRow[] = [];
  for await (const part of rows.loadParts())
    for (const { id, updated_at, created_at } of part) found.push({ id, updated_at, created_at });
  return idsOf(oldestFirst(found).slice(0, Math.max(0, found.length - cap)));
}

/**
 * Goes through one collection, a part at each step: what was read is let go of before others have their turn. Incidents
 * are one step: what goes is gathered, because each look for its records reads all of them.
 */
async function* pruned(collection: CollectionName, parts: PrunerParts): AsyncGenerator<void, void> {
  const { rows, serverNow } = parts;
  const isOneStep = collection === 'incidents';
  const gathered: string[] = [];
  const letGo = async (ids: readonly string[]) => {
    if (ids.length === 0) return;
    // First, as nothing tells later whose they were.
    if (isOneStep) await dropRecordsOf(new Set<unknown>(ids), parts);
    await parts.drop(collection, ids);
  };
  let staying = 0;
  for await (const part of rows[collection].loadParts()) {
    const old = idsOf(part.filter((row) => isOutOfScope(collection, row, serverNow())));
    staying += part.length - old.length;
    if (isOneStep) gathered.push(...old);
    else {
      await letGo(old);
      yield;
    }
  }
  await letGo(gathered);
  // Counted again in this step: news of parts that were read may have come in between.
  const { cap } = COLLECTION_FACTS[collection];
  if (staying > cap) await letGo(await surplusOf(rows[collection], cap));
  // Visits too short to fold their own changes leave a log that only grows.
  await rows[collection].tidy();
}

async function dropRecordsOf(incidents: ReadonlySet<unknown>, { rows, drop }: PrunerParts): Promise<void> {
  for await (const part of rows.incident_records.loadParts()) {
    const records = part.filter((row) => incidents.has(row['incident_id']));
    if (records.length > 0) await drop('incident_records', idsOf(records));
  }
}

/** Each call does one step; false when no collection is due. */
export function createPruner(parts: PrunerParts): () => Promise<boolean> {
  const { meta, serverNow, elapsed } = parts;
  const firstDueMs = elapsed() + FIRST_MS;
  let prunedAt: PrunedAt | null = null;
  let going: AsyncGenerator<void, void> | null = null;

  const readPrunedAt = async (): Promise<PrunedAt> => {
    const parsed = prunedAtSchema.safeParse(await meta.get(PRUNED_AT));
    return parsed.success ? parsed.data : {};
  };
  const isDue = (atMs: number | undefined) => {
    if (atMs === undefined) return elapsed() >= firstDueMs;
    // A time to come was noted while a clock was wrong.
    return Math.abs(serverNow() - atMs) > PRUNE_EVERY_MS;
  };
  const begin = async () => {
    const at = (prunedAt ??= await readPrunedAt());
    const collection = COLLECTIONS.find((name) => isDue(at[name]));
    if (collection === undefined) return null;
    // Noted before: one that can't be read is no reason to leave out the others.
    prunedAt = { ...at, [collection]: serverNow() };
    return pruned(collection, parts);
  };

  return async () => {
    const step = going ?? (await begin());
    if (step === null) return false;
    // One that fails is not gone on with.
    going = null;
    const { done } = await step.next();
    if (done === true) await meta.set(PRUNED_AT, prunedAt);
    else going = step;
    return true;
  };
}
