/** What notifications say by themselves. */
export const MESSAGES = {
  product: 'Holdfast',
  unknownBody: 'There is something new for you',
  open: 'Open',
  approve: 'Approve',
} as const;
