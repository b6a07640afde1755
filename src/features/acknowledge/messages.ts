import { errorText } from '../../contract/errors.ts';

/** Everything that acknowledging says. */
export const messages = {
  acknowledge: 'Acknowledge',
  menu: 'Acknowledge or snooze',
  untilWell: 'Acknowledge until it is well',
  untilOver: 'Acknowledge until it is resolved',
  snoozeHeading: 'Snooze: told again after',
  hours: (hours: number, until: string) => `${hours === 1 ? '1 hour' : `${hours} hours`}, until ${until}`,
  acknowledgedBy: (who: string) => `Acknowledged by ${who}`,
  snoozedBy: (who: string, until: string) => `Snoozed by ${who} until ${until}`,
  somebody: 'somebody',
  tellAgain: 'Tell again',
  tellAgainTitle: 'Ends it: what happens is told again',
  errorText,
} as const;
