/**
 * One step of a run: its next action, a sleep before it, or its end (schema §7.4). Invariants:
 * - An action's row says `running` before it has any effect, and how it ended is written with the lease of the run: an
 *   action that is found `running` by somebody else was interrupted, and is never begun again.
 * - Every write of a step is refused once another server has the run.
 */
import type { PlaybookAction, PlaybookSpec } from '../../../src/contract/specs/playbook-spec.ts';
import { parseDuration } from '../../../src/domain/check/duration.ts';
import { AppError } from '../../../src/contract/errors.ts';
import type { Queryable } from '../../platform/db/database.ts';
import type { Expressions } from '../../platform/expressions/expression-thread.ts';
import type { Lease } from '../../platform/jobs/held-lease.ts';
import type { AttemptEnd } from '../../platform/jobs/lease-queue.ts';
import { requireLease } from '../../platform/jobs/leases.ts';
import { reasonOf } from '../../platform/reason-of.ts';
import { finishedActions, hasFailed, INTERRUPTED, nextAction } from './next-action.ts';
import { joinedOutput } from './output/output-query.ts';
import { performAction, timeoutOf } from './perform-action.ts';
import type { PerformDeps, StopReason } from './perform-action.ts';
import { beginAction, delayRun, endAction, endRun, isWithinQuotas, noteChange } from './run-query.ts';
import type { ActionEnd, ActionRow, DueRun, RunQuotas } from './run-query.ts';
import { envOfConditions } from './render-context.ts';
import { createRunScope, variablesOf } from './run-scope.ts';
import type { RunScope } from './run-scope.ts';
import { saveActionFiles } from './output/action-files-query.ts';
import { openGiven } from './secrets/run-secrets.ts';
import { specOf } from './run-spec.ts';
import { endSilent, handOver } from './handed-query.ts';
import { placeOfAction, silentEnd } from './place-of-action.ts';

export interface StepDeps extends PerformDeps {
  expressions: Expressions;
  quotas: RunQuotas;
}

export interface StepRun {
  run: DueRun;
  lease: Lease;
  /** Aborted to end the action that is under way. */
  signal: AbortSignal;
  stopReason: () => StopReason;
}

/** Others are running: asked again after this. */
const TURN_MS = 500;
const INTERRUPTED_ERROR =
  'Interrupted: the server stopped while this ran. It may have had its effect; it is not run again by itself.';

const done = (write: (tx: Queryable) => Promise<unknown>): AttemptEnd => ({ kind: 'done', write });

async function isWanted(action: PlaybookAction, scope: RunScope): Promise<boolean> {
  const condition = (action.if ?? '').trim();
  if (condition === '') return true;
  const { isTrue, text } = await scope.evaluate(condition);
  if (isTrue !== null) return isTrue;
  throw new AppError('invalid', `if: gave "${text.slice(0, 200)}", neither true nor false`);
}

class RunStep {
  private readonly step: StepRun;
  private readonly deps: StepDeps;
  private readonly spec: PlaybookSpec;

  constructor(step: StepRun, deps: StepDeps) {
    this.step = { ...step, run: { ...step.run, ...openGiven(step.run, deps.sealer) } };
    this.deps = deps;
    this.spec = specOf(step.run, deps);
  }

  async take(): Promise<AttemptEnd> {
    const { run } = this.step;
    const away = run.actions.find(
      ({ status, agent }) => agent !== null && ['running', 'waiting'].includes(status),
    );
    if (away !== undefined) return this.silent(away);
    const left = run.actions.find(({ status }) => status === 'running');
    if (left !== undefined) return this.interrupted(left);
    const next = nextAction(this.spec, run.actions);
    if (next === null) return this.finished();
    const variables = await variablesOf(this.deps.db, run, this.spec);
    const actions = finishedActions(run.actions);
    const scopeWith = (env: Record<string, string>): RunScope =>
      createRunScope(
        { expressions: this.deps.expressions, mark: this.deps.platform.secret(12) },
        { ...variables, env },
        actions,
      );
    const conditions = [next.if ?? '', next.delay ?? '', ...this.placesOf(next)];
    const scope = scopeWith(await envOfConditions(this.spec, conditions, scopeWith({}).fill));
    const delayMs = run.status === 'sleeping' ? 0 : await this.delayOf(next, scope);
    if (delayMs > 0) {
      const until = new Date(this.deps.platform.now() + delayMs);
      return done((tx) => delayRun(tx, { runId: run.id, status: 'sleeping', until }));
    }
    return this.perform(next, scope, scopeWith);
  }

  /** Names of agents, or templates of them. */
  private placesOf({ runsOn }: PlaybookAction): string[] {
    return (runsOn ?? this.spec.runsOn ?? []).map(String);
  }

  private now(): Date {
    return new Date(this.deps.platform.now());
  }

  private at(actionId: string) {
    return { runId: this.step.run.id, actionId, now: this.now() };
  }

  /** Was under way when its server went: what it wrote is kept, and it is not done again. */
  private async interrupted(action: ActionRow): Promise<AttemptEnd> {
    const written = await joinedOutput(this.deps.db, action.id);
    const end: ActionEnd = {
      status: 'failed',
      error: INTERRUPTED_ERROR,
      result: { ...written, [INTERRUPTED]: true },
    };
    return done((tx) => endAction(tx, this.at(action.id), end));
  }

  /** Its agent did not take it, or not say how it ended, in time. */
  private silent(action: ActionRow): AttemptEnd {
    const { id: actionId, status } = action;
    return done((tx) => endSilent(tx, { actionId, status, now: this.now(), ...silentEnd(action) }));
  }

  private finished(): AttemptEnd {
    const { run } = this.step;
    const status = hasFailed(run.actions) ? 'failed' : 'completed';
    return done(async (tx) => {
      await endRun(tx, { runId: run.id, status, error: null, now: this.now() });
      await noteChange(tx, run.id, status === 'failed' ? 'PlaybookFailed' : 'PlaybookCompleted');
    });
  }

  private async delayOf({ delay = '' }: PlaybookAction, scope: RunScope): Promise<number> {
    if (delay.trim() === '') return 0;
    const plain = parseDuration(delay);
    const text = plain === null ? (await scope.evaluate(delay)).text : delay;
    const ms = plain ?? parseDuration(text);
    if (ms === null) throw new AppError('invalid', `delay: "${text}" is not a duration such as 30s or 5m`);
    return ms;
  }

  private async perform(
    action: PlaybookAction,
    conditions: RunScope,
    scope: (env: Record<string, string>) => RunScope,
  ): Promise<AttemptEnd> {
    const { run, signal, stopReason } = this.step;
    const { platform, notify } = this.deps;
    const actionId = platform.newId();
    const begun = await this.begin(action, actionId);
    notify('playbook_runs', 'playbook_run_actions');
    if (begun === 'ended') return done(() => Promise.resolve());
    if (begun === 'later') {
      const until = new Date(platform.now() + TURN_MS);
      return done((tx) => delayRun(tx, { runId: run.id, status: 'scheduled', until }));
    }
    const elsewhere = await this.elsewhere(action, actionId, conditions);
    if (elsewhere !== null) return elsewhere;
    const { author, parameters } = run;
    const performance = {
      runId: run.id,
      actionId,
      author,
      spec: this.spec,
      action,
      scope,
      signal,
      stopReason,
    };
    const { end, files } = await performAction({ ...performance, parameters: parameters ?? {} }, this.deps);
    const isCancelled = signal.aborted && stopReason() === 'cancelled';
    return done(async (tx) => {
      await endAction(tx, this.at(actionId), end);
      await saveActionFiles(tx, actionId, files);
      if (isCancelled) await endRun(tx, { runId: run.id, status: 'cancelled', error: null, now: this.now() });
    });
  }

  /** Notes that the action begins, where nobody ended the run and it is its turn. */
  private begin(action: PlaybookAction, actionId: string): Promise<'begun' | 'later' | 'ended'> {
    const { run, lease } = this.step;
    const { db, quotas } = this.deps;
    return db.transaction(async (tx) => {
      await requireLease(tx, lease);
      if (!(await isWithinQuotas(tx, run, quotas))) return 'later';
      const begin = { runId: run.id, actionId, name: action.name, now: this.now() };
      if (!(await beginAction(tx, begin))) return 'ended';
      if (run.actions.length === 0) await noteChange(tx, run.id, 'PlaybookStarted');
      return 'begun';
    });
  }

  /** How the step ends when the action is not done here: skipped, refused, or given to an agent. */
  private async elsewhere(
    action: PlaybookAction,
    actionId: string,
    scope: RunScope,
  ): Promise<AttemptEnd | null> {
    const end = (ended: ActionEnd) => done((tx) => endAction(tx, this.at(actionId), ended));
    try {
      if (!(await isWanted(action, scope))) return end({ status: 'skipped', error: null, result: null });
      const names = await Promise.all(this.placesOf(action).map((name) => scope.fill(name)));
      const place = await placeOfAction(this.deps.db, { names, now: this.now() });
      if ('end' in place) return end(place.end);
      if (place.agent === null) return null;
      const timeoutMs = await timeoutOf(action, scope.fill);
      const given = { agentId: place.agent.id, timeoutMs };
      return done((tx) => handOver(tx, { ...this.at(actionId), ...given }));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return end({ status: 'failed', error: reasonOf(error), result: {} });
    }
  }
}

/** Takes the next step of the run; what is written of it comes with the end of the attempt. */
export async function takeStep(step: StepRun, deps: StepDeps): Promise<AttemptEnd> {
  try {
    return await new RunStep(step, deps).take();
  } catch (error) {
    // Nothing could be begun: the run says why (Initialization). What the database refuses is another matter.
    if (!(error instanceof AppError) || (error.code !== 'invalid' && error.code !== 'forbidden')) throw error;
    const { id } = step.run;
    return done(async (tx) => {
      const now = new Date(deps.platform.now());
      await endRun(tx, { runId: id, status: 'failed', error: error.message, now });
      await noteChange(tx, id, 'PlaybookFailed');
    });
  }
}
