/**
 * One step of a run: its next action, a sleep before it, or its end (schema §7.4). Invariants:
 * - An action's row says `running` before it has any effect, and how it ended is written with the lease of the run: an
 *   action that is found `running` by somebody else was interrupted, and is never begun again.
 * - Every write of a step is refused once another server has the run.
 */
import { playbookSpecSchema } from '../../../src/contract/specs/playbook-spec.ts';
import type { PlaybookAction, PlaybookSpec } from '../../../src/contract/specs/playbook-spec.ts';
import { parseDuration } from '../../../src/domain/check/duration.ts';
import { AppError } from '../../../src/contract/errors.ts';
import { tryOpenContent } from '../../platform/crypto/sealed-values.ts';
import type { Queryable } from '../../platform/db/database.ts';
import type { Expressions } from '../../platform/expressions/expression-thread.ts';
import type { Lease } from '../../platform/jobs/held-lease.ts';
import type { AttemptEnd } from '../../platform/jobs/lease-queue.ts';
import { requireLease } from '../../platform/jobs/leases.ts';
import { reasonOf } from '../../platform/reason-of.ts';
import { problemsOf } from '../../platform/yaml/document-problems.ts';
import { finishedActions, hasFailed, INTERRUPTED, nextAction } from './next-action.ts';
import { joinedOutput } from './output-query.ts';
import { performAction } from './perform-action.ts';
import type { PerformDeps, StopReason } from './perform-action.ts';
import {
  beginAction,
  delayRun,
  endAction,
  endRun,
  isKnownAgent,
  isWithinQuotas,
  noteChange,
} from './run-query.ts';
import type { ActionEnd, ActionRow, DueRun, RunQuotas } from './run-query.ts';
import { createRunScope, variablesOf } from './run-scope.ts';
import type { RunScope } from './run-scope.ts';
import { saveActionFiles } from './action-files-query.ts';

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

/** How specifications call this server. */
const LOCAL = 'local';

const done = (write: (tx: Queryable) => Promise<unknown>): AttemptEnd => ({ kind: 'done', write });

function specOf(run: DueRun, deps: StepDeps): PlaybookSpec {
  const { playbook_id: id, opened, sealed } = run;
  const { content, problem } = tryOpenContent(deps.sealer, {
    id,
    owner: 'the playbook',
    content: opened,
    sealed,
  });
  if (problem !== null) throw new AppError('invalid', problem);
  const parsed = playbookSpecSchema.safeParse(content);
  if (parsed.success) return parsed.data;
  const problems = problemsOf(parsed.error, ['spec'], content);
  throw new AppError('invalid', problems.map(({ field, message }) => `${field}: ${message}`).join('; '));
}

/** Why an action can't be given to the agents that it names; null where this server does it itself. */
async function agentProblem(db: Queryable, agents: readonly string[]): Promise<ActionEnd | null> {
  const [agent] = agents;
  if (agent === undefined || agents.includes(LOCAL)) return null;
  const error = (await isKnownAgent(db, agent))
    ? `runsOn: the agent "${agent}" cannot be given actions by this version of the server; "${LOCAL}" runs them here`
    : `runsOn: there is no agent "${agent}"; "${LOCAL}" runs the action here`;
  return { status: 'failed', error, result: {} };
}

class RunStep {
  private readonly step: StepRun;
  private readonly deps: StepDeps;
  private readonly spec: PlaybookSpec;

  constructor(step: StepRun, deps: StepDeps) {
    this.step = step;
    this.deps = deps;
    this.spec = specOf(step.run, deps);
  }

  async take(): Promise<AttemptEnd> {
    const { run } = this.step;
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
    const delayMs = run.status === 'sleeping' ? 0 : await this.delayOf(next, scopeWith({}));
    if (delayMs > 0) {
      const until = new Date(this.deps.platform.now() + delayMs);
      return done((tx) => delayRun(tx, { runId: run.id, status: 'sleeping', until }));
    }
    return this.perform(next, scopeWith);
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
    const agents = (action.runsOn ?? this.spec.runsOn ?? []).map(String);
    const isWanted = (await agentProblem(this.deps.db, agents)) ?? (await this.isWanted(action, scope({})));
    if (isWanted !== true) {
      const end: ActionEnd = isWanted === false ? { status: 'skipped', error: null, result: null } : isWanted;
      return done((tx) => endAction(tx, this.at(actionId), end));
    }
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

  private async isWanted(action: PlaybookAction, scope: RunScope): Promise<boolean | ActionEnd> {
    const condition = (action.if ?? '').trim();
    if (condition === '') return true;
    try {
      const { isTrue, text } = await scope.evaluate(condition);
      if (isTrue !== null) return isTrue;
      throw new AppError('invalid', `if: gave "${text.slice(0, 200)}", neither true nor false`);
    } catch (error) {
      return { status: 'failed', error: reasonOf(error), result: {} };
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
