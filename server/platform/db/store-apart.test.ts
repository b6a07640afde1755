import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DatabaseError } from './database-error.ts';
import { storeApart } from './store-apart.ts';

const refusal = (sqlState: string) =>
  new DatabaseError({
    sqlState,
    message: 'refused',
    detail: null,
    hint: null,
    constraint: null,
    table: null,
    column: null,
  });

describe('a batch', () => {
  it('is stored but for what is refused, each once, in order', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('good', 'bad', 'large'), { maxLength: 30 }),
        async (kinds) => {
          const batch = kinds.map((kind, at) => ({ kind, at }));
          const stored: number[] = [];
          const refused: number[] = [];
          await storeApart(
            batch,
            async (part) => {
              await Promise.resolve();
              if (part.some(({ kind }) => kind === 'bad')) throw refusal('22P05');
              if (part.some(({ kind }) => kind === 'large')) throw new RangeError('Invalid string length');
              stored.push(...part.map(({ at }) => at));
            },
            ({ at }) => refused.push(at),
          );
          const are = (isGood: boolean) =>
            batch.filter(({ kind }) => (kind === 'good') === isGood).map(({ at }) => at);
          expect(stored).toEqual(are(true));
          expect(refused).toEqual(are(false));
        },
      ),
    );
  });

  it('fails as a whole where it is not the data: the database is away', async () => {
    const refused: number[] = [];
    const away = storeApart(
      [1, 2],
      () => Promise.reject(refusal('08006')),
      (one) => refused.push(one),
    );
    await expect(away).rejects.toMatchObject({ sqlState: '08006' });
    expect(refused).toEqual([]);
  });
});
