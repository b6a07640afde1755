/**
 * The canary (health) API and the rows of its tables (contract §4, schema §1.1, §1.6, §4.7). Fields that only
 * our server sends are optional here, so that the contract's plain backend parses as well.
 */
import { z } from 'zod';
import type { Check, CheckStatus } from '../../domain/check/check.ts';

const text = z
  .string()
  .nullish()
  .transform((value) => value ?? null);
const count = z
  .number()
  .nullish()
  .transform((value) => value ?? 0);

const labels = z
  .record(z.string(), z.unknown())
  .nullish()
  .transform((value) => {
    const out: Record<string, string> = {};
    for (const [key, entry] of Object.entries(value ?? {})) {
      if (entry !== null && entry !== undefined)
        out[key] = typeof entry === 'string' ? entry : JSON.stringify(entry);
    }
    return out;
  });

const uptime = z
  .object({ passed: count, failed: count, last_pass: z.string().nullish(), last_fail: z.string().nullish() })
  .nullish()
  .transform((value) => value ?? { passed: 0, failed: 0 });

const latency = z
  .object({
    p99: z.number().nullish(),
    p97: z.number().nullish(),
    p95: z.number().nullish(),
    p50: z.number().nullish(),
    avg: z.number().nullish(),
    rolling1h: z.number().nullish(),
  })
  .nullish()
  .transform((value) => value ?? {});

/** A row of `check_summary`, and an item of `GET /canary/api/summary`. */
export const checkSchema = z.object({
  id: z.string().min(1),
  canary_id: z.string(),
  canary_name: z
    .string()
    .nullish()
    .transform((value) => value ?? ''),
  canary_namespace: z
    .string()
    .nullish()
    .transform((value) => value ?? ''),
  name: z.string(),
  namespace: z
    .string()
    .nullish()
    .transform((value) => value ?? ''),
  type: z.string(),
  icon: text,
  description: text,
  endpoint: text,
  owner: text,
  severity: text,
  labels,
  status: z
    .string()
    .nullish()
    .transform((value) => (value === 'healthy' || value === 'unhealthy' ? value : null)),
  uptime,
  latency,
  agent_id: text,
  agent_name: text,
  last_runtime: text,
  next_runtime: text,
  last_transition_time: text,
  created_at: text,
  updated_at: text,
  deleted_at: text,
  silenced_at: text,
  not_run_reason: z.string().nullish(),
  recent_runs: z.string().nullish(),
}) satisfies z.ZodType<Check, unknown>;

/** A row of `check_statuses`. */
export const checkStatusSchema = z.object({
  check_id: z.string(),
  time: z.string(),
  status: z
    .boolean()
    .nullish()
    .transform((value) => value ?? false),
  duration: z
    .number()
    .nullish()
    .transform((value) => value ?? null),
  message: text,
  error: text,
  invalid: z
    .boolean()
    .nullish()
    .transform((value) => value ?? null),
  created_at: z.string(),
}) satisfies z.ZodType<CheckStatus, unknown>;

/** The columns of check_statuses that history and graph need (details stay on the server). */
export const CHECK_STATUS_COLUMNS = 'check_id,time,status,duration,message,error,invalid,created_at';

/** A canary as kept on the device: no spec (it may be large); `error` is why its file or row can't run. */
export const canarySchema = z.object({
  id: z.string(),
  name: z.string(),
  namespace: z
    .string()
    .nullish()
    .transform((value) => value ?? ''),
  labels,
  source: text,
  agent_id: text,
  updated_at: text,
  deleted_at: text,
  /** FAILED when the canary's file or spec was refused (ours only). */
  job_status: text,
  /** `file:line: field: what is wrong` (ours only). */
  error: text,
});
export type Canary = z.output<typeof canarySchema>;

export const summarySchema = z.object({
  duration: z.number().nullish(),
  runnerName: z.string().nullish(),
  checks_summary: z
    .array(checkSchema)
    .nullish()
    .transform((value) => value ?? []),
});

export const graphSchema = z.object({
  status: z
    .array(
      z.object({
        time: z.string(),
        status: z
          .boolean()
          .nullish()
          .transform((value) => value ?? false),
        duration: count,
        passed: count,
        failed: count,
      }),
    )
    .nullish()
    .transform((value) => value ?? []),
  latency,
  uptime,
});

/** The canary's own document, for the Spec tab and the canary page. */
export const canaryDetailSchema = z.object({
  id: z.string(),
  name: z.string(),
  namespace: z
    .string()
    .nullish()
    .transform((v) => v ?? ''),
  labels,
  source: text,
  spec: z.unknown(),
});
export type CanaryDetail = z.output<typeof canaryDetailSchema>;

/** Answer of `POST /canary/run/check/{id}`: the first result, or nothing when nothing ran. */
export const runResultSchema = z.object({
  name: text,
  pass: z
    .boolean()
    .nullish()
    .transform((v) => v ?? false),
  invalid: z
    .boolean()
    .nullish()
    .transform((v) => v ?? false),
  duration: count,
  message: text,
  error: text,
  /** Why nothing was run (ours only). */
  not_run_reason: text,
  /** What the check's `metrics` gave. */
  metrics: z
    .array(
      z.object({
        name: z.string(),
        type: z.string(),
        value: z.number(),
        labels: z.record(z.string(), z.string()),
      }),
    )
    .optional(),
});
export type RunResult = z.output<typeof runResultSchema>;
