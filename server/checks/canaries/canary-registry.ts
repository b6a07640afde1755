/**
 * The canaries that run: kept in step with their documents. Owns which canary comes from where; saves them and
 * tells the scheduler. Changes are applied one after the other, so that two quick edits of a file can't cross.
 */
import type { Database } from '../../db/database.ts';
import type { NudgeHub } from '../../change-log/nudge-hub.ts';
import type { EgressTrust } from '../../egress/egress-guard.ts';
import type { Logger } from '../../logger.ts';
import type { Canary } from '../documents/canary-document.ts';
import { readCanary } from '../documents/canary-document.ts';
import type { FileCanary, FileProblem } from '../documents/canary-file.ts';
import type { Scheduler } from '../scheduling/scheduler.ts';
import type { DatabaseCanary, SavedCanary } from './canary-query.ts';
import {
  canariesOfSource,
  databaseCanaries,
  deleteCanaries,
  ensureRefusedCanary,
  saveCanary,
  saveChecksOf,
} from './canary-query.ts';
import { noteSync } from './sync-history-query.ts';

export interface RunningCanary {
  id: string;
  canary: Canary;
  source: string;
  trust: EgressTrust;
  checkIds: ReadonlyMap<string, string>;
}

export interface CanaryRegistry {
  get(canaryId: string): RunningCanary | undefined;
  all(): Iterable<RunningCanary>;
  /** Makes the canaries of one source exactly these; what was refused keeps its old checks and is reported. */
  replaceSource(source: string, canaries: readonly FileCanary[]): Promise<void>;
  /** Reads the canaries that users keep in the database. */
  syncDatabase(): Promise<void>;
}

interface RegistryDeps {
  db: Database;
  nudges: NudgeHub;
  scheduler: Pick<Scheduler, 'set' | 'remove'>;
  logger: Logger;
}

const place = (canary: { name: string; namespace: string }) => `${canary.namespace}/${canary.name}`;

/** A document that names a canary twice would have the second undo the first. */
function withoutTwins(source: string, canaries: readonly FileCanary[]): FileCanary[] {
  const seen = new Set<string>();
  return canaries.map((found) => {
    const key = found.ok ? place(found.canary) : place(found);
    if (!seen.has(key)) {
      seen.add(key);
      return found;
    }
    const named = found.ok ? found.canary : found;
    const message = `${source}:1: metadata.name: the canary ${key} is in this file twice`;
    const problems: FileProblem[] = [{ file: source, line: 1, field: 'metadata.name', message }];
    return { ok: false, name: `${named.name} (second)`, namespace: named.namespace, problems };
  });
}

export function createCanaryRegistry({ db, nudges, scheduler, logger }: RegistryDeps): CanaryRegistry {
  const running = new Map<string, RunningCanary>();
  let last: Promise<void> = Promise.resolve();

  /** One change at a time; a failure is the caller's, not the next one's. */
  const inOrder = (work: () => Promise<void>): Promise<void> => {
    const mine = last.then(work);
    last = mine.catch(() => {});
    return mine;
  };

  const adopt = (entry: RunningCanary) => {
    running.set(entry.id, entry);
    if (entry.canary.isPaused || entry.canary.entries.every(({ runnable }) => runnable === null))
      scheduler.remove(entry.id);
    else scheduler.set(entry.id, entry.canary.schedule);
  };
  const drop = (id: string) => {
    running.delete(id);
    scheduler.remove(id);
  };

  const replace = async (source: string, canaries: readonly FileCanary[]) => {
    const before = await canariesOfSource(db, source);
    const kept = new Set<string>();
    const saved: { found: Canary; row: SavedCanary }[] = [];
    await db.transaction(async (tx) => {
      for (const found of withoutTwins(source, canaries)) {
        if (found.ok) {
          const row = await saveCanary(tx, found.canary, source);
          await noteSync(tx, row.id, []);
          saved.push({ found: found.canary, row });
          kept.add(row.id);
        } else {
          const id = await ensureRefusedCanary(tx, { name: found.name, namespace: found.namespace, source });
          await noteSync(tx, id, found.problems);
          kept.add(id);
          for (const { message } of found.problems) logger.warn({ source }, message);
        }
      }
      await deleteCanaries(
        tx,
        before.filter((id) => !kept.has(id)),
      );
    });
    for (const { found, row } of saved)
      adopt({ id: row.id, canary: found, source, trust: 'operator', checkIds: row.checkIds });
    for (const id of before) if (!kept.has(id)) drop(id);
    nudges.touch('canaries', 'canaries_with_status', 'checks');
  };

  /** Documents in the database have no lines; their problems name the field alone. */
  const syncOne = async (row: DatabaseCanary) => {
    const { name, namespace, labels, annotations, spec } = row;
    const read = readCanary(
      { kind: 'Canary', metadata: { name, namespace, labels, annotations }, spec },
      name,
    );
    if (!read.ok) {
      const problems = read.problems.map(({ field, message }) => ({ message: `${field}: ${message}` }));
      await db.transaction((tx) => noteSync(tx, row.id, problems));
      return;
    }
    const known = running.get(row.id);
    if (known !== undefined && JSON.stringify(known.canary) === JSON.stringify(read.canary)) return;
    const checkIds = await db.transaction(async (tx) => {
      await noteSync(tx, row.id, []);
      return (await saveChecksOf(tx, row.id, read.canary)).checkIds;
    });
    adopt({ id: row.id, canary: read.canary, source: 'UI', trust: 'user', checkIds });
  };

  return {
    get: (canaryId) => running.get(canaryId),
    all: () => running.values(),
    replaceSource: (source, canaries) => inOrder(() => replace(source, canaries)),
    syncDatabase: () =>
      inOrder(async () => {
        const rows = await databaseCanaries(db);
        for (const row of rows) await syncOne(row);
        const live = new Set(rows.map(({ id }) => id));
        for (const { id, trust } of [...running.values()]) if (trust === 'user' && !live.has(id)) drop(id);
        nudges.touch('canaries', 'canaries_with_status', 'checks');
      }),
  };
}
