/**
 * How a kind asks its service once: with one budget of time, one way to tell how it ended, and what was spent. Kinds that
 * are written with it need no rule of their own for limits, refusals and errors.
 */
import { AppError } from '../../../src/contract/errors.ts';
import { parseDuration } from '../../../src/domain/check/duration.ts';
import { orAborted } from '../../../src/lib/or-aborted.ts';
import { failureKind } from '../../platform/egress/failure-kind.ts';
import { reasonOf } from '../../platform/reason-of.ts';
import { DEFAULT_TIMEOUT_MS, MAX_TIMEOUT_MS, failed, invalid, notRun, passed } from './check-kind.ts';
import type { KindContext, KindResult } from './check-kind.ts';
import type { Limits } from './spec-fields.ts';
import { startStopwatch } from './stopwatch.ts';
import type { Stopwatch } from './stopwatch.ts';

/** What a kind may use while it asks; `signal` ends with the budget. */
export type Probe = KindContext & { watch: Stopwatch; limitMs: number };

/** What a service said; `error` where that is not what it should be. */
export interface Found {
  data: Record<string, unknown>;
  error?: string | null;
  message?: string | null;
  /** What is kept of it, where that is not `data.results`. */
  detail?: unknown;
  files?: KindResult['files'];
}

/** `budgetMs` is of kinds that wait for what they started; people's own limits are in seconds. */
type Budget = Limits & { budgetMs?: number };
/** A pod may be scheduled, pull its image and run; nothing takes longer. */
const MAX_BUDGET_MS = 20 * 60_000;

function limitOf({ timeout, thresholdMillis = 0, budgetMs }: Budget): number {
  if (budgetMs !== undefined) return Math.min(budgetMs, MAX_BUDGET_MS);
  const told = typeof timeout === 'number' ? timeout * 1000 : (parseDuration(timeout ?? '') ?? 0);
  return Math.min(told || Math.max(DEFAULT_TIMEOUT_MS, thresholdMillis), MAX_TIMEOUT_MS);
}

function resultOf(found: Found, durationMs: number, thresholdMs: number): KindResult {
  const { data, error = null, message = null } = found;
  const kept = {
    ...(found.detail === undefined ? {} : { detail: found.detail }),
    ...(found.files === undefined ? {} : { files: found.files }),
  };
  if (error !== null) return { ...failed(error, durationMs, data), ...kept };
  if (thresholdMs > 0 && durationMs > thresholdMs) {
    const tooSlow = `took ${Math.round(durationMs)} ms, allowed are ${thresholdMs} ms`;
    return { ...failed(tooSlow, durationMs, data), ...kept };
  }
  return { ...passed(durationMs, data, message), ...kept };
}

/** Clients have limits of their own, as long as the budget, and say of a late answer what no rule knows. */
const isClientsLimit = (error: unknown, tookMs: number, limitMs: number): boolean =>
  tookMs >= limitMs && failureKind(error) === 'other';

/**
 * Asks and judges. A place that may not be called is "not run", a wrong specification "invalid", everything else that is
 * thrown has failed. `ask` stops what it began when the signal ends; it is not waited for longer.
 */
export async function probe(
  spec: Budget,
  context: KindContext,
  ask: (probe: Probe) => Promise<Found>,
): Promise<KindResult> {
  const limitMs = limitOf(spec);
  const watch = startStopwatch(context.platform);
  const startedMs = context.platform.now();
  const limit = watch.limit(limitMs);
  const over = new AbortController();
  const signal = AbortSignal.any([context.signal, limit, over.signal]);
  try {
    const found = await orAborted(ask({ ...context, signal, watch, limitMs }), signal);
    return resultOf(found, watch.elapsedMs(), spec.thresholdMillis ?? 0);
  } catch (error) {
    if (limit.aborted || isClientsLimit(error, context.platform.now() - startedMs, limitMs))
      return { ...failed(`no answer within ${limitMs} ms`, watch.elapsedMs()), failure: 'absent' };
    if (error instanceof AppError && error.code === 'forbidden' && error.status === null)
      return notRun(error.message);
    if (error instanceof AppError && error.code === 'invalid') return invalid(error.message);
    return { ...failed(reasonOf(error), watch.elapsedMs()), failure: failureKind(error) };
  } finally {
    watch.stop();
    over.abort();
  }
}
