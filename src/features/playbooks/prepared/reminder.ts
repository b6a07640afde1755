/** When somebody is reminded of the runs that he prepared: once each time that the server is back. */
export interface Reminder {
  /** Whether to say it now. */
  asks: boolean;
  /** Whether the server was away when this was asked last. */
  wasAway: boolean;
}

/** The next state; what is prepared while the server is there was just seen. */
export function reminderOf(
  { wasAway }: Pick<Reminder, 'wasAway'>,
  { isReachable, count }: { isReachable: boolean; count: number },
): Reminder {
  return { asks: isReachable && wasAway && count > 0, wasAway: !isReachable };
}
