/** Everything that the notifications page says. */
export const messages = {
  title: 'Notifications',
  lead: 'Checks that changed their state within the last 24 hours',
  empty: 'No check changed its state',
  emptyHint: 'Within the last 24 hours every check has stayed as it was. Changes appear here by themselves.',
  becameHealthy: 'became healthy',
  becameUnhealthy: 'became unhealthy',
  hour: (from: string, to: string) => `${from} – ${to}`,
  count: (unhealthy: number, healthy: number) => `${unhealthy} down · ${healthy} up`,
} as const;
