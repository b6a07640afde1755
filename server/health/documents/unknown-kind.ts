/** What to say of a key that is no kind of check: what was probably meant, or what there is. */
import { closestWord } from '../../../src/lib/closest-word.ts';
import { RUNNABLE_KEYS } from '../kinds/all-kinds.ts';
import { STORED_KINDS } from '../kinds/stored-kinds.ts';

/** Completes the name of the field, as all problems do. */
export function unknownKindMessage(key: string): string {
  const known = [...RUNNABLE_KEYS, ...Object.keys(STORED_KINDS)].toSorted();
  const meant = closestWord(key, known);
  const hint = meant === null ? `known are ${known.join(', ')}` : `did you mean "${meant}"?`;
  return `is not a kind of check; ${hint}`;
}
