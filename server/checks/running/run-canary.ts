/**
 * Runs a canary: its entries side by side, those that depend on others after them, and hands the outcomes on to
 * be stored. Owns the order; knows no schedule.
 */
import type { Database } from '../../db/database.ts';
import type { CheckEntry } from '../documents/canary-document.ts';
import type { RunningCanary } from '../canaries/canary-registry.ts';
import { checkKey } from '../canaries/canary-query.ts';
import { newestResult, retireDerivedChecks, saveDerivedChecks } from '../canaries/derived-query.ts';
import type { KindContext } from '../kinds/check-kind.ts';
import type { Expressions } from '../expressions/expression-thread.ts';
import type { ResultRow } from '../results/result-query.ts';
import type { ResultWriter } from '../results/result-writer.ts';
import type { Outcome } from './outcome.ts';
import { runEntry } from './run-entry.ts';

export interface CanaryRunner {
  /** Runs all entries (or those that `only` accepts, with what they depend on); resolves when all is stored. */
  run(canary: RunningCanary, signal: AbortSignal, only?: (entry: CheckEntry) => boolean): Promise<Outcome[]>;
  stats(): { completed: number; failed: number };
}

interface RunnerDeps {
  db: Database;
  writer: ResultWriter;
  expressions: Expressions;
  context: Omit<KindContext, 'variables' | 'template' | 'matching' | 'signal' | 'trust'>;
  nextRunMs: (canaryId: string) => number | null;
  isDisabled: (kind: string) => boolean;
}

const MAX_TEXT = 4000;
const cut = (text: string | null) =>
  text === null ? null : text.replaceAll('\u0000', '').slice(0, MAX_TEXT);
const isoOrNull = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());

function dependenciesOf(entry: CheckEntry): readonly string[] {
  return entry.runnable?.spec.dependsOn ?? [];
}

export function createCanaryRunner(deps: RunnerDeps): CanaryRunner {
  const { db, writer, expressions, context, nextRunMs, isDisabled } = deps;
  const counts = { completed: 0, failed: 0 };

  const rowOf = (checkId: string, outcome: Outcome, next: number | null): ResultRow => ({
    check_id: checkId,
    time: new Date(outcome.startedMs).toISOString(),
    status: outcome.pass,
    invalid: outcome.invalid,
    duration: Math.round(outcome.durationMs),
    message: cut(outcome.message),
    error: cut(outcome.error),
    details: outcome.detail ?? null,
    next_runtime: isoOrNull(next),
  });

  /** Ids of the checks that the outcomes belong to; derived checks are saved first. */
  const idsOf = async (canary: RunningCanary, outcomes: readonly Outcome[]): Promise<string[]> => {
    const [own] = outcomes;
    const derived = outcomes.flatMap((outcome) => (outcome.derived === null ? [] : [outcome.derived]));
    const ownId =
      own === undefined ? '' : (canary.checkIds.get(checkKey(own.entry.type, own.entry.name)) ?? '');
    const spec = own?.entry.runnable?.spec;
    if (spec === undefined || !('transform' in spec) || spec.transform === undefined || own?.invalid === true)
      return [ownId];
    const strategy = spec.transformDeleteStrategy ?? 'MarkHealthy';
    const status = strategy === 'Ignore' ? null : strategy === 'MarkHealthy' ? 'healthy' : 'unhealthy';
    return db.transaction(async (tx) => {
      const ids = await saveDerivedChecks(tx, canary.id, derived);
      const kept = ids.filter((_, index) => derived[index]?.deletedAt === null);
      // A run that failed says nothing about what is gone.
      if (own?.error === null) await retireDerivedChecks(tx, { canaryId: canary.id, keptIds: kept, status });
      return [ownId, ...ids];
    });
  };

  const store = async (canary: RunningCanary, outcomes: readonly Outcome[]) => {
    const ids = await idsOf(canary, outcomes);
    const next = nextRunMs(canary.id);
    await Promise.all(
      outcomes.map((outcome, index) => {
        const id = ids[index] ?? '';
        counts.completed += 1;
        if (!outcome.pass) counts.failed += 1;
        return id === '' ? null : writer.add(rowOf(id, outcome, next));
      }),
    );
  };

  return {
    async run(canary, signal, only = () => true) {
      const entries = canary.canary.entries.filter(
        (entry) => entry.runnable !== null && !isDisabled(entry.type),
      );
      const started = new Map<string, Promise<Outcome[]>>();
      const start = (entry: CheckEntry, path: readonly string[]): Promise<Outcome[]> => {
        const known = started.get(entry.name);
        if (known !== undefined) return known;
        const run = runOne(entry, [...path, entry.name]);
        started.set(entry.name, run);
        return run;
      };
      const runOne = async (entry: CheckEntry, path: readonly string[]): Promise<Outcome[]> => {
        const outputs: Record<string, unknown> = {};
        for (const name of dependenciesOf(entry)) {
          const before = entries.find((other) => other.name === name);
          // A circle would wait for ever; whoever closes it runs without.
          if (before !== undefined && !path.includes(name))
            outputs[name] = (await start(before, path))[0]?.data ?? {};
        }
        const checkId = canary.checkIds.get(checkKey(entry.type, entry.name)) ?? null;
        const lastResult = () => (checkId === null ? Promise.resolve(null) : newestResult(db, checkId));
        const outcomes = await runEntry(
          { canary: { ...canary.canary, id: canary.id }, entry, checkId, outputs, lastResult },
          { ...context, trust: canary.trust, signal, expressions },
        );
        await store(canary, outcomes);
        return outcomes;
      };
      const runs = await Promise.all(entries.filter(only).map((entry) => start(entry, [])));
      return runs.flat();
    },
    stats: () => counts,
  };
}
