/** What the history and the rules say about what was not sent. */
import { SNOOZE_OVER } from '../holding/messages.ts';

/** How the reason ends of what is held with what is above it. */
export const BELOW = ' is down, and was told of';

export const MESSAGES = {
  filterFailed: (error: string) => `filter: ${error}`,
  restsTitle: (rule: string) => `A rule of notifications rests: ${rule}`,
  restsBody: (error: string) => `Nobody is told by it until somebody saves it again. It failed:\n\n${error}`,
  openRule: 'Open the rule',
  serviceFilterFailed: (name: string, error: string) => `filter of ${name}: ${error}`,
  snoozeEnded: (person: string) => `It is still so, and ${person}’s ${SNOOZE_OVER}`,
  upAgain: 'It is still so, and no longer held with what is above it.',
  repeated: (interval: string) => `told of within ${interval}`,
  below: (name: string) => `${name === '' ? 'what is above it' : name}${BELOW}`,
  askedAgain: '; told of after all, later',
  wellAgain: '; well before that was over',
  limited: 'the rule has sent 50 messages within 4 hours',
  flapping: (changes: number) => `flapping: ${changes} changes within an hour`,
};
