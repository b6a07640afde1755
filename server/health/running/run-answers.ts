/** What whoever asks for a run is answered (`POST /canary/run/check/{id}`, schema §4.7). */
import { runResultSchema } from '../../../src/contract/http/canary.ts';
import type { RunResult } from '../../../src/contract/http/canary.ts';
import type { KnownCheck } from '../canaries/canary-query.ts';
import type { Outcome } from '../results/outcome.ts';

/** What a run came to. */
export function resultOf(outcome: Outcome | undefined): RunResult | null {
  if (outcome === undefined) return null;
  const { pass, invalid, durationMs, message, error, notRun } = outcome;
  const duration = Math.round(durationMs);
  const name = outcome.derived?.name ?? outcome.entry.name;
  const metrics = outcome.figures;
  return runResultSchema.parse({
    name,
    pass,
    invalid,
    duration,
    message,
    error,
    not_run_reason: notRun,
    metrics,
  });
}

/** The answer for a check that nothing can be run for. */
export function answerNotRun({ name, agent, notRunReason }: KnownCheck): RunResult {
  const reason =
    agent === null
      ? (notRunReason ?? 'its canary is not run by this server; Settings says what is wrong with it')
      : `it is run by the agent ${agent}, not by this server`;
  return runResultSchema.parse({ name, invalid: true, error: reason, not_run_reason: reason });
}

/** A check whose results are posted in has nothing to run. */
export function answerPosted(name: string, checkId: string): RunResult {
  const reason = `its results are posted to /api/canary/webhook/${checkId}, with its token; it does not run by itself`;
  return runResultSchema.parse({ name, invalid: true, error: reason, not_run_reason: reason });
}
