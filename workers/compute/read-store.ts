/** What the compute worker reads from a store: whether it is whole, its checks, and kept summaries. */
import type { Check } from '../../src/domain/check/check.ts';
import { KEY_VALUE_TABLE } from '../store/key-value-table.ts';
import { mergePacked, type PackedDelta, type PackedPage } from '../store/packed-pages.ts';
import { readRaw } from '../store/raw-idb.ts';
import {
  documentShape,
  rowShape,
  summaryDocumentId,
  wholeMark,
  type CachedDocument,
  type SummaryBody,
} from '../store/store-facts.ts';
import { metaDbName, packedDbName } from '../store/store-names.ts';

export interface StoreSnapshot {
  isWhole: boolean;
  checks: Check[];
}

/** Reads the mark before the rows: it is set after them, so a set mark vouches for what is read next. */
export async function readChecks(idb: IDBFactory, storeName: string): Promise<StoreSnapshot> {
  const [facts = []] = await readRaw(idb, metaDbName(storeName), [
    { table: KEY_VALUE_TABLE, range: IDBKeyRange.only(wholeMark('checks')) },
  ]);
  const isWhole = (facts as { value: unknown }[]).some((fact) => fact.value === true);
  if (!isWhole) return { isWhole, checks: [] };
  const [pages = [], deltas = []] = await readRaw(idb, packedDbName(storeName, 'checks'), [
    { table: 'pages' },
    { table: 'deltas' },
  ]);
  // Written by the sync worker alone, which parsed the rows when they came in.
  const rows = mergePacked<Check>(pages as PackedPage[], deltas as PackedDelta[], rowShape.idOf);
  return { isWhole, checks: [...rows.values()] };
}

/** Uptime and latency over another range, by check; null when that range isn't kept here. */
export type SummaryOverlay = ReadonlyMap<string, SummaryBody['checks'][number]>;

/** The cached summaries by check. */
export function overlayOf(document: CachedDocument): SummaryOverlay {
  const { checks } = document.body as SummaryBody;
  return new Map(checks.map((check) => [check.id, check]));
}

/** Null when the store has none for the range. */
export async function readSummary(
  idb: IDBFactory,
  storeName: string,
  range: string,
): Promise<SummaryOverlay | null> {
  const id = summaryDocumentId(range);
  const [pages = [], deltas = []] = await readRaw(idb, packedDbName(storeName, 'documents'), [
    { table: 'pages', range: IDBKeyRange.bound([id], [id, []]) },
    { table: 'deltas' },
  ]);
  const own = (deltas as PackedDelta[]).filter((delta) => delta.partition === id);
  const document = mergePacked<CachedDocument>(pages as PackedPage[], own, documentShape.idOf).get(id);
  return document === undefined ? null : overlayOf(document);
}
