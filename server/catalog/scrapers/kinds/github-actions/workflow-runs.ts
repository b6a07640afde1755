/** What runs of workflows mean: a change each, with a severity, and the health of their workflow. */
import { humanWords, timeOf } from '../../health/health.ts';
import type { Health } from '../../health/health.ts';
import type { ExternalRef, ScrapedChange } from '../../specs/scraped.ts';
import { change } from '../services/scraped-parts.ts';
import { lookupTable } from '../../../../../src/lib/lookup-table.ts';

export interface WorkflowRun {
  id: number;
  name?: string | null | undefined;
  display_title?: string | undefined;
  run_number: number;
  run_attempt?: number | undefined;
  workflow_id: number;
  event: string;
  status: string | null;
  conclusion: string | null;
  head_branch: string | null;
  head_sha: string;
  html_url: string;
  created_at: string;
  updated_at: string;
  run_started_at?: string | undefined;
  actor?: { login: string } | null | undefined;
}

export interface RunJob {
  name: string;
  conclusion: string | null;
  started_at: string | null;
  completed_at: string | null;
  steps?: { name: string; conclusion: string | null }[] | undefined;
}

const SEVERITY = lookupTable<string>({
  failure: 'high',
  timed_out: 'high',
  startup_failure: 'high',
  action_required: 'medium',
  cancelled: 'low',
  stale: 'low',
});
const HEALTH = lookupTable<Health['health']>({
  success: 'healthy',
  failure: 'unhealthy',
  timed_out: 'unhealthy',
  startup_failure: 'unhealthy',
  action_required: 'warning',
});

/** By its conclusion; false while it runs. */
export const hasFailed = (run: WorkflowRun): boolean => HEALTH[run.conclusion ?? ''] === 'unhealthy';

function jobsOf(jobs: readonly RunJob[]): unknown[] {
  return jobs.map(({ name, conclusion, started_at, completed_at, steps }) => ({
    name,
    conclusion,
    started_at,
    completed_at,
    failed_steps: (steps ?? []).filter((step) => step.conclusion === 'failure').map((step) => step.name),
  }));
}

/** A run that has ended as a change of its workflow; each attempt is one. */
export function runChange(
  run: WorkflowRun,
  jobs: readonly RunJob[] | null,
  about: ExternalRef,
): ScrapedChange {
  const outcome = run.conclusion ?? 'unknown';
  const { actor, ...facts } = run;
  const place = run.head_branch === null ? '' : ` on ${run.head_branch}`;
  return change({
    about,
    externalChangeId: `${run.id}/${run.run_attempt ?? 1}`,
    changeType: 'GitHubActionRun',
    severity: SEVERITY[outcome] ?? 'info',
    source: 'GitHub',
    summary: `#${run.run_number}${place}: ${humanWords(outcome).toLowerCase()}`,
    details: { ...facts, actor: actor?.login ?? null, ...(jobs === null ? {} : { jobs: jobsOf(jobs) }) },
    createdBy: actor?.login ?? null,
    createdAt: timeOf(run.updated_at) ?? timeOf(run.created_at),
  });
}

/** By the latest run that says anything; cancelled and skipped ones don't. */
export function workflowHealth(state: string, runs: readonly WorkflowRun[]): Health {
  if (state !== 'active') return { health: 'unknown', status: humanWords(state), ready: true, message: '' };
  const latest = runs.toSorted((a, b) => b.created_at.localeCompare(a.created_at));
  const isRunning = latest[0] !== undefined && latest[0].status !== 'completed';
  const telling = latest.find((run) => HEALTH[run.conclusion ?? ''] !== undefined);
  const word = telling?.conclusion ?? latest.find((run) => run.conclusion !== null)?.conclusion ?? '';
  return {
    health: HEALTH[telling?.conclusion ?? ''] ?? 'unknown',
    status: isRunning ? 'Running' : humanWords(word),
    ready: !isRunning,
    message: telling === undefined ? '' : `run #${telling.run_number} ended with ${word}`,
  };
}
