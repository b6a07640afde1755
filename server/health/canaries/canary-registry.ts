/**
 * The canaries that run: kept in step with their documents. Owns which canary comes from where; saves them and
 * tells the scheduler. Changes are applied one after the other, so that two quick edits of a file can't cross.
 */
import type { Database, Queryable } from '../../platform/db/database.ts';
import type { ChangeNotifier } from '../../platform/jobs/change-notifier.ts';
import type { SpecAuthor } from '../../connections/secret-scope.ts';
import { tryOpenContent } from '../../platform/crypto/sealed-values.ts';
import type { Opener } from '../../platform/crypto/sealed-values.ts';
import type { EgressTrust } from '../../platform/egress/egress-guard.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Canary } from '../documents/canary-document.ts';
import { readCanary } from '../documents/canary-document.ts';
import type { FileProblem } from '../../platform/yaml/yaml-file.ts';
import type { FileCanary } from '../documents/canary-file.ts';
import type { Scheduler } from '../../platform/jobs/scheduler.ts';
import { reasonsNotRun } from '../kinds/not-run.ts';
import type { DatabaseCanary, NotRunReasons, SavedCanary } from './canary-query.ts';
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
  author: SpecAuthor;
  checkIds: ReadonlyMap<string, string>;
  /** What of it this server can't run, and why. */
  notRun: NotRunReasons;
}

type RefusedCanary = Extract<FileCanary, { ok: false }>;

interface RegistryDeps {
  db: Database;
  sealer: Opener;
  notifier: ChangeNotifier;
  scheduler: Pick<Scheduler, 'set' | 'remove'>;
  logger: Logger;
  isExecAllowed: boolean;
}

const place = (canary: { name: string; namespace: string }) => `${canary.namespace}/${canary.name}`;

/** A document that names a canary twice would have the second undo the first. */
function withoutDuplicates(source: string, canaries: readonly FileCanary[]): FileCanary[] {
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

/** A file that can't even be read as documents says nothing about which of its canaries are gone. */
const isUnreadable = (source: string, canaries: readonly FileCanary[]) =>
  canaries.some((found) => !found.ok && found.name.startsWith(source));

export class CanaryRegistry {
  private readonly deps: RegistryDeps;
  private readonly running = new Map<string, RunningCanary>();
  private last: Promise<void> = Promise.resolve();

  constructor(deps: RegistryDeps) {
    this.deps = deps;
  }

  get(canaryId: string): RunningCanary | undefined {
    return this.running.get(canaryId);
  }

  all(): Iterable<RunningCanary> {
    return this.running.values();
  }

  /** Makes the canaries of one source exactly these; what was refused keeps its old checks and is reported. */
  replaceSource(source: string, canaries: readonly FileCanary[]): Promise<void> {
    return this.inOrder(() => this.replace(source, canaries));
  }

  /** Reads the canaries that users keep in the database. */
  syncDatabase(): Promise<void> {
    return this.inOrder(async () => {
      const rows = await databaseCanaries(this.deps.db);
      for (const row of rows) await this.syncOne(row);
      const live = new Set(rows.map(({ id }) => id));
      const gone = [...this.running.values()].filter(({ id, trust }) => trust === 'user' && !live.has(id));
      for (const { id } of gone) this.drop(id);
      this.tell();
    });
  }

  /** One change at a time; a failure is the caller's, not the next one's. */
  private inOrder(work: () => Promise<void>): Promise<void> {
    const mine = this.last.then(work);
    this.last = mine.catch(() => {});
    return mine;
  }

  private tell(): void {
    this.deps.notifier.notify('canaries', 'canaries_with_status', 'checks');
  }

  private adopt(entry: RunningCanary): void {
    const { scheduler } = this.deps;
    this.running.set(entry.id, entry);
    const hasNothingToRun = entry.canary.entries.every((check) => entry.notRun.has(check));
    if (entry.canary.isPaused || hasNothingToRun) scheduler.remove(entry.id);
    else scheduler.set(entry.id, entry.canary.schedule);
  }

  private reasons(canary: Canary, trust: EgressTrust): NotRunReasons {
    return reasonsNotRun(canary.entries, { isExecAllowed: this.deps.isExecAllowed, trust });
  }

  private drop(id: string): void {
    this.running.delete(id);
    this.deps.scheduler.remove(id);
  }

  private async replace(source: string, canaries: readonly FileCanary[]): Promise<void> {
    const { db } = this.deps;
    const before = await canariesOfSource(db, source);
    const kept = new Set<string>(isUnreadable(source, canaries) ? before : []);
    const saved: { found: Canary; row: SavedCanary; notRun: NotRunReasons }[] = [];
    await db.transaction(async (tx) => {
      for (const found of withoutDuplicates(source, canaries)) {
        if (found.ok) {
          const notRun = this.reasons(found.canary, 'operator');
          const row = await saveCanary(tx, { canary: found.canary, notRun }, source);
          await noteSync(tx, row.id, []);
          saved.push({ found: found.canary, row, notRun });
          kept.add(row.id);
        } else {
          kept.add(await this.refuse(tx, source, found));
        }
      }
      await deleteCanaries(
        tx,
        before.filter((id) => !kept.has(id)),
      );
    });
    for (const { found, row, notRun } of saved)
      this.adopt({
        id: row.id,
        canary: found,
        source,
        trust: 'operator',
        author: 'operator',
        checkIds: row.checkIds,
        notRun,
      });
    for (const id of before) if (!kept.has(id)) this.drop(id);
    this.tell();
  }

  private async refuse(tx: Queryable, source: string, found: RefusedCanary): Promise<string> {
    const id = await ensureRefusedCanary(tx, { name: found.name, namespace: found.namespace, source });
    await noteSync(tx, id, found.problems);
    for (const { message } of found.problems) this.deps.logger.warn({ source }, message);
    return id;
  }

  /** Documents in the database have no lines; their problems name the field alone. */
  private async syncOne(row: DatabaseCanary): Promise<void> {
    const { db, sealer } = this.deps;
    const { id, name, namespace, labels, annotations, sealed } = row;
    const owner = `canary "${name}"`;
    const { content: spec, problem } = tryOpenContent(sealer, { id, owner, content: row.spec, sealed });
    if (problem !== null) {
      this.drop(id);
      await db.transaction((tx) => noteSync(tx, id, [{ message: problem }]));
      return;
    }
    const author = row.is_granted ? 'granter' : 'user';
    const document = { kind: 'Canary', metadata: { name, namespace, labels, annotations }, spec };
    const read = readCanary(document, name);
    if (!read.ok) {
      const problems = read.problems.map(({ field, message }) => ({ message: `${field}: ${message}` }));
      await db.transaction((tx) => noteSync(tx, row.id, problems));
      return;
    }
    const known = this.running.get(row.id);
    const isSame = JSON.stringify(known?.canary) === JSON.stringify(read.canary);
    if (isSame && known?.author === author) return;
    const notRun = this.reasons(read.canary, 'user');
    const checkIds = await db.transaction(async (tx) => {
      await noteSync(tx, row.id, []);
      return (await saveChecksOf(tx, row.id, { canary: read.canary, notRun })).checkIds;
    });
    this.adopt({ id: row.id, canary: read.canary, source: 'UI', trust: 'user', author, checkIds, notRun });
  }
}
