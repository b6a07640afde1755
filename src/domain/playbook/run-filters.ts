/** What the list of runs can be narrowed to, and the statuses that each stands for (spec 1 §2). */
export const RUN_STATUS_FILTERS = {
  cancelled: ['cancelled'],
  completed: ['completed'],
  failed: ['failed'],
  pending: ['pending', 'pending_approval'],
  running: ['running', 'waiting', 'sleeping'],
  scheduled: ['scheduled'],
} as const;
export type RunStatusFilter = keyof typeof RUN_STATUS_FILTERS;
