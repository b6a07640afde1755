/** What a worker does in a quiet moment, and in which order. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CollectionsPull, type CollectionsParts } from './collections-pull.ts';

const { signal } = new AbortController();

/** A comparison of collections that are read in so many parts each, and what there is to tidy beside it. */
function openPull(partsOf: readonly number[]) {
  const done: string[] = [];
  const waiting = [...partsOf];
  let partsLeft = 0;
  const isReading = () => partsLeft > 0;
  const tidies = (what: string) => () => {
    done.push(isReading() ? `${what} in the middle of a comparison` : what);
    return Promise.resolve(false);
  };
  const comparison: CollectionsParts['comparison'] = {
    isReading,
    next: () => {
      done.push('compare');
      if (isReading()) {
        partsLeft -= 1;
        return Promise.resolve(true);
      }
      const parts = waiting.shift();
      partsLeft = parts ?? 0;
      return Promise.resolve(parts !== undefined);
    },
    restart: () => {},
  };
  // What else a pull needs is not asked for in a quiet moment.
  const parts = {
    statuses: { tidy: tidies('tidy') },
    store: { documents: { tidy: tidies('tidy') } },
    tidyReplicas: tidies('fold'),
    comparison,
  } as unknown as CollectionsParts;
  return { pull: new CollectionsPull(parts), done, isReading };
}

test('nothing is tidied in the middle of a comparison, whenever it falls due; at last all is', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat(4), { maxLength: 4 }),
      fc.array(fc.boolean(), { maxLength: 20 }),
      async (partsOf, dues) => {
        const { pull, done, isReading } = openPull(partsOf);
        for (const isDue of [...dues, true]) {
          if (isDue) pull.tidyLater();
          await pull.background(signal);
        }
        while (await pull.background(signal));
        expect(isReading()).toBe(false);
        expect(done.filter((what) => what.endsWith('in the middle of a comparison'))).toEqual([]);
        expect(done).toContain('tidy');
        expect(done.at(-1)).toBe('compare');
      },
    ),
  );
});
