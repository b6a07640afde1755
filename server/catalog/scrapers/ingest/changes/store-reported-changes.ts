/**
 * Stores what sources tell about items: events, workflow runs, audit logs (schema §5.3, External changes). What is
 * about no item is counted orphaned, what a mapping ignores is counted ignored; neither is stored.
 */
import type { Database } from '../../../../platform/db/database.ts';
import { inTurns } from '../../../../platform/in-turns.ts';
import type { ScrapedChange } from '../../specs/scraped.ts';
import { labelOf } from '../items/accept-items.ts';
import { changeSeverity } from './change-rules.ts';
import { deleteItems } from './changes-query.ts';
import { chunksOf } from '../../../../../src/lib/chunks.ts';
import type { IdentifiedItem } from '../items/identify-items.ts';
import type { RunItems } from '../items/place-items.ts';
import { storageFault, tooLong } from '../run/storable-text.ts';
import { storeApart } from '../../../../platform/db/store-apart.ts';
import { storeChanges } from './store-changes.ts';
import type { NewChange } from './store-changes.ts';
import type { Tally } from '../run/tally.ts';

const BATCH = 500;
/** What is older would be thrown away again by the next clean-up (schema §5.3, Retention). */
export const CHANGE_RETENTION_DAYS = 60;
const DAY_MS = 86_400_000;
/** Bytes. */
const MAX_CHANGE_TYPE = 200;
const MAX_EXTERNAL_ID = 1000;

export interface ReportDeps {
  db: Database;
  kind: string;
  now: Date;
  items: RunItems;
  tally: Tally;
}

interface Reported {
  /** The item that it came with. */
  owner: IdentifiedItem | null;
  change: ScrapedChange;
}

interface Resolved {
  /** How it is called in a message. */
  label: string;
  type: string;
  isDelete: boolean;
  change: NewChange;
}

function toNewChange(change: ScrapedChange, configId: string, { kind, now }: ReportDeps): NewChange {
  return {
    configId,
    externalChangeId: change.externalChangeId === '' ? null : change.externalChangeId,
    changeType: change.changeType,
    severity: changeSeverity(change.severity, change.changeType),
    source: change.source ?? kind,
    summary: change.summary,
    details: change.details ?? null,
    patches: change.patches ?? null,
    diff: change.diff,
    createdBy: change.createdBy,
    createdAt: change.createdAt ?? now,
    isTimed: change.createdAt !== null,
  };
}

function labelOfChange({ owner, change }: Reported): string {
  return `a change of ${owner === null ? (change.about?.externalId ?? 'no item') : labelOf(owner.item)}`;
}

function faultOfChange(change: ScrapedChange): string | null {
  if (change.changeType.trim() === '') return 'its type is empty; let change_type name a field';
  return (
    tooLong('its type', change.changeType, MAX_CHANGE_TYPE) ??
    tooLong('its external id', change.externalChangeId, MAX_EXTERNAL_ID) ??
    storageFault(change, 'change')
  );
}

function resolve({ owner, change }: Reported, deps: ReportDeps): Resolved | null {
  const { items, tally, now } = deps;
  const type = change.about?.type ?? owner?.item.type ?? '';
  const label = labelOfChange({ owner, change });
  const fault = faultOfChange(change);
  if (fault !== null) {
    tally.error(`${label} was left out: ${fault}`);
    return null;
  }
  const ageMs = now.getTime() - (change.createdAt ?? now).getTime();
  if (change.action === 'ignore' || ageMs > CHANGE_RETENTION_DAYS * DAY_MS) {
    tally.change(type, 'ignored');
    return null;
  }
  const own = owner === null ? null : { id: owner.id, type: owner.item.type };
  const subject = change.about === null ? own : items.subjectOf(change.about);
  if (subject === null) {
    tally.change(type, 'orphaned');
    return null;
  }
  const isDelete = change.action === 'delete';
  return { label, type: subject.type, isDelete, change: toNewChange(change, subject.id, deps) };
}

async function storeBatch(batch: readonly Resolved[], { db, tally }: ReportDeps): Promise<void> {
  const outcomes = await db.transaction(async (tx) => {
    const storedAs = await storeChanges(
      tx,
      batch.map(({ change }) => change),
    );
    const doomed = batch.filter(({ isDelete }, place) => isDelete && storedAs[place] !== 'repeated');
    const deleted = await deleteItems(
      tx,
      doomed.map(({ change }) => ({ id: change.configId, at: change.createdAt.toISOString() })),
    );
    return { storedAs, deleted };
  });
  outcomes.storedAs.forEach((storedAs, place) => {
    if (storedAs !== 'repeated') tally.change(batch[place]?.type ?? '', storedAs);
  });
  for (const { type } of outcomes.deleted) tally.item(type, 'deleted');
}

/** Stores the changes that came with the items of a run, and those that came alone. */
export async function storeReportedChanges(
  stored: readonly IdentifiedItem[],
  loose: readonly ScrapedChange[],
  deps: ReportDeps,
): Promise<void> {
  const { items, tally } = deps;
  const reported: Reported[] = [
    ...stored.flatMap((owner) => owner.item.changes.map((change) => ({ owner, change }))),
    ...loose.map((change) => ({ owner: null, change })),
  ];
  await items.load(
    reported.flatMap(({ change }) => (storageFault(change.about, '') === null ? (change.about ?? []) : [])),
  );
  const resolved: Resolved[] = [];
  for await (const one of inTurns(reported)) {
    const change = resolve(one, deps);
    if (change !== null) resolved.push(change);
  }
  // The order that storing needs; the rest makes it the same whatever the source's order.
  resolved.sort(
    (one, other) =>
      one.change.createdAt.getTime() - other.change.createdAt.getTime() ||
      (one.change.externalChangeId ?? '').localeCompare(other.change.externalChangeId ?? ''),
  );
  for (const batch of chunksOf(resolved, BATCH)) {
    await storeApart(
      batch,
      (part) => storeBatch(part, deps),
      ({ label }, reason) => tally.error(`${label} was left out: ${reason}`),
    );
  }
}
