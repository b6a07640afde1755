/** The canaries that run, from files and the database: what the registry of documents has to know of them. */
import { SUSPENDED } from '../../../src/domain/bulk/suspended.ts';
import { DocumentRegistry } from '../../platform/documents/document-registry.ts';
import type { DocumentKind } from '../../platform/documents/document-kind.ts';
import type { Database } from '../../platform/db/database.ts';
import type { ChangeNotifier } from '../../platform/jobs/change-notifier.ts';
import type { SpecAuthor } from '../../connections/secret-scope.ts';
import type { Opener } from '../../platform/crypto/sealed-values.ts';
import type { EgressTrust } from '../../platform/egress/egress-guard.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Canary } from '../documents/canary-document.ts';
import { readCanary } from '../documents/canary-document.ts';
import type { Scheduler } from '../../platform/jobs/scheduler.ts';
import { reasonsNotRun } from '../documents/not-run.ts';
import type { DatabaseCanary, NotRunReasons } from './canary-query.ts';
import {
  canariesOfSource,
  databaseCanaries,
  deleteCanaries,
  ensureRefusedCanary,
  fileSources,
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

interface CanaryRegistryDeps {
  db: Database;
  sealer: Opener;
  notifier: ChangeNotifier;
  scheduler: Pick<Scheduler, 'set' | 'remove'>;
  logger: Logger;
  isExecAllowed: boolean;
}

interface ReadCanary {
  ok: true;
  canary: Canary;
}

type CanaryKind = DocumentKind<ReadCanary, DatabaseCanary, RunningCanary>;
export type CanaryRegistry = DocumentRegistry<ReadCanary, DatabaseCanary, RunningCanary>;

/** How they are saved and read. */
function canaryRows({ isExecAllowed }: CanaryRegistryDeps) {
  const judge = (canary: Canary, trust: EgressTrust) => ({
    canary,
    // Paused, it says so and not what it was the last time that it ran.
    notRun: canary.isPaused
      ? new Map(canary.entries.map((entry) => [entry, SUSPENDED.reason]))
      : reasonsNotRun(canary.entries, { isExecAllowed, trust }),
  });
  return {
    sources: fileSources,
    ofSource: canariesOfSource,
    async save(tx, { canary }, source) {
      const judged = judge(canary, 'operator');
      const saved = await saveCanary(tx, judged, source);
      return { ...saved, ...judged, source, trust: 'operator', author: 'operator' };
    },
    ensureRefused: (tx, { name, namespace }, source) => ensureRefusedCanary(tx, { name, namespace, source }),
    remove: deleteCanaries,
    stored: databaseCanaries,
    readStored({ name, namespace, labels, annotations }, spec) {
      return readCanary({ kind: 'Canary', metadata: { name, namespace, labels, annotations }, spec }, name);
    },
    async takeStored(tx, row, { canary }) {
      const judged = judge(canary, 'user');
      const saved = await saveChecksOf(tx, row.id, judged);
      const author = row.is_granted ? 'granter' : 'user';
      return { ...saved, ...judged, source: 'UI', trust: 'user', author };
    },
    note: noteSync,
  } satisfies Partial<CanaryKind>;
}

/** Their documents, saved and told to the scheduler. */
export function createCanaryRegistry(deps: CanaryRegistryDeps): CanaryRegistry {
  const { scheduler, notifier } = deps;
  return new DocumentRegistry(deps, {
    noun: 'canary',
    nameOf: ({ canary }) => canary,
    runsOnWhenRefused: true,
    ...canaryRows(deps),
    start({ id, canary, notRun }) {
      const hasNothingToRun = canary.entries.every(
        (check) => notRun.has(check) || check.runnable?.isPosted === true,
      );
      if (canary.isPaused || hasNothingToRun) scheduler.remove(id);
      else scheduler.set(id, canary.schedule);
    },
    stop: (id) => scheduler.remove(id),
    changed: () => notifier.notify('canaries', 'canaries_with_status', 'checks'),
  } satisfies CanaryKind);
}
