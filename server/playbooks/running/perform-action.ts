/** One action of a run, done once: within its time, its output shown, everything that is kept without secrets. */
import { AppError } from '../../../src/contract/errors.ts';
import { parseDuration } from '../../../src/domain/check/duration.ts';
import type { PlaybookAction } from '../../../src/contract/specs/playbook-spec.ts';
import { findConnectionByReference } from '../../connections/connection-query.ts';
import type { SecretReader } from '../../connections/connection-values.ts';
import { noteLiterals, refuseStars } from '../../connections/note-literals.ts';
import { createSecretScope } from '../../connections/secret-scope.ts';
import type { SecretScope, SpecAuthor } from '../../connections/secret-scope.ts';
import { createRedactor } from '../../platform/crypto/redact.ts';
import type { Redactor } from '../../platform/crypto/redact.ts';
import type { Opener } from '../../platform/crypto/sealed-values.ts';
import type { Database } from '../../platform/db/database.ts';
import type { EgressGuard } from '../../platform/egress/egress-guard.ts';
import type { LeftFile } from '../../platform/exec/collect-files.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Platform } from '../../platform/platform.ts';
import { reasonOf } from '../../platform/reason-of.ts';
import { openAction } from './action-registry.ts';
import type { ActionContext, ActionOutcome } from '../actions/action-kind.ts';
import { TIMED_OUT, INTERRUPTED } from './next-action.ts';
import { insertOutput } from './output/output-query.ts';
import type { OutputPiece } from './output/output-query.ts';
import { createOutputSink } from './output/output-sink.ts';
import { renderContextOf } from './render-context.ts';
import type { RenderSource } from './render-context.ts';
import type { RunScope } from './run-scope.ts';
import { secretValues } from './secrets/run-secrets.ts';
import type { ActionEnd } from './run-query.ts';

const DEFAULT_TIMEOUT_MS = 15 * 60_000;
/** No action takes longer, whatever its playbook says. */
const MAX_TIMEOUT_MS = 6 * 3_600_000;
/** Of an output or answer, kept and shown. */
const MAX_OUTPUT_BYTES = 5 * 1024 * 1024;

export interface PerformDeps {
  db: Database;
  platform: Platform;
  logger: Logger;
  guard: EgressGuard;
  secret: SecretReader;
  sealer: Opener;
  isExecAllowed: boolean;
  notify: (...tables: string[]) => void;
}

/** Why an action was ended from outside. */
export type StopReason = 'cancelled' | 'stopping' | 'lost';

export interface Performance extends RenderSource {
  runId: string;
  actionId: string;
  author: SpecAuthor;
  signal: AbortSignal;
  /** Asked when `signal` is aborted. */
  stopReason: () => StopReason;
  /** Where what it writes goes, for an action of another server's run. */
  elsewhere?: { store: (pieces: readonly OutputPiece[]) => Promise<void>; maxOutputBytes: number };
}

const STOPPED: Readonly<Record<StopReason, string>> = {
  cancelled: 'Cancelled',
  stopping:
    'Interrupted: the server stopped while this ran. It may have had its effect; it is not run again by itself.',
  lost: 'Interrupted: the server lost its connection to the database. It is not run again by itself.',
};

/** The action's time, in ms; throws `invalid` for a text that is none. */
export async function timeoutOf({ timeout = '' }: PlaybookAction, fill: RunScope['fill']): Promise<number> {
  const text = await fill(timeout);
  if (text.trim() === '') return DEFAULT_TIMEOUT_MS;
  const ms = parseDuration(text);
  if (ms === null || ms <= 0)
    throw new AppError('invalid', `timeout: "${text}" is not a duration such as 30s or 5m`);
  return Math.min(ms, MAX_TIMEOUT_MS);
}

/** What is kept: no secrets, and no characters that the database refuses. */
function storable<T>(value: T, redactor: Redactor): T {
  const text = JSON.stringify(redactor.value(value), (_key, entry: unknown) =>
    typeof entry === 'string' ? entry.replaceAll('\0', '\uFFFD') : entry,
  );
  return JSON.parse(text) as T;
}

/** How an action ended, and what it left. */
export interface Ended {
  end: ActionEnd;
  files: readonly LeftFile[];
}

function endOf(outcome: ActionOutcome, redactor: Redactor): Ended {
  const { error, result, files = [] } = outcome;
  const cleaned = redactor.clean({
    message: null,
    error,
    notRun: null,
    detail: null,
    data: {},
    files: [...files],
  });
  const status = error === null ? ('completed' as const) : ('failed' as const);
  return {
    end: { status, error: storable(cleaned.error, redactor), result: storable(result, redactor) },
    files: cleaned.files ?? [],
  };
}

/** What happened to it from outside says more than how it took that. */
function judged(outcome: ActionOutcome, performance: Performance, timedOutMs: number | null): ActionOutcome {
  if (performance.signal.aborted) {
    const reason = performance.stopReason();
    const mark = reason === 'cancelled' ? {} : { [INTERRUPTED]: true };
    return { ...outcome, error: STOPPED[reason], result: { ...outcome.result, ...mark } };
  }
  if (timedOutMs === null) return outcome;
  const error = `Timed out: took longer than ${timedOutMs / 1000} s and was stopped`;
  return { ...outcome, error, result: { ...outcome.result, [TIMED_OUT]: true } };
}

async function ranWithin(
  timeoutMs: number,
  performance: Performance,
  { deps, run }: { deps: PerformDeps; run: (signal: AbortSignal) => Promise<ActionOutcome> },
): Promise<ActionOutcome> {
  const timedOut = new AbortController();
  const isOver = new AbortController();
  void deps.platform.sleep(timeoutMs, isOver.signal).then(() => {
    if (!isOver.signal.aborted) timedOut.abort();
  });
  let outcome: ActionOutcome;
  try {
    outcome = await run(AbortSignal.any([performance.signal, timedOut.signal]));
  } catch (error) {
    outcome = { error: reasonOf(error), result: {} };
  } finally {
    isOver.abort();
  }
  return judged(outcome, performance, timedOut.signal.aborted ? timeoutMs : null);
}

async function outcomeOf(
  performance: Performance,
  deps: PerformDeps,
  { scope, redactor }: { scope: SecretScope; redactor: Redactor },
): Promise<ActionOutcome> {
  const { action, runId, actionId, author, elsewhere } = performance;
  const sink = createOutputSink({
    ...deps,
    redactor,
    async store(pieces) {
      if (elsewhere !== undefined) return elsewhere.store(pieces);
      await insertOutput(deps.db, { runId, actionId }, pieces);
      deps.notify('playbook_action_outputs');
    },
  });
  try {
    const context = await renderContextOf(performance, scope.mounted);
    const timeoutMs = await timeoutOf(action, context.fill);
    const opened = await openAction(action, context);
    const given: Omit<ActionContext, 'signal'> = {
      ...scope,
      platform: deps.platform,
      timeoutMs,
      output: (stream, text) => sink.write(stream, text),
      trust: author === 'operator' ? 'operator' : 'user',
      maxOutputBytes: elsewhere?.maxOutputBytes ?? MAX_OUTPUT_BYTES,
      isExecAllowed: deps.isExecAllowed,
      runId,
      actionId,
    };
    const run = (signal: AbortSignal) => opened.run({ ...given, signal });
    return await ranWithin(timeoutMs, performance, { deps, run });
  } finally {
    await sink.end();
  }
}

/** Does the action. Never throws: what went wrong is its end. */
export async function performAction(performance: Performance, deps: PerformDeps): Promise<Ended> {
  const { author, action, spec, parameters } = performance;
  const { db, sealer, secret: mounted, guard } = deps;
  const redactor = createRedactor();
  noteLiterals([action, spec.env ?? []], redactor);
  for (const value of Object.values(secretValues(spec, parameters))) redactor.note(value);
  const findConnection = (reference: string) => findConnectionByReference(db, sealer, reference);
  const scope = createSecretScope({ author, findConnection, mounted, guard, redactor });
  try {
    if (author !== 'operator') refuseStars([action, spec.env ?? []]);
    return endOf(await outcomeOf(performance, deps, { scope, redactor }), redactor);
  } catch (error) {
    return endOf({ error: reasonOf(error), result: {} }, redactor);
  }
}
