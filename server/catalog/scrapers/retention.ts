/**
 * Cleans the catalog up (schema §5.3, Retention): changes after 60 days, resolved findings and deleted items after 7,
 * and what scrapers' own rules say. Meant to run hourly; knows no clock. Invariants: never deletes what an incident, a
 * playbook run or a component points at; small transactions, so that nobody waits for it; one rule that fails does
 * not stop the others.
 */
import type { Database, Queryable } from '../../platform/db/database.ts';
import { CHANGE_RETENTION_DAYS } from './ingest/changes/store-reported-changes.ts';
import {
  deleteExcessChangesOf,
  deleteOldChanges,
  deleteOldChangesOf,
  deleteResolvedFindings,
  forgetDroppedLinks,
  liveScrapers,
  noteRetention,
  removeItems,
  retireItems,
} from './retention-query.ts';
import type { ScraperSpec } from './retention-query.ts';
import { retentionRules } from './retention-rules.ts';

const DAY_MS = 86_400_000;
const RESOLVED_DAYS = 7;
const DELETED_DAYS = 7;
/** Rows a transaction, and transactions a rule: what is left waits for the next hour. */
const LIMIT = 1000;
const MAX_ROUNDS = 100;

type Removed = Record<'changes' | 'findings' | 'items' | 'retired', number>;

interface Work {
  db: Database;
  now: Date;
  removed: Removed;
  errors: string[];
}

type Step = (tx: Queryable) => Promise<number>;

const ago = (now: Date, ms: number): Date => new Date(now.getTime() - ms);

/** Repeats a bounded step until nothing is left to do. */
async function drain(
  { db, removed, errors }: Work,
  what: keyof Removed,
  { name, step }: { name: string; step: Step },
): Promise<void> {
  try {
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const count = await db.transaction(step);
      removed[what] += count;
      if (count < LIMIT) return;
    }
  } catch (error) {
    errors.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function cleanScraper({ id: scraperId, name, spec }: ScraperSpec, work: Work): Promise<void> {
  const rules = retentionRules(spec);
  const { now } = work;
  work.errors.push(...rules.errors.map((error) => `${name}: ${error}`));
  for (const { name: changeType, ageMs, count } of rules.changes) {
    const title = `${name}: changes ${changeType}`;
    if (ageMs !== null) {
      const rule = { scraperId, changeType, before: ago(now, ageMs) };
      await drain(work, 'changes', { name: title, step: (tx) => deleteOldChangesOf(tx, rule, LIMIT) });
    }
    if (count !== null) {
      const rule = { scraperId, changeType, count };
      await drain(work, 'changes', { name: title, step: (tx) => deleteExcessChangesOf(tx, rule, LIMIT) });
    }
  }
  for (const { name: type, createdMs, updatedMs, deletedMs } of rules.types) {
    const title = `${name}: items ${type}`;
    const before = (ms: number | null) => (ms === null ? null : ago(now, ms));
    if (createdMs !== null || updatedMs !== null) {
      const rule = { scraperId, type, createdBefore: before(createdMs), updatedBefore: before(updatedMs) };
      await drain(work, 'retired', { name: title, step: (tx) => retireItems(tx, rule, now) });
    }
    if (deletedMs !== null) {
      const rule = { scraperId, type, before: ago(now, deletedMs) };
      await drain(work, 'items', { name: title, step: (tx) => removeItems(tx, rule, LIMIT) });
    }
  }
}

/** One clean-up, noted in the job history. Answers what was removed. `now` is asked at its start and its end. */
export async function cleanCatalog(db: Database, now: () => Date): Promise<Removed> {
  const startedAt = now();
  const removed: Removed = { changes: 0, findings: 0, items: 0, retired: 0 };
  const work: Work = { db, now: startedAt, removed, errors: [] };
  for (const scraper of await liveScrapers(db)) await cleanScraper(scraper, work);
  const before = (days: number) => ago(startedAt, days * DAY_MS);
  await drain(work, 'changes', {
    name: 'old changes',
    step: (tx) => deleteOldChanges(tx, before(CHANGE_RETENTION_DAYS), LIMIT),
  });
  await drain(work, 'findings', {
    name: 'resolved findings',
    step: (tx) => deleteResolvedFindings(tx, before(RESOLVED_DAYS), LIMIT),
  });
  await drain(work, 'items', {
    name: 'deleted items',
    step: (tx) => removeItems(tx, { before: before(DELETED_DAYS), scraperId: null, type: null }, LIMIT),
  });
  await forgetDroppedLinks(db, before(DELETED_DAYS));
  await noteRetention(db, { startedAt, endedAt: now(), removed, errors: work.errors });
  return removed;
}
