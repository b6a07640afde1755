/** Turns what a door's function does into the answer that crosses threads: errors as plain facts. */
import { errorFacts } from '../../../src/contract/errors.ts';
import type { Answer } from '../../../src/contract/queries/queries.ts';

export async function settle<T>(run: () => Promise<T>): Promise<Answer<T>> {
  try {
    return { ok: true, value: await run() };
  } catch (error) {
    return { ok: false, error: errorFacts(error) };
  }
}
