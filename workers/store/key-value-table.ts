/** The table of small facts, for its writer and for those who read it raw. */
export const KEY_VALUE_TABLE = 'facts';
