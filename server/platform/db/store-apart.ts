/** Of a batch that the database refuses, what is at fault alone is left out. */
import { DatabaseError } from './database-error.ts';

/** SQLSTATE classes that blame the data, not the server or the way to it. */
const BLAMES_DATA: readonly string[] = ['22', '23', '54'];

/** A text of all of them may be longer than any text (a RangeError of JSON). */
const isOfTheBatch = (error: unknown): error is Error =>
  error instanceof RangeError ||
  (error instanceof DatabaseError && BLAMES_DATA.includes(error.sqlState.slice(0, 2)));

/**
 * Stores the batch at once, or its halves, until what the database refuses stands alone and is told to `refuse`.
 * `store` does it whole or not at all.
 */
export async function storeApart<Entry>(
  batch: readonly Entry[],
  store: (part: readonly Entry[]) => Promise<void>,
  refuse: (entry: Entry, reason: string) => void,
): Promise<void> {
  try {
    await store(batch);
  } catch (error) {
    if (!isOfTheBatch(error)) throw error;
    const [first] = batch;
    if (first !== undefined && batch.length === 1) {
      refuse(
        first,
        `${error instanceof DatabaseError ? 'the database refused it' : 'it cannot be written'}: ${error.message}`,
      );
      return;
    }
    const middle = Math.ceil(batch.length / 2);
    await storeApart(batch.slice(0, middle), store, refuse);
    await storeApart(batch.slice(middle), store, refuse);
  }
}
