/**
 * Stores changes so that each happening counts once, however often it is reported (schema §5.3, Dedupe): what is
 * stored under its external id is left alone; what happened to the same item in the same way within an hour is
 * counted on the row that is there, which then shows the newest. Invariant: storing the same changes twice is storing
 * them once. Hand them over sorted by time: what is older than its row was counted already.
 */
import type { Queryable } from '../../../../platform/db/database.ts';
import { findOccurrences, findReported, insertChanges } from './changes-query.ts';
import type { ChangeRow, StoredOccurrence } from './changes-query.ts';
import { fingerprintOf } from './fingerprint.ts';
import { identityKey } from '../items/item-identity.ts';
import { groupBy } from '../../../../../src/lib/group-by.ts';

export interface NewChange {
  configId: string;
  externalChangeId: string | null;
  changeType: string;
  severity: string;
  source: string | null;
  summary: string | null;
  details: unknown;
  patches: unknown;
  diff: string | null;
  createdBy: string | null;
  createdAt: Date;
  /** Whether the source told the time; else it is the time of the scrape and says nothing about what is new. */
  isTimed: boolean;
}

/** `repeated`: was stored already. */
export type StoredAs = 'saved' | 'deduplicated' | 'repeated';

const WINDOW_MS = 3_600_000;

interface Occurrence {
  row: ChangeRow;
  fromMs: number;
  toMs: number;
  isStored: boolean;
  isTouched: boolean;
}

function rowOf(change: NewChange, fingerprint: string): ChangeRow {
  const at = change.createdAt.toISOString();
  return {
    id: null,
    config_id: change.configId,
    external_change_id: change.externalChangeId,
    external_created_by: change.createdBy,
    change_type: change.changeType,
    severity: change.severity,
    source: change.source,
    summary: change.summary,
    details: change.details,
    patches: change.patches,
    diff: change.diff,
    created_at: at,
    first_observed: at,
    count: 1,
    fingerprint,
  };
}

function asOccurrence(stored: StoredOccurrence, change: NewChange): Occurrence {
  return {
    row: { ...rowOf(change, stored.fingerprint), ...stored },
    fromMs: Date.parse(stored.first_observed),
    toMs: Date.parse(stored.created_at),
    isStored: true,
    isTouched: false,
  };
}

/** Takes the change into the row that has one like it. */
function addTo(occurrence: Occurrence, change: NewChange): StoredAs {
  const atMs = change.createdAt.getTime();
  if (occurrence.isStored && !occurrence.isTouched && atMs <= occurrence.toMs) return 'repeated';
  const { id, external_change_id, first_observed, count, fingerprint } = occurrence.row;
  const newest = rowOf(change, fingerprint);
  occurrence.row = { ...newest, id, external_change_id, first_observed, count: count + 1 };
  occurrence.toMs = Math.max(occurrence.toMs, atMs);
  occurrence.isTouched = true;
  return 'deduplicated';
}

/** Without a time of its own, a change with an external id is what that id says. */
const isNamedOnly = (change: NewChange): boolean => change.externalChangeId !== null && !change.isTimed;

function fold(
  changes: readonly { change: NewChange; place: number }[],
  stored: readonly StoredOccurrence[],
  outcomes: StoredAs[],
): Occurrence[] {
  const byKey = new Map<string, Occurrence[]>();
  const storedByKey = groupBy(stored, (row) => identityKey(row.config_id, row.fingerprint));
  const all: Occurrence[] = [];
  for (const { change, place } of changes) {
    const fingerprint = fingerprintOf(change);
    const key = identityKey(change.configId, fingerprint);
    const known = byKey.get(key) ?? (storedByKey.get(key) ?? []).map((row) => asOccurrence(row, change));
    byKey.set(key, known);
    const atMs = change.createdAt.getTime();
    const same = isNamedOnly(change)
      ? undefined
      : known.findLast(({ fromMs, toMs }) => atMs >= fromMs && atMs <= toMs + WINDOW_MS);
    if (same === undefined) {
      const row = rowOf(change, fingerprint);
      const added = { row, fromMs: atMs, toMs: atMs, isStored: false, isTouched: true };
      known.push(added);
      all.push(added);
      outcomes[place] = 'saved';
    } else {
      outcomes[place] = addTo(same, change);
      if (same.isStored && !all.includes(same)) all.push(same);
    }
  }
  return all.filter(({ isTouched }) => isTouched);
}

/** Those that are not stored under their external id yet; of several with one id, the last. */
async function unreported(
  tx: Queryable,
  changes: readonly NewChange[],
): Promise<{ fresh: { change: NewChange; place: number }[]; differing: ChangeRow[]; outcomes: StoredAs[] }> {
  const outcomes: StoredAs[] = changes.map(() => 'repeated');
  const last = new Map<string, number>();
  changes.forEach(({ configId, externalChangeId }, place) => {
    if (externalChangeId !== null) last.set(identityKey(configId, externalChangeId), place);
  });
  const reported = await findReported(
    tx,
    [...last.values()].flatMap((place) => {
      const change = changes[place];
      if (change === undefined || change.externalChangeId === null) return [];
      const { configId: config_id, externalChangeId: external_change_id, details } = change;
      const created_at = change.isTimed ? change.createdAt.toISOString() : null;
      return [{ place, config_id, external_change_id, details, created_at }];
    }),
  );
  const isSame = new Map(reported.map(({ place, is_same }) => [place, is_same]));
  const fresh: { change: NewChange; place: number }[] = [];
  const differing: ChangeRow[] = [];
  changes.forEach((change, place) => {
    const { configId, externalChangeId } = change;
    if (externalChangeId !== null && last.get(identityKey(configId, externalChangeId)) !== place) return;
    const known = isSame.get(place);
    if (known === undefined) fresh.push({ change, place });
    else if (!known) {
      outcomes[place] = 'deduplicated';
      differing.push(rowOf(change, fingerprintOf(change)));
    }
  });
  return { fresh, differing, outcomes };
}

/** Stores changes of stored items; answers what became of each. Call it inside a transaction. */
export async function storeChanges(tx: Queryable, changes: readonly NewChange[]): Promise<StoredAs[]> {
  if (changes.length === 0) return [];
  const { fresh, differing, outcomes } = await unreported(tx, changes);
  const stored = await findOccurrences(
    tx,
    fresh
      .filter(({ change }) => !isNamedOnly(change))
      .map(({ change }) => ({
        config_id: change.configId,
        fingerprint: fingerprintOf(change),
        since: new Date(change.createdAt.getTime() - WINDOW_MS).toISOString(),
      })),
  );
  const unique = [...new Map(stored.map((row) => [row.id, row])).values()];
  const occurrences = fold(fresh, unique, outcomes);
  await insertChanges(tx, [...differing, ...occurrences.map(({ row }) => row)]);
  return outcomes;
}
