/** What people read when a snooze is over. */
export const MESSAGES = {
  open: 'Open',
  snoozeEnded: (name: string) => `Your snooze is over, and it is still so: ${name}`,
  snoozeEndedWell: (name: string) => `Your snooze is over, and it is well: ${name}`,
  snoozeBody: (until: string) => `It held until ${until}. What happens now is told again.`,
} as const;
