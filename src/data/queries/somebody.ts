/** Who counts as a person: rows of people also stand for what agents sign in with, for walls, and for the server itself. */
import type { Condition } from '../../contract/live-query.ts';

/** Whoever may have made something, the server as well. */
export const IS_AUTHOR: readonly Condition[] = [
  { field: 'kind', op: 'eq', value: 'person' },
  { field: 'type', op: 'not-in', values: ['agent', 'wall'] },
];

/** Who can be asked for something: the person that the server acts as reads nothing. */
export const IS_SOMEBODY: readonly Condition[] = [
  ...IS_AUTHOR,
  { field: 'name', op: 'not', value: 'System' },
];
