/** What people are told of their silences. */

export const MESSAGES = {
  endingTitle: (about: string) => `A silence of yours ends: ${about}`,
  endingBody: (until: string, description: string) =>
    `From ${until} on, notifications are sent again.${description === '' ? '' : `\n\nReason of the silence: ${description}`}`,
  openSilences: 'Open the silences',
};
