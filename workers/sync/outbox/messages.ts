/** What people read of commands that this device refuses or can't send. */
export const MESSAGES = {
  unreadable: 'This version of the app cannot read what was kept here. It stays on this device.',
  expired: 'This was not sent in time. Please confirm it again.',
  blocked: 'What this belongs to was refused. Redo that first.',
  notThere: 'This is no longer waiting',
  mayHaveArrived: 'This may have reached the server already; its answer is awaited',
  notRefused: 'Only what was refused can be done again',
  changedMeanwhile: (fields: readonly string[]) => `Changed meanwhile: ${fields.join(', ')}`,
  gone: 'This no longer exists',
  unknownHere: 'This version of the app does not know this command. Please reload.',
  noRetry: 'This backend calls responders by itself and cannot be asked to do it again.',
  noAcknowledgement: 'This backend knows no acknowledgements. A silence does the same there.',
  noSecondMessage: 'This backend sends a notification once and cannot be asked to send it again.',
  plainSilence: 'This backend knows no silences by labels, expressions or hours. Name one thing instead.',
  perhapsRun: 'The answer was lost: this may have run. Please look before you confirm it again.',
} as const;
