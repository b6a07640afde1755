/**
 * The check as every program of Holdfast sees it: one row of the check summary (schema §1.6), names as on
 * the wire. Times are ISO 8601 with offset; durations are milliseconds.
 */
declare const brand: unique symbol;
export type CheckId = string & { readonly [brand]?: 'CheckId' };
export type CanaryId = string & { readonly [brand]?: 'CanaryId' };

export type CheckStatusName = 'healthy' | 'unhealthy';

/** Passed and failed runs of the window that the server summed up (the last hour). */
export interface Uptime {
  passed: number;
  failed: number;
  last_pass?: string | null | undefined;
  last_fail?: string | null | undefined;
}

/** Percentiles of the run durations, ms. */
export interface Latency {
  p99?: number | null | undefined;
  p97?: number | null | undefined;
  p95?: number | null | undefined;
  p50?: number | null | undefined;
  avg?: number | null | undefined;
  rolling1h?: number | null | undefined;
}

export interface Check {
  id: CheckId;
  canary_id: CanaryId;
  canary_name: string;
  canary_namespace: string;
  name: string;
  namespace: string;
  type: string;
  icon: string | null;
  description: string | null;
  endpoint: string | null;
  owner: string | null;
  severity: string | null;
  labels: Record<string, string>;
  /** null before the first run. */
  status: CheckStatusName | null;
  uptime: Uptime;
  latency: Latency;
  agent_id: string | null;
  agent_name: string | null;
  last_runtime: string | null;
  next_runtime: string | null;
  last_transition_time: string | null;
  created_at: string | null;
  updated_at: string | null;
  deleted_at: string | null;
  silenced_at: string | null;
  /** Why the server does not run it; its status is then null (ours only). */
  not_run_reason?: string | null | undefined;
  /** The newest 30 runs, read by `recentRuns` (ours only). */
  recent_runs?: string | null | undefined;
}

/** One stored run of a check (schema §1.1 check_statuses). */
export interface CheckStatus {
  check_id: CheckId;
  /** Start of the run. */
  time: string;
  status: boolean;
  /** ms */
  duration: number | null;
  message: string | null;
  error: string | null;
  invalid: boolean | null;
  created_at: string;
}
