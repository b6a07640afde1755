/** What notifications say by themselves. */
export const MESSAGES = {
  product: 'Holdfast',
  unknownBody: 'There is something new for you',
  open: 'Open',
  approve: 'Approve',
  acknowledge: 'Acknowledge',
  snooze: 'Snooze 1 h',
  kept: 'Saved on this device, sent when there is a network',
  notKept: 'This could not be acknowledged here: open Holdfast',
} as const;
