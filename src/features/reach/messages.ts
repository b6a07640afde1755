import { errorText } from '../../contract/errors.ts';
import type { MailChoice, ReachVerdict } from '../../domain/notification/reach.ts';

/** Everything that is said of how people are reached. */
export const messages = {
  title: 'How you are reached',
  loading: 'Looking …',
  verdicts: {
    yes: 'You can be reached',
    untested: 'You can probably be reached: send a test to be sure',
    doubtful: 'You may not be reached',
    no: 'You cannot be reached',
  } satisfies Record<ReachVerdict, string>,
  memberVerdicts: {
    yes: 'can be reached',
    untested: 'not tested',
    doubtful: 'may not be reached',
    no: 'cannot be reached',
  } satisfies Record<ReachVerdict, string>,
  devices: (count: number) =>
    count === 0 ? 'no device takes notifications' : count === 1 ? '1 device' : `${count} devices`,
  pushOff: 'notifications switched off',
  seen: (age: string) => `seen ${age} ago`,
  shown: (age: string) => `last test shown ${age} ago`,
  notShown: (age: string) => `last test ${age} ago was not confirmed`,
  untested: 'never tested',
  byMail: 'by mail',
  noMail: 'no mail server',
  noAddress: 'no mail address',
  devicesTitle: 'Your devices',
  unknownDevice: 'Unknown device',
  noDevices: 'None yet. Switch notifications on in the inbox of each device that is to be told.',
  toInbox: 'Open the inbox',
  test: 'Send a test',
  testing: 'Waiting for the device …',
  form: {
    push: 'Notifications on my devices',
    mail: 'Mail',
    mailChoices: {
      always: 'With every notification',
      unconfirmed: 'When no device showed it within a minute',
      never: 'Never',
    } satisfies Record<MailChoice, string>,
    quiet: 'Quiet hours',
    quietHint: 'What comes then waits, and comes together at their end.',
    start: 'From',
    end: 'To',
    tz: 'Time zone',
    urgent: 'What is urgent comes in quiet hours, too',
    urgentHint: 'Rules with the property urgent=true, and incidents of severity Critical or Blocker.',
    save: 'Save',
    saving: 'Saving …',
    saved: 'Saved',
  },
  teams: (name: string) => `Team ${name}`,
  teamHint: 'Who of your team would get a message now.',
  nobody: 'Nobody is in it.',
  errorText,
} as const;
