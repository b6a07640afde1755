/** The order of the event queue until another one is chosen (contract §14.4). */
export const LAST_FAILED_FIRST = { sortBy: 'last_failure', isDescending: true };
