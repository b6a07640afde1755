/** What senders say when a notification did not go out. */

export const MESSAGES = {
  noService: 'this connection or address leads to no service that takes notifications',
  noTarget: 'name a connection or an address to send to',
  noConnection: (reference: string) => `connection ${reference} was not found`,
  missing: (kind: string, part: string) => `${kind}: ${part} is missing`,
  answered: (host: string, status: number, reason: string) =>
    `${host} answered ${status}${reason === '' ? '' : `: ${reason}`}`,
  mailAway: 'The mail server could not be reached',
  mailRefused: (answer: number) => `The mail server refused it (${answer})`,
  badRecipients: 'smtp: to names no mail address, or more than 20',
  refused: (kind: string, reason: string) => `${kind} refused it: ${reason}`,
  testTitle: 'Test from Holdfast',
  testBody: 'This connection works: notifications can be sent through it.',
  unknown: (kind: string) => `This did not work (${kind})`,
};
