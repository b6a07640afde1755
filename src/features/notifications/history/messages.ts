import { formatCount } from '../../../domain/format-count.ts';
import { messages as shared } from '../messages.ts';

/** Everything that the send history says. */
export const messages = {
  ...shared,
  label: 'Notifications, newest first',
  total: (count: number) => (count === 1 ? '1 notification' : `${formatCount(count)} notifications`),
  loading: 'Loading the send history …',
  empty: 'Nothing was sent yet',
  emptyHint:
    'What rules told, and what they did not and why, is listed here for 7 days. Rules are made under Rules.',
  toRules: 'To the rules',
  nothingFound: 'No notification matches',
  nothingFoundHint: 'Change the filters, or clear them.',
  clear: 'Clear filters',
  filters: { status: 'Status', type: 'Resource type' },
  columns: { age: 'Age', resource: 'Resource', status: 'Status', event: 'Event', recipient: 'Recipient' },
  times: (count: number) => `× ${formatCount(count)}`,
  detail: {
    title: 'Notification',
    loading: 'Loading the notification …',
    gone: 'This notification is no longer kept',
    resource: 'Resource',
    rule: 'Rule',
    event: 'Event',
    recipient: 'Recipient',
    person: 'Person',
    first: 'First observed',
    created: 'Created',
    count: 'Times',
    duration: 'Duration',
    reason: 'Reason',
    error: 'Error',
    bySilence: 'Silenced by this silence',
    attempts: 'Attempts',
    attempt: { at: 'When', took: 'Took', answer: 'Answer' },
    body: 'Text',
    noBody: 'Nothing was written: it was not sent.',
    bodyElsewhere: 'The text is on the server. It is kept here once it was looked at.',
    retry: 'Send again',
    retrying: 'Sending again …',
  },
} as const;
