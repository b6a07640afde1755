import { errorText } from '../../contract/errors.ts';

/** What the lists of notifications say alike (spec 2 §2 'Notifications'). */
export const messages = {
  title: 'Notifications',
  lists: 'Lists of notifications',
  tabs: { history: 'Send history', rules: 'Rules', silences: 'Silences' },
  kinds: {
    check: 'Check',
    config: 'Catalog item',
    component: 'Component',
    canary: 'Canary',
    incident: 'Incident',
    playbook: 'Playbook',
  } as Readonly<Record<string, string>>,
  /** Spec 2 §4. */
  statuses: {
    sent: 'Sent',
    error: 'Error',
    pending: 'Pending',
    sending: 'Sending',
    cancelled: 'Cancelled',
    'repeat-interval': 'Repeated',
    silenced: 'Silenced',
  } as Readonly<Record<string, string>>,
  sourceLocked: (source: string) =>
    `This comes from ${source}: change it there. What is changed here would be overwritten.`,
  roleLocked: 'Your role may not change this.',
  errorText,
} as const;
