const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;

/** Everything that the catch-up card says. */
export const messages = {
  label: 'While you were away',
  away: (span: string) => `Away ${span}`,
  parts: {
    unhealthy: (count: number) => `${count} newly unhealthy`,
    recovered: (count: number) => `${count} recovered`,
    opened: (count: number) => counted(count, 'new incident', 'new incidents'),
    reopened: (count: number) => `${count} reopened`,
    mitigated: (count: number) => `${count} mitigated`,
    resolved: (count: number) => `${count} resolved`,
    closed: (count: number) => `${count} closed`,
    comments: (count: number) => `${counted(count, 'comment', 'comments')} to you`,
  },
  dismiss: 'Dismiss',
  more: (count: number) => `and ${count} more`,
  somebody: 'Somebody',
  unnumbered: 'Incident',
} as const;
