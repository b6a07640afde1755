/** What the history and the rules say about what was not sent. */

export const MESSAGES = {
  filterFailed: (error: string) => `filter: ${error}`,
  restsTitle: (rule: string) => `A rule of notifications rests: ${rule}`,
  restsBody: (error: string) => `Nobody is told by it until somebody saves it again. It failed:\n\n${error}`,
  openRule: 'Open the rule',
  serviceFilterFailed: (name: string, error: string) => `filter of ${name}: ${error}`,
  silenced: (id: string) => `silence ${id}`,
  acknowledged: (person: string, until: string | null, incident: string | null) =>
    [
      until === null ? `acknowledged by ${person}` : `snoozed by ${person} until ${until}`,
      incident === null ? '' : ` with ${incident}`,
    ].join(''),
  snoozeEnded: (person: string) => `It is still so, and ${person}’s snooze is over.`,
  repeated: (interval: string) => `told of within ${interval}`,
  below: (name: string) => `${name === '' ? 'what is above it' : name} is down, and was told of`,
  limited: 'the rule has sent 50 messages within 4 hours',
  flapping: (changes: number) => `flapping: ${changes} changes within an hour`,
};
