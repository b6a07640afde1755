import { describe, expect, test } from 'vitest';
import { forEachFilmServer, testAnswers } from './film-server.ts';

const REEL = { title: 'A Lost Reel' };

forEachFilmServer((server) => {
  describe('select', () => {
    testAnswers(server, [
      ['/films?id=eq.1&select=title,made:year', [{ title: 'Cleo from 5 to 7', made: 1962 }]],
      ['/films?id=eq.1&select=year::text,score::int', [{ year: '1962', score: 8 }]],
      ['/films?id=eq.1&select=rating::text,slogan', [{ rating: 'PG', slogan: 'Time, passing' }]],
      ['/films?id=eq.1&select=info->cast->>lead', [{ lead: 'Corinne' }]],
      ['/films?id=eq.1&select=second:info->prizes->1,info->prizes->>0', [{ second: 'b', prizes: 'a' }]],
      [
        '/films?id=eq.1&select=frame,frame->width,tags->0',
        [{ frame: { width: 4, height: 3 }, width: 4, tags: 'paris' }],
      ],
      ['/directors?id=eq.1', [{ id: 1, first_name: 'Agnes', last_name: 'Varda', born: '1928-05-30' }]],
      ['/films?id=eq.1&select= title , y : year ', [{ title: 'Cleo from 5 to 7', y: 1962 }]],
      ['/films?id=eq.1&select=title)', [{ title: 'Cleo from 5 to 7' }]],
      ['/films?id=eq.1&select=title&select=year', [{ title: 'Cleo from 5 to 7' }]],
      ['/rpc/big', 9007199254740992],
    ]);
  });

  describe('embedding', () => {
    testAnswers(server, [
      [
        '/films?id=eq.1&select=title,directors(last_name)',
        [{ title: 'Cleo from 5 to 7', directors: { last_name: 'Varda' } }],
      ],
      ['/films?id=eq.6&select=title,directors(last_name)', [{ ...REEL, directors: null }]],
      ['/films?id=eq.1&select=d:director_id(last_name)', [{ d: { last_name: 'Varda' } }]],
      ['/films?id=eq.1&select=director_id(last_name)', [{ director_id: { last_name: 'Varda' } }]],
      [
        '/films?id=eq.1&select=d:directors!films_director_id_fkey(last_name)',
        [{ d: { last_name: 'Varda' } }],
      ],
      ['/films?id=eq.1&select=d:directors!director_id(last_name)', [{ d: { last_name: 'Varda' } }]],
      ['/directors?id=eq.1&select=films(id)&films.order=id.desc', [{ films: [{ id: 2 }, { id: 1 }] }]],
      ['/directors?id=eq.3&select=films(id)', [{ films: [] }]],
      [
        '/directors?id=eq.2&select=films(id)&films.year=gt.1960&films.order=id&films.limit=1&films.offset=1',
        [{ films: [{ id: 5 }] }],
      ],
      [
        '/directors?id=eq.2&select=films(id)&films.or=(id.eq.3,id.eq.4)&films.order=id',
        [{ films: [{ id: 3 }, { id: 4 }] }],
      ],
      [
        '/films?id=eq.3&select=actors(name)&actors.order=name',
        [{ actors: [{ name: 'Takashi Shimura' }, { name: 'Toshiro Mifune' }] }],
      ],
      ['/films?id=eq.3&select=actors!roles(id)&actors.id=eq.2', [{ actors: [{ id: 2 }] }]],
      [
        '/films?id=eq.3&select=roles(character,actors(name))&roles.order=actor_id',
        [
          {
            roles: [
              { character: 'Kikuchiyo', actors: { name: 'Toshiro Mifune' } },
              { character: 'Kambei', actors: { name: 'Takashi Shimura' } },
            ],
          },
        ],
      ],
      ['/films?id=eq.1&select=technical_specs(camera)', [{ technical_specs: { camera: 'Arriflex' } }]],
      ['/technical_specs?film_id=eq.1&select=films(title)', [{ films: { title: 'Cleo from 5 to 7' } }]],
      ['/films?id=eq.5&select=sequel_to(title)', [{ sequel_to: { title: 'Yojimbo' } }]],
      ['/films?id=eq.4&select=films(title)', [{ films: [{ title: 'Sanjuro' }] }]],
      [
        '/ceremonies?id=eq.1&select=host,nominations(film_id)',
        [{ host: 'Venice', nominations: { film_id: 3 } }],
      ],
      ['/nominations?year=eq.1955&select=ceremonies(host)', [{ ceremonies: [{ host: 'Venice' }] }]],
      [
        '/shipments?select=sent_from(last_name),to:directors!shipments_sent_to_fkey(last_name)',
        [{ sent_from: { last_name: 'Varda' }, to: { last_name: 'Kurosawa' } }],
      ],
      [
        '/film_titles?id=eq.1&select=title,directors(last_name)',
        [{ title: 'Cleo from 5 to 7', directors: { last_name: 'Varda' } }],
      ],
      [
        '/directors?id=eq.1&select=film_titles(id)&film_titles.order=id',
        [{ film_titles: [{ id: 1 }, { id: 2 }] }],
      ],
      [
        '/film_titles?id=eq.3&select=roles(character)&roles.character=eq.Kambei',
        [{ roles: [{ character: 'Kambei' }] }],
      ],
      [
        '/films?id=eq.1&select=title,...directors(last_name,first:first_name)',
        [{ title: 'Cleo from 5 to 7', last_name: 'Varda', first: 'Agnes' }],
      ],
      ['/films?id=eq.6&select=title,...directors(last_name)', [{ ...REEL, last_name: null }]],
      [
        '/roles?film_id=eq.1&select=character,...films(title,...directors(last_name))',
        [{ character: 'Cleo', title: 'Cleo from 5 to 7', last_name: 'Varda' }],
      ],
      [
        '/directors?id=eq.1&select=last_name,...films(titles:title)&films.order=id',
        [{ last_name: 'Varda', titles: ['Cleo from 5 to 7', 'Vagabond'] }],
      ],
      ['/directors?select=id,films!inner(id)&films.year=lt.1960&order=id', [{ id: 2, films: [{ id: 3 }] }]],
      ['/directors?select=id,films!inner()&films.year=lt.1960', [{ id: 2 }]],
      [
        '/directors?select=id,films!inner(roles!inner(actors!inner(id)))&films.roles.actors.id=eq.1',
        [{ id: 1, films: [{ roles: [{ actors: { id: 1 } }] }] }],
      ],
      [
        '/directors?select=id,films!left(id)&films.id=eq.3&order=id',
        [
          { id: 1, films: [] },
          { id: 2, films: [{ id: 3 }] },
          { id: 3, films: [] },
        ],
      ],
      ['/directors?select=id,films()&films=is.null', [{ id: 3 }]],
      ['/directors?select=id,films()&films=not.is.null&order=id', [{ id: 1 }, { id: 2 }]],
      ['/directors?select=id,old:films()&old.year=lt.1960&old=not.is.null', [{ id: 2 }]],
      ['/directors?select=id,films()&or=(films.is.null,id.eq.1)&order=id', [{ id: 1 }, { id: 3 }]],
      ['/directors?select=id,films()&films=is.not_null&order=id', [{ id: 1 }, { id: 2 }]],
      [
        '/films?select=id,directors()&order=directors(last_name).desc.nullslast,id.desc',
        [{ id: 2 }, { id: 1 }, { id: 5 }, { id: 4 }, { id: 3 }, { id: 6 }],
      ],
      [
        '/rpc/best_films?min_score=8.2&select=title,directors(last_name)&order=title',
        [
          { title: 'Seven Samurai', directors: { last_name: 'Kurosawa' } },
          { title: 'Yojimbo', directors: { last_name: 'Kurosawa' } },
        ],
      ],
    ]);

    test('what is ambiguous is refused with all the ways', async () => {
      const answer = await server().get('/shipments?select=directors(*)');
      expect(answer.status).toBe(300);
      expect(answer.json).toEqual({
        code: 'PGRST201',
        message:
          "Could not embed because more than one relationship was found for 'shipments' and 'directors'",
        details: [
          {
            cardinality: 'many-to-one',
            embedding: 'shipments with directors',
            relationship: 'shipments_sent_from_fkey using shipments(sent_from) and directors(id)',
          },
          {
            cardinality: 'many-to-one',
            embedding: 'shipments with directors',
            relationship: 'shipments_sent_to_fkey using shipments(sent_to) and directors(id)',
          },
        ],
        hint: "Try changing 'directors' to one of the following: 'directors!shipments_sent_from_fkey', 'directors!shipments_sent_to_fkey'. Find the desired relationship in the 'details' key.",
      });
    });

    test('a foreign key into another schema leads nowhere', async () => {
      expect(await server().get('/films?select=archives(*)')).toMatchObject({
        status: 400,
        json: { code: 'PGRST200' },
      });
    });
  });

  describe('order and range', () => {
    const ids = async (query: string, headers: Record<string, string> = {}) => {
      const { json } = await server().get(`/films?select=id&${query}`, headers);
      return (json as { id: number }[]).map((row) => row.id);
    };
    test.each<[string, number[]]>([
      ['order=id.desc', [6, 5, 4, 3, 2, 1]],
      ['order=score', [2, 1, 5, 4, 3, 6]],
      ['order=score.desc', [6, 3, 4, 5, 1, 2]],
      ['order=score.desc.nullslast', [3, 4, 5, 1, 2, 6]],
      ['order=score.asc.nullsfirst', [6, 2, 1, 5, 4, 3]],
      ['order=score.nullsfirst', [6, 2, 1, 5, 4, 3]],
      ['order=year,id.desc', [6, 3, 4, 5, 1, 2]],
      ['order=info->length.desc.nullslast,id', [3, 2, 5, 1, 4, 6]],
      ['order=id&limit=2&offset=3', [4, 5]],
      ['order=id&limit=0', []],
      ['order=id&order=id.desc', [1, 2, 3, 4, 5, 6]],
    ])('%s', async (query, expected) => {
      expect(await ids(query)).toEqual(expected);
    });

    test.each<[string, Record<string, string>, number, string]>([
      ['', {}, 200, '0-5/*'],
      ['', { prefer: 'count=exact' }, 200, '0-5/6'],
      ['limit=2', { prefer: 'count=exact' }, 206, '0-1/6'],
      ['limit=2&offset=4', { prefer: 'count=exact' }, 206, '4-5/6'],
      ['limit=2', {}, 200, '0-1/*'],
      ['limit=2', { prefer: 'count=estimated' }, 206, '0-1/6'],
      ['', { range: '1-3', 'range-unit': 'items' }, 200, '1-3/*'],
      ['', { range: '4-' }, 200, '4-5/*'],
      ['', { range: '0-1', prefer: 'count=exact' }, 206, '0-1/6'],
      ['offset=6', { prefer: 'count=exact' }, 206, '*/6'],
      ['offset=7', { prefer: 'count=exact' }, 416, '*/6'],
      ['offset=7', {}, 200, '*/*'],
      ['limit=0', { prefer: 'count=exact' }, 206, '*/6'],
      ['id=eq.99', { prefer: 'count=exact' }, 200, '*/0'],
    ])('films?%s with %o answers %s and %s', async (query, headers, status, range) => {
      const answer = await server().get(`/films?select=id&order=id&${query}`, headers);
      expect([answer.status, answer.headers.get('content-range')]).toEqual([status, range]);
    });
  });
});
