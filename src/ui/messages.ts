import type { HealthState } from '../domain/check/health.ts';

/** Words that the shared parts say themselves. */
export const messages = {
  health: {
    healthy: 'Healthy',
    unhealthy: 'Unhealthy',
    warning: 'Mixed',
    unknown: 'Unknown',
  } satisfies Record<HealthState, string>,
  wasHealth: (word: string) => `was ${word.toLowerCase()}`,
  copy: {
    action: 'Copy',
    done: 'Copied to clipboard',
    unavailable: 'Clipboard not available',
    failed: 'Failed to copy to clipboard',
    linkDone: 'Link copied to clipboard',
  },
  toast: { region: 'Messages', close: 'Dismiss' },
  needsServer: 'This is done on the server at once, and there is no connection to it now.',
  close: 'Close',
  cancel: 'Cancel',
  pending: { kept: 'Kept on this device', sent: 'Sending' },
  noData: 'No data available',
  rowsPerPage: 'Rows per page',
  previousPage: 'Previous page',
  nextPage: 'Next page',
  newer: 'Newer',
  older: 'Older',
  page: (from: number, to: number, total: number) => `${from}–${to} of ${total}`,
  loading: 'Loading',
  nothing: '–',
  asOf: (clock: string) => `as of ${clock}`,
  fromDevice: (clock: string) => `From this device, as of ${clock}`,
  partial: 'only the part that is kept on this device',
  yaml: 'Specification as YAML',
  related: {
    health: 'Health',
    status: 'Status',
    type: 'Type',
    description: 'Description',
    updated: 'Updated',
    ago: ' ago',
  },
  uptimeOf: (percent: string, passed: number, failed: number) =>
    `Uptime ${percent}, ${passed} passed, ${failed} failed`,
} as const;
