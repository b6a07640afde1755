import { errorText } from '../../contract/errors.ts';
import type { NewsKind } from '../../domain/incident/unread.ts';

/** Everything that the inbox and its bell say. */
export const messages = {
  title: 'For you',
  lead: 'Mentions, calls for help, comments and changes of status on incidents that concern you; runs that wait for your approval',
  bell: (count: number) => (count === 0 ? 'For you' : `For you, ${count} new`),
  loading: 'Loading …',
  empty: 'Nothing for you yet',
  emptyHint:
    'You find it here when somebody mentions you, asks for your help or your approval, or writes on an incident of yours.',
  markAll: 'Mark all as read',
  unread: 'New',
  list: 'What happened, unread first',
  somebody: 'Somebody',
  did: {
    mention: 'mentioned you',
    responder: 'asked for your help',
    comment: 'commented',
  } satisfies Record<Exclude<NewsKind, 'status'>, string>,
  /** Who set a status isn't told by the history: it names who made the incident. */
  statusChanged: 'The status is now',
  toast: (who: string, where: string, kind: NewsKind) =>
    `${who} ${kind === 'mention' ? 'mentioned you' : 'asked for your help'} in ${where}`,
  open: 'Open',
  approvals: {
    title: 'Waiting for your approval',
    approve: (playbook: string) => `Approve ${playbook}?`,
    aPlaybook: 'a playbook',
  },
  push: {
    title: 'Notifications on this device',
    label: 'Notify me on this device',
    hint: 'When somebody mentions you, asks for your help or for your approval, also while Holdfast is closed.',
    states: {
      blocked:
        'This browser blocks notifications from here. Allow them in its settings for this site, then reload.',
      'needs-home-screen':
        'On iPhone and iPad, add Holdfast to the home screen first (Share, then Add to Home Screen), and open it from there.',
      unable:
        'This browser can’t show notifications while Holdfast is closed. The number at the bell works all the same.',
    },
    offline: 'There is no connection to the server, which has to know this device.',
    test: 'Send a test',
    tested: 'This device showed the test',
    unconfirmed:
      'The test was sent, and this device has not said that it showed it. Look at the notification settings of its system.',
    notAllowed: 'Notifications were not allowed',
    failed: 'This did not work',
  },
  errorText,
} as const;
