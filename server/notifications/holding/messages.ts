/** Why something is not told of, as the history says it. */

/** How the reason ends of what is told of again after a snooze. */
export const SNOOZE_OVER = 'snooze is over.';

export const MESSAGES = {
  silenced: (id: string) => `silence ${id}`,
  acknowledged: (person: string, until: string | null, incident: string | null) =>
    [
      until === null ? `acknowledged by ${person}` : `snoozed by ${person} until ${until}`,
      incident === null ? '' : ` with ${incident}`,
    ].join(''),
};
