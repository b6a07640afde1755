import type { BulkVerb } from '../domain/bulk/bulk-verbs.ts';
import { formatCount } from '../domain/format-count.ts';
import type { HealthState } from '../domain/check/health.ts';

/** Words that the shared parts say themselves. */
export const messages = {
  health: {
    healthy: 'Healthy',
    unhealthy: 'Unhealthy',
    warning: 'Mixed',
    unknown: 'Unknown',
  } satisfies Record<HealthState, string>,
  runs: {
    passed: 'Healthy',
    failed: 'Unhealthy',
    none: 'No runs are known yet',
    summary: (passed: number, total: number, lastFailure: string | null) =>
      lastFailure === null
        ? `${passed} of ${total} runs healthy`
        : `${passed} of ${total} runs healthy, last failure ${lastFailure} ago`,
    one: (word: string, time: string, age: string) => `${word} · ${time} · ${age} ago`,
    between: (from: string, to: string) => `${from} to ${to}`,
    ofChecks: (failed: number, total: number) => `${formatCount(failed)} of ${formatCount(total)}`,
    allPassed: (total: number) =>
      total === 1 ? '1 check healthy' : `All ${formatCount(total)} checks healthy`,
    someFailed: (failed: number, total: number) =>
      `${formatCount(failed)} of ${formatCount(total)} ${total === 1 ? 'check' : 'checks'} unhealthy`,
    groupPassed: (runs: number, total: number) =>
      `Last ${runs} runs of ${formatCount(total)} ${total === 1 ? 'check' : 'checks'}: all healthy`,
    groupSummary: (told: { runs: number; total: number; worst: string; lastFailure: string }) =>
      `Last ${told.runs} runs of ${formatCount(told.total)} ${told.total === 1 ? 'check' : 'checks'}: at worst ${told.worst} unhealthy, last failure ${told.lastFailure} ago`,
  },
  paused: 'Paused',
  notRun: 'Not run',
  overdue: (word: string) => `${word}, overdue`,
  overdueWas: (word: string) => `Overdue, was ${word.toLowerCase()}`,
  wasHealth: (word: string) => `was ${word.toLowerCase()}`,
  copy: {
    action: 'Copy',
    done: 'Copied to clipboard',
    unavailable: 'Clipboard not available',
    failed: 'Failed to copy to clipboard',
    linkDone: 'Link copied to clipboard',
    idDone: (id: string) => `Copied ${id} to clipboard`,
  },
  toast: { region: 'Messages', close: 'Dismiss' },
  playbooks: 'Playbooks',
  silence: 'Silence',
  needsServer: 'This is done on the server at once, and there is no connection to it now.',
  partMissing:
    'A file of this page could not be loaded from the server. It opens as soon as the server can be reached.',
  partMissingTitle: 'This page is not stored on this device yet',
  close: 'Close',
  cancel: 'Cancel',
  firstOf: (listed: number, total: number) =>
    `Only the first ${formatCount(listed)} of ${formatCount(total)} are listed here`,
  discard: {
    title: 'Discard what you typed?',
    question: 'It is not saved, and closing this loses it.',
    confirm: 'Discard',
    keep: 'Keep editing',
  },
  /** What waits in the outbox for a row. */
  pendingVerbs: {
    acknowledge: 'Acknowledgement is pending',
    assign: 'Assignment is pending',
    status: 'Status is pending',
    resend: 'Sending again is pending',
    cancel: 'Cancel is pending',
    role: 'Role is pending',
    activate: 'Activation is pending',
    deactivate: 'Deactivation is pending',
    run: 'Run is pending',
    pause: 'Pause is pending',
    resume: 'Resume is pending',
    end: 'End is pending',
    label: 'Label is pending',
    move: 'Move is pending',
    delete: 'Delete is pending',
    revoke: 'Revocation is pending',
  } satisfies Record<BulkVerb, string>,
  pending: { saving: 'Saving …', kept: 'Saved on this device', sent: 'Sending' },
  filters: {
    title: 'Filters',
    withCount: (active: number) => (active === 0 ? 'Filters' : `Filters (${active})`),
    done: 'Show the list',
  },
  isRequired: 'This field is required',
  noData: 'No data available',
  loading: 'Loading',
  choosePage: 'Choose all on this page',
  chooseAllFailed: 'What matches could not be read from this device; try again in a moment',
  choose: (name: string) => `Choose ${name}`,
  nothing: '–',
  viewLogs: 'View Logs',
  viewLogsOf: (name: string) => `View Logs of ${name}`,
  attach: 'Attach as Evidence',
  incidents: { title: 'Incidents', all: 'All incidents of this component' },
  asOf: (clock: string) => `as of ${clock}`,
  fromDevice: (clock: string) => `From this device, as of ${clock}`,
  partial: 'only the part that is saved on this device',
  uptimeOf: (percent: string, passed: number, failed: number) =>
    `Uptime ${percent}, ${passed} passed, ${failed} failed`,
} as const;
