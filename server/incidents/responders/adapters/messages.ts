/** What users read about calls to outside systems; shown at the responder and in the job history. */

const place = (client: string) => `responder_clients.${client}`;

/** What to look at first, by what the system answered. */
const HINTS: Readonly<Record<number, string>> = {
  401: 'check the username and the password or token',
  403: 'the account there may not do this',
  404: 'check the url and what was chosen in the form',
};

export const MESSAGES = {
  badUrl: (client: string) => `${place(client)}.url must be an http:// or https:// address`,
  otherHost: (client: string) => `${place(client)}.statusUrl must be on the host of its url`,
  missingField: (field: string) => `The field ${field} is empty: remove the responder and add it again`,
  enterAgain: (client: string, field: string) =>
    `${place(client)}.${field} has to be entered again in the team, because its url points to another host`,
  noConnection: (client: string) => `${place(client)}.connection names no connection`,
  connectionWithoutUrl: (client: string) => `${place(client)}.connection has no url`,
  wrongReference: (client: string, field: string, why: string) => `${place(client)}.${field}: ${why}`,
  refused: ({ client, status, reason }: { client: string; status: number; reason: string }) => {
    const isRedirect = status >= 300 && status < 400;
    const hint = isRedirect
      ? `it has moved: put its new address in ${place(client)}.url`
      : HINTS[status] === undefined
        ? ''
        : `${HINTS[status]} (${place(client)})`;
    const what = [`${client} answered ${status}`, reason].filter((part) => part !== '').join(': ');
    return hint === '' ? what : `${what}; ${hint}`;
  },
  notUnderstood: (client: string, what: string) => `${client} answered something unexpected: ${what}`,
  notJson: 'no JSON',
  tooLong: 'more than can be read',
  noMail: 'This server sends no mail: SMTP_URL is not set',
  noAddress: 'The field to is no e-mail address',
  mailRefused: (answer: number) => `The mail server refused the mail (${answer})`,
  mailAway: 'The mail server could not be reached',
  clientGone: 'The team has no such client any more',
  notTold: (what: string, why: string) => `${what} could not be sent: ${why}`,
  kinds: { comment: 'A comment', status: 'The new status', removed: 'That the responder was removed' },
} as const;

interface About {
  number: string;
  title: string;
  url: string;
}

/** What outside systems are told in words. */
export const TOLD = {
  summary: ({ number, title }: About) => `${number}: ${title}`,
  description: (description: string, { url }: About) =>
    [description, `Incident: ${url}`].filter((part) => part !== '').join('\n\n'),
  comment: (author: string, text: string) => `${author}: ${text}`,
  status: ({ number }: About, status: string) => `${number} is ${status} now`,
  removed: ({ number }: About) => `${number}: this responder was removed, nothing more is needed`,
  closeNotes: ({ number, url }: About) => `Resolved in ${number} (${url})`,
} as const;
