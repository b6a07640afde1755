/** How a playbook's run goes (spec 1 §4, schema §7.4): its statuses, its steps, and what is shown of them. */
import { isRecord, recordOf } from '../../lib/is-record.ts';
import type { HealthState } from '../check/health.ts';
import { isRemoteAgent } from '../settings/resource-source.ts';
import { lookupTable } from '../../lib/lookup-table.ts';

const WORDS = lookupTable<string>({
  completed: 'Completed',
  cancelled: 'Cancelled',
  failed: 'Failed',
  pending: 'Pending',
  pending_approval: 'Pending approval',
  waiting: 'Waiting',
  running: 'Running',
  scheduled: 'Scheduled',
  sleeping: 'Sleeping',
  skipped: 'Skipped',
  interrupted: 'Interrupted',
});

const HEALTH = lookupTable<HealthState>({
  completed: 'healthy',
  failed: 'unhealthy',
  cancelled: 'warning',
  interrupted: 'warning',
});

/** A status in words; one that this version doesn't know stands as it is. */
export function runStatusText(status: string): string {
  return WORDS[status] ?? status;
}

/** Which mark stands beside a status. */
export function runStatusHealth(status: string): HealthState {
  return HEALTH[status] ?? 'unknown';
}

const RUN_ENDS: ReadonlySet<string> = new Set(['completed', 'failed', 'cancelled']);

/** Nothing more happens to a run of that status. */
export function isRunOver(status: string | null | undefined): boolean {
  return RUN_ENDS.has(status ?? '');
}

/** Nothing more happens to a step of that status. */
export function isActionOver(status: string | null | undefined): boolean {
  return isRunOver(status) || status === 'skipped' || status === 'interrupted';
}

/** The run waits for somebody who may approve it. */
export function needsApproval(status: string | null | undefined): boolean {
  return status === 'pending_approval' || status === 'pending';
}

interface Timed {
  start_time?: string | null | undefined;
  end_time?: string | null | undefined;
}

/** How long it took, or has taken by now, ms; null before it began. */
export function runDurationMs({ start_time: start, end_time: end }: Timed, nowMs: number): number | null {
  if (start === null || start === undefined) return null;
  const until = end === null || end === undefined ? nowMs : Date.parse(end);
  const tookMs = until - Date.parse(start);
  return Number.isFinite(tookMs) ? Math.max(0, tookMs) : null;
}

/** What set a run off that nobody started. */
export type RunTrigger = { kind: 'event' | 'schedule'; name: string } | { kind: 'webhook' };

/** As the run's request tells it; null where somebody started it, or nobody knows. */
export function triggerOf(request: unknown): RunTrigger | null {
  const { event, schedule, headers } = recordOf(request);
  if (typeof event === 'string') return { kind: 'event', name: event };
  if (typeof schedule === 'string') return { kind: 'schedule', name: schedule };
  return isRecord(headers) ? { kind: 'webhook' } : null;
}

export interface RunStep extends Timed {
  id: string;
  name?: string | null | undefined;
  status?: string | null | undefined;
  scheduled_time?: string | null | undefined;
  agent_id?: string | null | undefined;
}

/** The step that a failed run with an error of its own gets (spec 1 §2). */
export const INITIALIZATION = 'initialization';

export interface ShownStep {
  id: string;
  name: string;
  status: string;
  startedAt: string | null;
  endedAt: string | null;
  scheduledAt: string | null;
  /** Of the agent that does it; null where the server does. */
  agentId: string | null;
  /** Skipped steps can't be selected. */
  isSelectable: boolean;
}

/** What a step is called; one without a name by its number (spec 1 §2). */
export function stepName(name: unknown, at: number): string {
  return (typeof name === 'string' ? name.trim() : '') || `Step ${at + 1}`;
}

/** With the steps that are known only by what they write: they began since the run was asked for. */
export function withLiveSteps(
  steps: readonly RunStep[],
  live: ReadonlyMap<string, { name: string }>,
): readonly RunStep[] {
  const known = new Set(steps.map(({ id }) => id));
  const begun = [...live].filter(([id]) => !known.has(id));
  return [...steps, ...begun.map(([id, { name }]) => ({ id, name, status: 'running' }))];
}

/** The steps in order, those without a name by their number, what failed before the first in front of all. */
export function shownSteps(
  run: { status?: string | null | undefined; error?: string | null | undefined } & Timed,
  steps: readonly RunStep[],
): ShownStep[] {
  const shown = steps.map((step, at) => ({
    id: step.id,
    name: stepName(step.name, at),
    status: step.status ?? '',
    startedAt: step.start_time ?? null,
    endedAt: step.end_time ?? null,
    scheduledAt: step.scheduled_time ?? null,
    agentId: isRemoteAgent(step.agent_id) ? (step.agent_id ?? null) : null,
    isSelectable: step.status !== 'skipped',
  }));
  const hasFailedItself = run.status === 'failed' && (run.error ?? '') !== '';
  if (!hasFailedItself) return shown;
  const first: ShownStep = {
    id: INITIALIZATION,
    name: 'Initialization',
    status: 'failed',
    startedAt: run.start_time ?? null,
    endedAt: run.end_time ?? null,
    scheduledAt: null,
    agentId: null,
    isSelectable: true,
  };
  return [first, ...shown];
}

/** The step to show while nobody chose one: what failed, else what goes on, else the last that has something to show. */
export function stepToShow(steps: readonly ShownStep[]): ShownStep | null {
  const open = steps.filter(({ isSelectable }) => isSelectable);
  return (
    open.find(({ status }) => status === 'failed') ??
    open.find(({ status }) => status === 'running') ??
    open.at(-1) ??
    null
  );
}
