/** Trying checks before anybody keeps them (`POST /canary/try`): each runs once, and nothing is written. */
import { z } from 'zod';

const texts = z.record(z.string(), z.string());

/** A canary's specification as it stands in a form; its schedule does not matter. */
export const tryCheckSchema = z.object({
  /** The canary that is being changed: what it keeps secret is used where the form shows stars. */
  id: z.guid().nullish(),
  name: z.string().max(500).default(''),
  namespace: z.string().max(500).default('default'),
  labels: texts.default({}),
  spec: z.record(z.string(), z.unknown()),
});
export type TryCheck = z.input<typeof tryCheckSchema>;

/** What a run went through: the call itself, then the scripts of the check. */
const stepSchema = z.object({
  step: z.enum(['call', 'display', 'test', 'transform', 'metrics']),
  ok: z.boolean(),
  text: z.string(),
});
export type TriedStep = z.output<typeof stepSchema>;

export const triedCheckSchema = z.object({
  type: z.string(),
  name: z.string(),
  outcome: z.enum(['passed', 'failed', 'invalid', 'not-run']),
  duration_ms: z.number(),
  message: z.string().nullable(),
  error: z.string().nullable(),
  steps: z.array(stepSchema),
  /** What scripts see by name, as JSON; cut where it is long. */
  data: z.string(),
  is_data_cut: z.boolean(),
});
export type TriedCheck = z.output<typeof triedCheckSchema>;

/** One for each check of the specification; what a transform made stands behind the one that made it. */
export const triedChecksSchema = z.object({ checks: z.array(triedCheckSchema) });
export type TriedChecks = z.output<typeof triedChecksSchema>;
