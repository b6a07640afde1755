/** What signing out says. */
export const messages = {
  title: 'Sign out',
  waiting: (text: string) => `Not everything has been done on the server yet: ${text}.`,
  howNow: 'Signing out deletes what this device keeps of you. What should happen to unsent changes?',
  sendNow: 'Send now, then sign out',
  sending: 'Sending, then you are signed out …',
  cannotSend: 'It cannot be sent now: there is no connection to the server.',
  refusedStay: 'What was refused cannot be sent as it is. Keep or discard it, or look at it in the outbox.',
  keep: 'Keep it sealed on this device',
  keepHint: 'Only you can see and send it, after signing in here again.',
  discard: 'Discard it',
  discardAgain: 'Discard it for good?',
  look: 'Look at the outbox',
  drafts: (count: number) =>
    count === 1
      ? 'One text that you began is not sent. Signing out deletes it from this device.'
      : `${count} texts that you began are not sent. Signing out deletes them from this device.`,
  leaveDrafts: 'Delete and sign out',
  cancel: 'Cancel',
} as const;
