/** What people read when a command was not done. */
export const MESSAGES = {
  unknownCommand: (name: string) => `This server does not know the command ${name}`,
  newerCommand: 'This server is older than the app that sent this. Please try again later.',
  clientTooOld: 'This was made by a version of the app that is too old. Please reload.',
  noExpiry: 'expiresAt: must say until when this may still be done',
  badExpiry: 'expiresAt: not a time',
  expired: 'This came too late to be done',
  forbidden: 'You do not have permission to do this.',
  foreignCommands: 'These commands are another person’s. Sign in as the one who wrote them.',
  foreignDevice: 'This device belongs to another person',
  foreignCommand: 'This command was sent by another person',
  notYourProgress: 'Only who responds, their team or the commander may say how far they are',
  notYourComment: 'Only its author or an administrator may change a comment',
  gone: (what: string) => `This ${what} no longer exists`,
  otherIncident: (what: string) => `This ${what} belongs to another incident`,
  ownAncestor: 'parent_id: a hypothesis cannot hang below itself',
  changedMeanwhile: (fields: readonly string[], by: string | null) =>
    `Changed meanwhile${by === null ? '' : ` by ${by}`}: ${fields.join(', ')}`,
  statusChanged: (status: string, by: string | null) =>
    `The status is ${status} by now${by === null ? '' : `, set by ${by}`}`,
  transition: (from: string, to: string) => `An incident that is ${from} cannot become ${to}`,
  referenceGone: 'Something that this refers to no longer exists',
  existsAlready: 'This exists already',
  notAccepted: (reason: string) => `Not accepted: ${reason}`,
  failed: 'The server could not do this now. It will be tried again.',
  waits: 'An earlier command that this may need failed. Both will be tried again.',
  unknownRepeat: 'Nothing is known of this command. It will be sent again.',
} as const;
