import type { CollectionName } from '../../contract/collections.ts';
import { ERROR_TEXTS, type ErrorFacts } from '../../contract/errors.ts';
import type { StorageFacts } from '../../contract/worker.ts';

/** Everything that the storage page says. */
export const messages = {
  title: 'Storage and sync',
  lead: 'What this device keeps of the server, so that it works without one',
  loading: 'Counting what is kept …',
  failed: 'This could not be looked up',
  usage: 'Used',
  usageOf: (used: string, quota: string) => `${used} of ${quota} that the browser allows`,
  usageUnknown: 'not told by this browser',
  persistence: 'Protection',
  persisted: 'The browser keeps this until you sign out',
  notPersisted: 'The browser may clean this up when space runs low',
  persistenceUnknown: 'not told by this browser',
  askPersistence: 'Ask to keep it',
  refusedPersistence: 'The browser did not agree. Installing the app or visiting it often helps.',
  outbox: 'Waiting to be sent',
  outboxCount: (count: number) => (count === 0 ? 'nothing' : `${count} to look at in the outbox`),
  clock: 'Clock of this device',
  clockRight: 'agrees with the server',
  clockOff: (span: string, isBehind: boolean) =>
    `${span} ${isBehind ? 'behind' : 'ahead of'} the server; times are shown by the server's clock`,
  condition: 'Local store',
  conditions: {
    fine: 'in order',
    new: 'new on this device',
    rebuilt: 'was found damaged or gone, and built anew from the server',
    'memory-only': 'in memory only: this browser gives no storage, so a reload starts from nothing',
  } satisfies Record<StorageFacts['condition'], string>,
  versions: 'Versions',
  versionsOf: (app: string, server: string | null) => `app ${app} · server ${server ?? 'not known yet'}`,
  asOf: 'Complete as of',
  never: 'not yet',
  lost: (count: number) =>
    count === 1
      ? 'One change that was written here was lost: the browser deleted the store before it could be sent.'
      : `${count} changes that were written here were lost: the browser deleted the store before they could be sent.`,
  lostHint: 'Please look whether they are still needed and make them again.',
  collections: 'Kept on this device',
  collection: 'What',
  rows: 'Rows',
  cap: 'At most',
  noCap: '–',
  names: {
    incidents: 'Incidents',
    incident_records: 'Hypotheses, evidence, comments, responders',
    checks: 'Checks',
    canaries: 'Canaries',
    resources: 'People, teams and other resources',
    connections: 'Connections',
    components: 'Components',
    playbooks: 'Playbooks',
    playbook_runs: 'Playbook runs',
    notification_history: 'Notifications',
    configs: 'Catalog',
    config_insights: 'Insights',
    config_changes: 'Catalog changes',
    config_relationships: 'Catalog relationships',
    job_histories: 'Jobs',
  } satisfies Record<CollectionName, string>,
  rebuild: 'Rebuild local data',
  rebuildHint:
    'Throws away what is kept here and loads it again. What you wrote and was not sent yet stays in the outbox.',
  rebuildQuestion: 'Load everything again? The outbox is kept.',
  rebuildConfirm: 'Rebuild',
  rebuilding: 'Rebuilding …',
  rebuilt: 'The local data is being loaded again.',
  errorText: (error: ErrorFacts) => error.message || ERROR_TEXTS[error.code],
} as const;
