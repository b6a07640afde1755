/** How a canary says that it is paused (schema §4), and what its checks then say. */
export const SUSPENDED = { annotation: 'suspend', value: 'true', reason: 'paused' } as const;
