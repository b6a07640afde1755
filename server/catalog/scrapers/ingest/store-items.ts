/**
 * Writes the items of a run, parents first, in batches of one transaction each: rows, what changed in them, and that
 * they were seen. Invariant: an item and the change that tells of it are stored together or not at all; of a batch
 * that the database refuses, the item at fault alone is left out and named.
 */
import { hash } from 'node:crypto';
import type { Database, Queryable } from '../../../platform/db/database.ts';
import { labelOf } from './items/accept-items.ts';
import { HEALTH_SOURCE, healthChangeOf } from './changes/change-rules.ts';
import { diffConfigs } from './changes/config-diff.ts';
import type { IdentifiedItem } from './items/identify-items.ts';
import {
  compareItems,
  findScrapes,
  insertItems,
  markSeen,
  noteScrapes,
  updateItems,
} from './items/items-query.ts';
import type { Comparison, ItemRow } from './items/items-query.ts';
import { mapDiffs } from './changes/map-diffs.ts';
import type { MapDiff } from './changes/map-diffs.ts';
import type { Placement } from './items/placement.ts';
import { storeChanges } from './changes/store-changes.ts';
import type { NewChange, StoredAs } from './changes/store-changes.ts';
import { storeApart } from '../../../platform/db/store-apart.ts';
import type { ItemOutcome, Tally } from './run/tally.ts';

const BATCH_ITEMS = 500;
const BATCH_BYTES = 4 * 1024 * 1024;

export interface StoreDeps {
  db: Database;
  scraperId: string;
  agentId: string;
  kind: string;
  now: Date;
  placement: Placement;
  tally: Tally;
  mapDiff?: MapDiff | undefined;
}

function batchesOf(entries: readonly IdentifiedItem[]): IdentifiedItem[][] {
  const batches: IdentifiedItem[][] = [];
  let bytes = 0;
  for (const entry of entries) {
    const current = batches.at(-1);
    bytes += entry.sizeBytes;
    if (current === undefined || current.length >= BATCH_ITEMS || bytes > BATCH_BYTES) {
      batches.push([entry]);
      bytes = entry.sizeBytes;
    } else current.push(entry);
  }
  return batches;
}

function rowOf({ id, fields }: IdentifiedItem, placement: Placement): ItemRow {
  return {
    ...fields,
    id,
    name: fields.name === '' ? id.slice(-12) : fields.name,
    parent_id: placement.parentOf(id),
    path: placement.pathOf(id),
  };
}

interface Judged {
  row: ItemRow;
  outcome: ItemOutcome;
  changes: NewChange[];
}

interface Written {
  judged: Judged[];
  changes: { type: string; storedAs: StoredAs }[];
  /** Types of items whose diffs the rules leave out. */
  ignored: string[];
}

function healthChange(row: ItemRow, before: Comparison, at: Date): NewChange[] {
  const from = before.old_health ?? 'unknown';
  const to = row.health ?? 'unknown';
  // What was never judged before has not become healthy.
  const isFirst = (before.old_health ?? '') === '' && to === 'healthy';
  if (from === to || isFirst) return [];
  const { changeType, severity } = healthChangeOf(to);
  return [
    {
      configId: row.id,
      externalChangeId: null,
      changeType,
      severity,
      source: HEALTH_SOURCE,
      summary: `Health changed from ${from} to ${to}${row.description === null ? '' : `: ${row.description}`}`,
      details: { from, to, status: row.status, description: row.description },
      patches: null,
      diff: null,
      createdBy: null,
      createdAt: at,
      isTimed: true,
    },
  ];
}

/** What becomes of an item that is stored already. */
function classify(row: ItemRow, before: Comparison, { kind, now }: StoreDeps): Judged {
  const changed = before.is_config_changed ? diffConfigs(before.old_config, row.config) : null;
  if (changed === null && !before.is_changed) return { row, outcome: 'unchanged', changes: [] };
  const diff: NewChange[] =
    changed === null
      ? []
      : [
          {
            ...changed,
            configId: row.id,
            externalChangeId: null,
            changeType: 'diff',
            severity: 'info',
            source: kind,
            details: null,
            createdBy: null,
            createdAt: now,
            isTimed: true,
          },
        ];
  const isGone = row.deleted_at !== null && !before.was_deleted;
  return {
    row,
    outcome: isGone ? 'deleted' : 'updated',
    changes: [...diff, ...healthChange(row, before, now)],
  };
}

interface Looked {
  row: ItemRow;
  hash: string;
}

/** What became of each of the batch's items; the same as last time is not even compared. */
async function classifyBatch(
  tx: Queryable,
  { batch, looked }: { batch: readonly IdentifiedItem[]; looked: readonly Looked[] },
  deps: StoreDeps,
): Promise<(Judged & { isSame: boolean })[]> {
  const ids = batch.flatMap(({ known, id }) => (known === null ? [] : [id]));
  const hashes = new Map((await findScrapes(tx, ids)).map(({ config_id, hash }) => [config_id, hash]));
  const isSame = ({ row, hash }: Looked) => hashes.get(row.id) === hash;
  const stored = new Set(ids);
  const doubtful = looked.filter((one) => stored.has(one.row.id) && !isSame(one)).map(({ row }) => row);
  const comparisons = doubtful.length === 0 ? [] : await compareItems(tx, doubtful);
  const before = new Map(comparisons.map((comparison) => [comparison.id, comparison]));
  return looked.map((one) => {
    const { row } = one;
    if (isSame(one)) return { row, outcome: 'unchanged', changes: [], isSame: true };
    const comparison = before.get(row.id);
    if (comparison === undefined) return { row, outcome: 'added', changes: [], isSame: false };
    return { ...classify(row, comparison, deps), isSame: false };
  });
}

async function writeBatch(
  tx: Queryable,
  batch: readonly IdentifiedItem[],
  deps: StoreDeps,
): Promise<Written> {
  const looked = batch.map((entry): Looked => {
    const row = rowOf(entry, deps.placement);
    return { row, hash: hash('sha256', JSON.stringify(row), 'base64') };
  });
  const ignored: string[] = [];
  const judged = await mapDiffs(await classifyBatch(tx, { batch, looked }, deps), deps.mapDiff, ignored);
  const of = (...outcomes: ItemOutcome[]) =>
    judged.filter(({ outcome }) => outcomes.includes(outcome)).map(({ row }) => row);
  await insertItems(tx, of('added'), deps);
  await updateItems(tx, of('updated', 'deleted'), deps);
  await markSeen(
    tx,
    of('unchanged').map(({ id }) => id),
    deps.now,
  );
  const isNew = new Set(judged.filter(({ isSame }) => !isSame).map(({ row }) => row.id));
  await noteScrapes(
    tx,
    looked.flatMap(({ row, hash }) => (isNew.has(row.id) ? [{ id: row.id, hash }] : [])),
  );
  const changes = judged.flatMap((one) => one.changes.map((change) => ({ change, type: one.row.type })));
  const storedAs = await storeChanges(
    tx,
    changes.map(({ change }) => change),
  );
  return {
    judged,
    ignored,
    changes: changes.map(({ type }, place) => ({ type, storedAs: storedAs[place] ?? 'saved' })),
  };
}

async function storeBatch(batch: readonly IdentifiedItem[], { db, ...deps }: StoreDeps): Promise<void> {
  const { tally } = deps;
  const { judged, changes, ignored } = await db.transaction((tx) => writeBatch(tx, batch, { db, ...deps }));
  for (const { row, outcome } of judged) tally.item(row.type, outcome);
  for (const type of ignored) tally.change(type, 'ignored');
  for (const { type, storedAs } of changes) if (storedAs !== 'repeated') tally.change(type, storedAs);
}

/** Each item after its parent, where that is of this run; else in the order in which they come. */
function parentsFirst(items: readonly IdentifiedItem[], placement: Placement): IdentifiedItem[] {
  const waiting = new Map(items.map((entry) => [entry.id, entry]));
  const inOrder: IdentifiedItem[] = [];
  for (const { id } of items) {
    const chain: IdentifiedItem[] = [];
    for (let entry = waiting.get(id); entry !== undefined;) {
      chain.push(entry);
      waiting.delete(entry.id);
      const parentId = placement.parentOf(entry.id);
      entry = parentId === null ? undefined : waiting.get(parentId);
    }
    for (const entry of chain.toReversed()) inOrder.push(entry);
  }
  return inOrder;
}

/** Stores the items; answers those that the database refused. */
export async function storeItems(
  items: readonly IdentifiedItem[],
  deps: StoreDeps,
): Promise<IdentifiedItem[]> {
  const { placement, tally } = deps;
  const refused: IdentifiedItem[] = [];
  const refuse = (entry: IdentifiedItem, reason: string) => {
    tally.error(`${labelOf(entry.item)} was left out: ${reason}`);
    if (entry.known === null) placement.forget(entry.id);
    refused.push(entry);
  };
  for (const batch of batchesOf(parentsFirst(items, placement)))
    await storeApart(batch, (part) => storeBatch(part, deps), refuse);
  return refused;
}
