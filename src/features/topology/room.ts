/** How many components this device has room for. */
import { COLLECTION_FACTS } from '../../contract/collections.ts';

/** The most that are kept, where there may be more than this device has; null where it has them all. */
export function fullAt(count: number): number | null {
  const { cap } = COLLECTION_FACTS.components;
  return count >= cap ? cap : null;
}
