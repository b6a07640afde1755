/**
 * Runs a canary: its entries side by side, those that depend on others after them, and hands the outcomes on to
 * be stored. Owns the order; knows no schedule.
 */
import { cutText } from '../../../src/lib/cut-text.ts';
import type { Lease } from '../../platform/jobs/held-lease.ts';
import { withLease } from '../../platform/jobs/leased-database.ts';
import type { ChangeNotifier } from '../../platform/jobs/change-notifier.ts';
import { findConnectionByReference } from '../../connections/connection-query.ts';
import type { Opener } from '../../platform/crypto/sealed-values.ts';
import type { Database } from '../../platform/db/database.ts';
import type { CheckEntry } from '../documents/canary-document.ts';
import type { RunningCanary } from '../canaries/canary-registry.ts';
import { checkKey } from '../canaries/canary-query.ts';
import { markNotRun } from '../canaries/not-run-query.ts';
import { newestResult, retireDerivedChecks, saveDerivedChecks } from '../canaries/derived-query.ts';
import type { KindContext } from '../kind/check-kind.ts';
import type { Expressions } from '../../platform/expressions/expression-thread.ts';
import { saveArtifacts } from '../results/artifact-query.ts';
import type { ResultRow } from '../results/result-query.ts';
import type { ResultWriter } from '../results/result-writer.ts';
import type { CheckFigures } from '../results/check-figures.ts';
import { withProblems } from '../results/outcome.ts';
import type { Outcome } from '../results/outcome.ts';
import type { Blindness } from '../sight/sight.ts';
import { markBlind } from '../sight/sight-query.ts';
import { runEntry } from './run-entry.ts';

/** What all runs share; the rest is of one canary, entry or run. */
export type SharedContext = Pick<KindContext, 'platform' | 'guard' | 'isExecAllowed' | 'secret' | 'catalog'>;

interface RunnerDeps {
  db: Database;
  sealer: Opener;
  notifier: ChangeNotifier;
  writer: ResultWriter;
  figures: CheckFigures;
  expressions: Expressions;
  context: SharedContext;
  nextRunMs: (canaryId: string) => number | null;
  isDisabled: (kind: string) => boolean;
  /** Why a check that failed says nothing: nobody could see. Null when it does. */
  blindness: (checkType: string, startedMs: number) => Promise<Blindness | null>;
}

const MAX_TEXT = 4000;
/** What the database's integer holds: three weeks. */
const MAX_DURATION_MS = 2 ** 31 - 1;
const cut = (text: string | null) =>
  text === null ? null : cutText(text.replaceAll('\u0000', ''), MAX_TEXT);
const isoOrNull = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());

function dependenciesOf(entry: CheckEntry): readonly string[] {
  return entry.runnable?.spec.dependsOn ?? [];
}

/** Its results are posted in. */
export const isPosted = ({ runnable }: CheckEntry): boolean => runnable?.isPosted === true;

function rowOf(checkId: string, outcome: Outcome, nextMs: number | null): ResultRow {
  return {
    check_id: checkId,
    time: new Date(outcome.startedMs).toISOString(),
    status: outcome.pass,
    invalid: outcome.invalid,
    duration: Math.min(Math.max(Math.round(outcome.durationMs), 0), MAX_DURATION_MS),
    message: cut(outcome.message),
    error: cut(outcome.error),
    details: outcome.detail ?? null,
    next_runtime: isoOrNull(nextMs),
  };
}

export interface RunOptions {
  signal: AbortSignal;
  /** Which entries, with what they depend on; all unless given. */
  only?: (entry: CheckEntry) => boolean;
  /** Of a run on schedule; results are refused once another server has it. Null: somebody asked for this run. */
  lease: Lease | null;
  /** What was posted for checks that do not run by themselves; they are left out unless given. */
  posted?: Record<string, unknown>;
}

/** One run of a canary in progress: which entries were started. */
interface Progress extends Pick<RunOptions, 'signal' | 'lease' | 'posted'> {
  canary: RunningCanary;
  entries: readonly CheckEntry[];
  started: Map<string, Promise<Outcome[]>>;
}

/** One for the process; several canaries may run in it at a time. */
export class CanaryRunner {
  private readonly deps: RunnerDeps;
  private readonly counts = { completed: 0, failed: 0 };

  constructor(deps: RunnerDeps) {
    this.deps = deps;
  }

  /** Resolves when all is stored. */
  async run(canary: RunningCanary, options: RunOptions): Promise<Outcome[]> {
    const { only = () => true, ...rest } = options;
    const { entries } = canary.canary;
    const progress: Progress = { ...rest, canary, entries, started: new Map() };
    const mayRun = (entry: CheckEntry) => rest.posted !== undefined || !isPosted(entry);
    const wanted = entries.filter((entry) => only(entry) && mayRun(entry));
    const runs = await Promise.all(wanted.map((entry) => this.start(progress, entry, [])));
    return runs.flat();
  }

  stats(): { completed: number; failed: number } {
    return this.counts;
  }

  private start(progress: Progress, entry: CheckEntry, path: readonly string[]): Promise<Outcome[]> {
    const key = checkKey(entry.type, entry.name);
    const known = progress.started.get(key);
    if (known !== undefined) return known;
    const run = this.runOne(progress, entry, [...path, entry.name]);
    progress.started.set(key, run);
    return run;
  }

  private async runOne(progress: Progress, entry: CheckEntry, path: readonly string[]): Promise<Outcome[]> {
    const { canary, signal, entries } = progress;
    const { context, expressions, db, sealer } = this.deps;
    const outputs: Record<string, unknown> = {};
    let notRun = this.reasonNotRun(canary, entry);
    for (const name of dependenciesOf(entry)) {
      const before = entries.find((other) => other.name === name);
      // A circle would wait for ever; whoever closes it runs without.
      if (before === undefined || path.includes(name)) continue;
      const [own] = await this.start(progress, before, path);
      outputs[name] = own?.data ?? {};
      if (own !== undefined && own.notRun !== null) notRun ??= `depends on "${name}": ${own.notRun}`;
    }
    const checkId = canary.checkIds.get(checkKey(entry.type, entry.name)) ?? null;
    const findConnection = (reference: string) => findConnectionByReference(db, sealer, reference);
    const lastResult = () => (checkId === null ? Promise.resolve(null) : newestResult(db, checkId));
    const outcomes = await runEntry(
      {
        canary: { ...canary.canary, id: canary.id },
        entry,
        checkId,
        outputs,
        lastResult,
        notRun,
        variables: progress.posted ?? {},
      },
      { ...context, trust: canary.trust, author: canary.author, findConnection, signal, expressions },
    );
    await this.store(progress, outcomes);
    return outcomes;
  }

  private reasonNotRun(canary: RunningCanary, entry: CheckEntry): string | null {
    const { type } = entry;
    return this.deps.isDisabled(type)
      ? `checks of kind ${type} are switched off by the property check.disabled.${type}`
      : (canary.notRun.get(entry) ?? null);
  }

  /** A check that was not run has no result; why it was not stands on the check itself. */
  private async storeNotRun({ canary, lease }: Progress, { entry, notRun }: Outcome): Promise<void> {
    const { db, notifier } = this.deps;
    const id = canary.checkIds.get(checkKey(entry.type, entry.name));
    if (id === undefined || notRun === null) return;
    if ((await markNotRun(withLease(db, lease), [{ id, reason: notRun }])) > 0) notifier.notify('checks');
  }

  /** Whether it failed because nobody could see; it is unknown then, and has no result. */
  private async isBlind({ canary, lease }: Progress, own: Outcome): Promise<boolean> {
    const { type, name } = own.entry;
    if (own.pass || own.invalid) return false;
    const blind = await this.deps.blindness(type, own.startedMs);
    const id = canary.checkIds.get(checkKey(type, name));
    if (blind === null || id === undefined) return false;
    const { db, notifier } = this.deps;
    const facts = { id, reason: blind.reason, since: new Date(blind.sinceMs) };
    if ((await markBlind(withLease(db, lease), facts)) > 0) notifier.notify('checks');
    return true;
  }

  private async store(progress: Progress, outcomes: readonly Outcome[]): Promise<void> {
    const [own] = outcomes;
    if (own !== undefined && own.notRun !== null) return this.storeNotRun(progress, own);
    if (own !== undefined && (await this.isBlind(progress, own))) return;
    const { canary, lease } = progress;
    const { writer, figures, nextRunMs } = this.deps;
    const ids = await this.idsOf(progress, outcomes);
    const next = own !== undefined && isPosted(own.entry) ? null : nextRunMs(canary.id);
    const stored = outcomes.flatMap((outcome, index) => {
      const id = ids[index] ?? '';
      this.counts.completed += 1;
      if (!outcome.pass) this.counts.failed += 1;
      if (id === '') return [];
      const told = withProblems(outcome, figures.note(ids[0] ?? '', outcome.figures ?? []));
      return [writer.add(rowOf(id, told, next), lease)];
    });
    const isStored = await Promise.all(stored);
    if (isStored[0] === true) await this.keepFiles(ids[0] ?? '', own);
  }

  /** Files of a run whose check went meanwhile are nobody's. */
  private async keepFiles(checkId: string, own: Outcome | undefined): Promise<void> {
    const files = own?.files ?? [];
    if (own === undefined || files.length === 0 || checkId === '') return;
    const time = new Date(own.startedMs).toISOString();
    await saveArtifacts(this.deps.db, { checkId, time }, files);
  }

  /** Ids of the checks that the outcomes belong to; derived checks are saved first. */
  private async idsOf({ canary, lease }: Progress, outcomes: readonly Outcome[]): Promise<string[]> {
    const [own] = outcomes;
    const spec = own?.entry.runnable?.spec;
    const ownId =
      own === undefined ? '' : (canary.checkIds.get(checkKey(own.entry.type, own.entry.name)) ?? '');
    if (spec?.transform === undefined || own?.invalid === true) return [ownId];
    const strategy = spec.transformDeleteStrategy ?? 'MarkHealthy';
    const status = strategy === 'Ignore' ? null : strategy === 'MarkHealthy' ? 'healthy' : 'unhealthy';
    const derived = outcomes.flatMap((outcome) => (outcome.derived === null ? [] : [outcome.derived]));
    const parent = { canaryId: canary.id, from: `${own?.entry.type ?? ''}/${own?.entry.name ?? ''}` };
    return withLease(this.deps.db, lease).transaction(async (tx) => {
      const ids = await saveDerivedChecks(tx, parent, derived);
      const kept = ids.filter((_, index) => derived[index]?.deletedAt === null);
      // A run that failed says nothing about what is gone.
      if (own?.error === null) await retireDerivedChecks(tx, parent, { keptIds: kept, status });
      return [ownId, ...ids];
    });
  }
}
