import type { ErrorFacts } from '../../contract/errors.ts';
import type { Cached } from '../../contract/worker.ts';

/** An answer that comes from the device first and from the server after. */
export interface Loadable<T> {
  kept: Cached<T> | null;
  error: ErrorFacts | null;
}

export const NOTHING_YET: Loadable<never> = { kept: null, error: null };
