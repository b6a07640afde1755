/**
 * Runs one check entry: the kind's probe, then transform, display and test (schema §4.4). An erring script marks
 * the result failed; an invalid result skips all of them.
 */
import type { TriedStep } from '../../../src/contract/http/trying/try-check.ts';
import { noteLiterals, refuseStars, withoutSignIn } from '../../connections/note-literals.ts';
import { createSecretScope } from '../../connections/secret-scope.ts';
import type { ConnectionFinder } from '../../connections/secret-scope.ts';
import type { Expressions } from '../../platform/expressions/expression-thread.ts';
import { hasScript } from '../../platform/expressions/script.ts';
import type { ScriptScope, ScriptSource } from '../../platform/expressions/script.ts';
import { AppError } from '../../../src/contract/errors.ts';
import { readCanary } from '../documents/canary-document.ts';
import type { Canary, CheckEntry } from '../documents/canary-document.ts';
import type { CheckSpec } from '../kind/registered-kind.ts';
import type { InnerCheck, KindContext, KindResult } from '../kind/check-kind.ts';
import { invalid, notRun } from '../kind/check-kind.ts';
import { reasonOf } from '../../platform/reason-of.ts';
import { figuresOf } from './run-figures.ts';
import { applyTransform } from './apply-transform.ts';
import { reasonNotRun } from '../documents/not-run.ts';
import { withProblems } from '../results/outcome.ts';
import type { Outcome } from '../results/outcome.ts';
import { createRedactor } from '../../platform/crypto/redact.ts';
import type { Redactor } from '../../platform/crypto/redact.ts';

export interface EntryRun {
  canary: Canary & { id: string };
  entry: CheckEntry;
  checkId: string | null;
  /** Why it is not to be run now, where that is known beforehand. */
  notRun?: string | null;
  /** Data of the checks that this one depends on, by name. */
  outputs: Record<string, unknown>;
  /** The newest stored result; asked for only by scripts that name it. */
  lastResult: () => Promise<unknown>;
  /** What scripts see besides. */
  variables?: Record<string, unknown>;
  /** Told of what the run goes through, without its secrets. */
  onStep?: (step: TriedStep) => void;
}

type OfTheRun = 'variables' | 'template' | 'matching' | 'holds' | 'checks' | 'connection' | 'refuseScripts';
type RunnerContext = Omit<KindContext, OfTheRun> & {
  findConnection: ConnectionFinder;
  expressions: Expressions;
};

/** Large answers are for scripts, not for the history. */
const NOT_KEPT = new Set(['content', 'json']);

const scriptsOf = ({
  spec,
}: CheckSpec): {
  test?: ScriptSource | undefined;
  display?: ScriptSource | undefined;
  transform?: ScriptSource | undefined;
} => spec;

function endpointOf(entry: CheckEntry): string {
  const found = ['url', 'endpoint', 'query', 'path']
    .map((key) => entry.raw[key])
    .find((value) => typeof value === 'string');
  // Scripts see it, and could write what signs in so that nobody finds it there.
  return typeof found === 'string' ? withoutSignIn(found) : '';
}

function variablesOf(run: EntryRun): Record<string, unknown> {
  const { canary, entry } = run;
  return {
    ...run.variables,
    check: {
      id: run.checkId ?? '',
      name: entry.name,
      description: entry.raw['description'] ?? '',
      labels: entry.raw['labels'] ?? {},
      endpoint: endpointOf(entry),
    },
    canary: { id: canary.id, name: canary.name, namespace: canary.namespace, labels: canary.labels },
    outputs: run.outputs,
  };
}

/** `results` is what the kind found; kinds without one keep their small facts. */
function detailOf(data: Record<string, unknown>): unknown {
  const { results, ...facts } = data;
  const isEmpty = typeof results !== 'object' || results === null || Object.keys(results).length === 0;
  return isEmpty ? Object.fromEntries(Object.entries(facts).filter(([key]) => !NOT_KEPT.has(key))) : results;
}

const asksForLast = (script: ScriptSource | undefined, more = '') =>
  /last_result/.test(JSON.stringify(script ?? {}) + more);

/** Everything scripts may see of an outcome. */
async function scopeOf(
  run: EntryRun,
  outcome: Pick<Outcome, 'data' | 'durationMs' | 'pass' | 'error'>,
  needsLast: boolean,
): Promise<ScriptScope> {
  return {
    variables: {
      results: {},
      ...variablesOf(run),
      ...outcome.data,
      duration: outcome.durationMs,
      pass: outcome.pass,
      error: outcome.error ?? '',
      errorType: '',
    },
    durationNames: ['duration', ...(run.entry.runnable?.durations ?? [])],
    lastResult: needsLast ? await run.lastResult() : null,
  };
}

/** What scripts run with, and who is told of them. */
interface Scripting {
  expressions: Expressions;
  note: (step: TriedStep) => void;
}

async function judge(run: EntryRun, outcome: Outcome, { expressions, note }: Scripting): Promise<Outcome> {
  if (outcome.invalid || run.entry.runnable === null) return outcome;
  const { display, test } = scriptsOf(run.entry.runnable);
  let judged = outcome;
  try {
    const scope = await scopeOf(run, outcome, asksForLast(display) || asksForLast(test));
    if (hasScript(display)) {
      judged = { ...judged, message: (await expressions.evaluate(display, scope)).text };
      note({ step: 'display', ok: true, text: judged.message ?? '' });
    }
    // What the kind itself found wrong isn't talked away by a script.
    if (!hasScript(test) || !judged.pass) return judged;
    const verdict = await expressions.evaluate(test, scope);
    note({ step: 'test', ok: verdict.isTrue === true, text: verdict.text });
    if (verdict.isTrue === true) return judged;
    const error =
      verdict.isTrue === false
        ? 'the test is false'
        : `the test gave "${verdict.text.slice(0, 200)}", neither true nor false`;
    return { ...judged, pass: false, error };
  } catch (error) {
    note({ step: 'test', ok: false, text: reasonOf(error) });
    return { ...judged, pass: false, error: reasonOf(error) };
  }
}

async function transformed(
  run: EntryRun,
  outcome: Outcome,
  { expressions, note }: Scripting,
): Promise<Outcome[]> {
  const transform = run.entry.runnable === null ? undefined : scriptsOf(run.entry.runnable).transform;
  if (outcome.invalid || !hasScript(transform)) return [outcome];
  try {
    const scope = await scopeOf(run, outcome, asksForLast(transform));
    const { text } = await expressions.evaluate(transform, scope);
    note({ step: 'transform', ok: true, text });
    return applyTransform(outcome, text);
  } catch (error) {
    note({ step: 'transform', ok: false, text: reasonOf(error) });
    return [{ ...outcome, pass: false, error: reasonOf(error) }];
  }
}

function kindContext(run: EntryRun, context: RunnerContext, redactor: Redactor): KindContext {
  const { expressions, findConnection, ...rest } = context;
  const { name, namespace, labels, annotations } = run.canary;
  // Bodies and filters are filled from the document as well, as it was written.
  const variables = { ...variablesOf(run), metadata: { name, namespace, labels, annotations } };
  const { author, guard, secret: mounted } = rest;
  const scope = createSecretScope({ author, findConnection, mounted, guard, redactor });
  return {
    ...rest,
    variables,
    guard: scope.guard,
    secret: scope.mounted,
    connection: scope.connection,
    refuseScripts: scope.refuseScripts,
    async template(text, more) {
      const scope = {
        variables: { ...variables, ...more },
        durationNames: [],
        lastResult: asksForLast(undefined, text) ? await run.lastResult() : null,
      };
      return (await expressions.evaluate({ template: text }, scope)).text;
    },
    async matching(pattern, names) {
      const script = {
        javascript: 'JSON.stringify(names.filter(function (name) { return new RegExp(pattern).test(name) }))',
      };
      const found = await expressions.evaluate(script, {
        variables: { names, pattern },
        durationNames: [],
        lastResult: null,
      });
      return new Set<string>(JSON.parse(found.text) as string[]);
    },
    async holds(expr, more) {
      const asked = { variables: { ...variables, ...more }, durationNames: [], lastResult: null };
      const { isTrue, text } = await expressions.evaluate({ expr }, asked);
      if (isTrue === null)
        throw new AppError(
          'invalid',
          `"${expr.slice(0, 100)}" gave "${text.slice(0, 100)}", neither true nor false`,
        );
      return isTrue;
    },
    checks: (spec) => runInner(run, spec, context),
  };
}

/** Checks that stand within another one see what that one sees; none of them has others within. */
async function runInner(
  run: EntryRun,
  spec: Record<string, unknown>,
  context: RunnerContext,
): Promise<InnerCheck[]> {
  const { name, namespace, labels } = run.canary;
  const document = {
    kind: 'Canary',
    metadata: { name, namespace, labels },
    spec: { ...spec, schedule: '@never' },
  };
  const read = readCanary(document, name);
  if (!read.ok)
    throw new AppError(
      'invalid',
      read.problems
        .map(({ field, message }) => `checks: ${field.replace(/^spec\.?/, '')}: ${message}`)
        .join('; '),
    );
  const found: InnerCheck[] = [];
  for (const entry of read.canary.entries) {
    if (entry.raw['checks'] !== undefined)
      throw new AppError('invalid', `checks: "${entry.name}" may not have checks of its own`);
    const [own] = await runEntry({ ...run, entry, checkId: null, notRun: null }, context);
    if (own === undefined) continue;
    const { pass, invalid: isInvalid, message, error, notRun: reason } = own;
    found.push({
      type: entry.type,
      name: entry.name,
      pass,
      invalid: isInvalid,
      message: message ?? '',
      error: error ?? '',
      notRun: reason,
    });
  }
  return found;
}

/** The outcome with what its check's `metrics` make of it; what they can't is said, and changes no result. */
async function measured(run: EntryRun, outcome: Outcome, { expressions, note }: Scripting): Promise<Outcome> {
  const metrics = run.entry.runnable?.spec.metrics ?? [];
  if (metrics.length === 0 || outcome.invalid || outcome.derived !== null) return outcome;
  const scope = await scopeOf(run, outcome, asksForLast(undefined, JSON.stringify(metrics)));
  const { figures, problems, text } = await figuresOf(metrics, scope, expressions);
  note({ step: 'metrics', ok: problems.length === 0, text });
  return withProblems({ ...outcome, figures: [...(outcome.figures ?? []), ...figures] }, problems);
}

function outcomeOfNotRun(entry: CheckEntry, reason: string, startedMs: number): Outcome {
  return { entry, derived: null, startedMs, ...notRun(reason), notRun: reason, detail: null };
}

/** Runs the entry; its own outcome comes first, then those of checks that its transform made. Never throws. */
export async function runEntry(run: EntryRun, context: RunnerContext): Promise<Outcome[]> {
  const { runnable } = run.entry;
  const startedMs = context.platform.now();
  const reason = run.notRun ?? reasonNotRun(run.entry, context);
  if (runnable === null || reason !== null) return [outcomeOfNotRun(run.entry, reason ?? '', startedMs)];
  const redactor = createRedactor();
  const written = [run.entry.raw, run.entry.shared];
  noteLiterals(written, redactor);
  let found: KindResult;
  try {
    if (context.author !== 'operator') refuseStars(written);
    // A service may answer with what it was sent: before scripts and other checks see it.
    found = redactor.value(await runnable.run(kindContext(run, context, redactor)));
  } catch (error) {
    found = invalid(reasonOf(error));
  }
  const outcome: Outcome = {
    entry: run.entry,
    derived: null,
    startedMs,
    ...found,
    notRun: found.notRun ?? null,
    detail: found.detail ?? detailOf(found.data),
  };
  if (outcome.notRun !== null) return [redactor.clean(outcome)];
  const note = (step: TriedStep) => run.onStep?.({ ...step, text: redactor.text(step.text) });
  note({ step: 'call', ok: outcome.pass, text: outcome.error ?? outcome.message ?? '' });
  const scripting = { expressions: context.expressions, note };
  const outcomes = await transformed(run, outcome, scripting);
  const judged = await Promise.all(outcomes.map((one) => judge(run, one, scripting)));
  const all = await Promise.all(judged.map((one) => measured(run, one, scripting)));
  return all.map((one) => ({ ...redactor.clean(one), figures: redactor.value(one.figures ?? []) }));
}
