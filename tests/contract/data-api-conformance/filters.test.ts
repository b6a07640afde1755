import { describe, expect, test } from 'vitest';
import { forEachFilmServer } from './film-server.ts';

/** Filter of films, and the ids that it leaves. */
const CASES: readonly (readonly [string, readonly number[]])[] = [
  ['id=eq.3', [3]],
  ['id=not.eq.3', [1, 2, 4, 5, 6]],
  ['rating=neq.PG', [2, 6]],
  ['year=gt.1962', [2]],
  ['year=gte.1962', [1, 2, 5]],
  ['year=lt.1954', [6]],
  ['year=lte.1954', [3, 6]],
  ['score=not.gte.8', [1, 2]],
  ['title=like.*San*', [5]],
  ['title=like.S%25', [3, 5]],
  ['title=not.like.S*', [1, 2, 4, 6]],
  ['title=ilike.s*', [3, 5]],
  ['title=match.^S', [3, 5]],
  ['title=not.match.^[SV]', [1, 4, 6]],
  ['title=imatch.^s', [3, 5]],
  ['id=in.(1,3,99)', [1, 3]],
  ['id=not.in.(1,3)', [2, 4, 5, 6]],
  ['title=in.("Yojimbo","Time, passing")', [4]],
  ['slogan=in.("Time, passing")', [1]],
  ['id=in.()', []],
  ['is_lost=is.true', [6]],
  ['is_lost=is.false', [1, 2, 3, 5]],
  ['is_lost=is.unknown', [4]],
  ['is_lost=not.is.true', [1, 2, 3, 4, 5]],
  ['is_lost=is.TRUE', [6]],
  ['score=is.null', [6]],
  ['score=not.is.null', [1, 2, 3, 4, 5]],
  ['score=is.not_null', [1, 2, 3, 4, 5]],
  ['rating=isdistinct.PG', [2, 4, 6]],
  ['rating=not.isdistinct.PG', [1, 3, 5]],
  ['tags=cs.{japan}', [3, 4, 5]],
  ['tags=not.cs.{japan}', [1, 2, 6]],
  ['tags=cs.{"real time"}', [1]],
  ['tags=cd.{japan,sequel}', [4, 5, 6]],
  ['tags=ov.{road,battle}', [2, 3]],
  ['info=cs.{"length":90}', [1]],
  ['weeks=sl.[10,12)', [1, 3]],
  ['weeks=sr.[1,5)', [2, 3]],
  ['weeks=nxr.[1,9)', [3]],
  ['weeks=nxl.[5,6)', [2, 3]],
  ['weeks=adj.[20,30)', [2]],
  ['weeks=cs.[6,7)', [1, 3]],
  ['screening=cs.[2024-01-01 11:00Z,2024-01-01 11:30Z)', [1]],
  ['words=fts.samurai', [3]],
  ['words=fts(english).samurais', [3]],
  ['words=not.fts.samurai', [1, 2, 4, 5, 6]],
  ['words=plfts.seven samurai', [3]],
  ['words=phfts(english).lost reel', [6]],
  ['words=wfts.samurai or vagabond', [2, 3]],
  ['title=fts(english).reels', [6]],
  ['id=eq(any).{1,2}', [1, 2]],
  ['id=not.eq(any).{1,2}', [3, 4, 5, 6]],
  ['title=like(any).{S*,V*}', [2, 3, 5]],
  ['title=ilike(all).{*s*,*o*}', [5, 6]],
  ['title=match(any).{^S,^V}', [2, 3, 5]],
  ['year=gt(all).{1954,1961}', [1, 2, 5]],
  ['year=lte(any).{1910,1954}', [3, 6]],
  ['or=(id.eq.1,id.eq.2)', [1, 2]],
  ['and=(id.gt.1,id.lt.4)', [2, 3]],
  ['not.or=(id.eq.1,id.eq.2)', [3, 4, 5, 6]],
  ['not.and=(id.gt.1,id.lt.4)', [1, 4, 5, 6]],
  ['or=(id.eq.1,and(year.eq.1962,id.not.eq.1))', [1, 5]],
  ['or=(id.not.in.(1,2,3,4),title.eq."Cleo from 5 to 7")', [1, 5, 6]],
  ['or=(tags.cs.{japan,battle},id.eq.1)', [1, 3]],
  ['or=(words.fts(english).samurai,title.like(any).{V*,Y*})', [2, 3, 4]],
  ['or=( id.eq.1 , not.and(id.gt.1,id.lt.6) )', [1, 6]],
  ['info->>length=eq.105', [2]],
  ['info->length=gt.100', [2, 3]],
  ['info->cast->>lead=like.Cor*', [1]],
  ['info->prizes->>0=eq.a', [1]],
  ['info->prizes->>-1=eq.b', [1]],
  ['tags->>0=eq.japan', [3, 4, 5]],
  ['frame->>width=eq.16', [3]],
  ['or=(info->>length.eq.90,info->>length.eq.95)', [1, 5]],
  ['slogan=eq.Time, passing', [1]],
  ['title=eq.Yojimbo&year=eq.1961', [4]],
  ['year=gt.1950&year=lt.1962', [3, 4]],
  // Tolerated, as contract §16 asks.
  ['?&id=eq.1&&', [1]],
  ['nonsense=1&id=eq.2', [2]],
  // Rewritten, as contract §17 asks.
  ['title.filter=Yojimbo,S*', []],
  ['title.filter=S*,!Sanjuro', [3]],
  ['title.filter=Yojimbo,Vagabond', [2, 4]],
];

forEachFilmServer((server) => {
  describe('filters', () => {
    test.each(CASES)('films?%s', async (query, ids) => {
      const answer = await server().get(`/films?${query}&select=id&order=id`);
      expect(answer.json).toEqual(ids.map((id) => ({ id })));
      expect(answer.status).toBe(200);
    });

    test('names with capitals, spaces and the words of the syntax', async () => {
      const { json } = await server().get(
        '/Odd%20Names?"with space"=eq.a,b&select=camelCase,"with space",w:select&order="Id"',
      );
      expect(json).toEqual([{ camelCase: null, 'with space': 'a,b', w: 'x"y' }]);
    });
  });
});
