/** Why a command on silences or notifications is not done. */
export const REFUSALS = {
  silenceIsOver: 'The silence would be over already. Make it anew with another end.',
  notFailed: 'Only a notification that failed, and is still kept, can be sent again.',
} as const;
