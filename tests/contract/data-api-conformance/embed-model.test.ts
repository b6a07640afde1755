/** Random reads with embeds, order with nulls, ranges and counts, against the same in plain arrays. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { forEachFilmServer } from './film-server.ts';

interface Film {
  id: number;
  director_id: number | null;
  year: number;
  score: number | null;
}

const question = fc.record({
  key: fc.constantFrom<'score' | 'director_id' | 'year'>('score', 'director_id', 'year'),
  descending: fc.boolean(),
  nulls: fc.constantFrom<'first' | 'last' | null>('first', 'last', null),
  before: fc.integer({ min: 1900, max: 2000 }),
  join: fc.constantFrom('!left', '!inner', ''),
  exists: fc.constantFrom<'is.null' | 'not.is.null' | null>('is.null', 'not.is.null', null),
  limit: fc.integer({ min: 0, max: 7 }),
  offset: fc.integer({ min: 0, max: 7 }),
  childLimit: fc.integer({ min: 0, max: 4 }),
  byHeader: fc.boolean(),
});
type Question = typeof question extends fc.Arbitrary<infer T> ? T : never;

function compare({ key, descending, nulls }: Question) {
  const nullsFirst = nulls === null ? descending : nulls === 'first';
  return (one: Film, other: Film) => {
    const [a, b] = [one[key], other[key]];
    if (a === b) return one.id - other.id;
    if (a === null) return nullsFirst ? -1 : 1;
    if (b === null) return nullsFirst ? 1 : -1;
    return descending ? b - a : a - b;
  };
}

forEachFilmServer((server) => {
  test('films come in the order, the page and the number that the model says', async () => {
    const films = (await server().get('/films?select=id,director_id,year,score')).json as Film[];
    await fc.assert(
      fc.asyncProperty(question, async (asked) => {
        const { key, descending, nulls, before, limit, offset, byHeader } = asked;
        const matching = films.filter((film) => film.year < before).toSorted(compare(asked));
        const order = `${key}.${descending ? 'desc' : 'asc'}${nulls === null ? '' : `.nulls${nulls}`},id`;
        const usesHeader = byHeader && limit > 0;
        const page = usesHeader ? '' : `&limit=${limit}&offset=${offset}`;
        const range = usesHeader ? { range: `${offset}-${offset + limit - 1}` } : {};
        const answer = await server().get(`/films?select=id&year=lt.${before}&order=${order}${page}`, {
          prefer: 'count=exact',
          ...range,
        });
        const total = matching.length;
        if (offset > total) {
          expect([answer.status, answer.headers.get('content-range')]).toEqual([416, `*/${total}`]);
          return;
        }
        const expected = matching.slice(offset, offset + limit).map(({ id }) => ({ id }));
        expect(answer.json).toEqual(expected);
        expect(answer.status).toBe(expected.length < total ? 206 : 200);
      }),
      { numRuns: 100, seed: 11 },
    );
  }, 120_000);

  test('directors come with the films that the model says, or not at all', async () => {
    const films = (await server().get('/films?select=id,director_id,year,score')).json as Film[];
    await fc.assert(
      fc.asyncProperty(question, async (asked) => {
        const { before, join, exists, childLimit } = asked;
        const filter = exists === null ? '' : `&films=${exists}`;
        const answer = await server().get(
          `/directors?select=id,films${join}(id)&films.year=lt.${before}&films.order=id.desc&films.limit=${childLimit}&order=id${filter}`,
        );
        const expected = [1, 2, 3].flatMap((id) => {
          const own = films.filter((film) => film.director_id === id && film.year < before);
          const isWanted = exists === null || own.length > 0 === (exists === 'not.is.null');
          if (!isWanted || (join === '!inner' && own.length === 0)) return [];
          const shown = own.toSorted((a, b) => b.id - a.id).slice(0, childLimit);
          return [{ id, films: shown.map((film) => ({ id: film.id })) }];
        });
        expect(answer.json).toEqual(expected);
      }),
      { numRuns: 100, seed: 12 },
    );
  }, 120_000);
});
