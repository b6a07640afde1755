import { describe, expect, test } from 'vitest';
import { forEachFilmServer, testAnswers } from './film-server.ts';

const OBJECT = 'application/vnd.pgrst.object+json';

forEachFilmServer((server) => {
  describe('functions by GET', () => {
    testAnswers(server, [
      ['/rpc/add_them?a=1&b=2', 3],
      ['/rpc/greet', 'Hello, you'],
      ['/rpc/greet?name=Ann', 'Hello, Ann'],
      ['/rpc/sum_all?v=1&v=2&v=3', 6],
      ['/rpc/sum_all?v={4,5}', 9],
      ['/rpc/total_of?numbers={1,2,3}', 6],
      ['/rpc/one_film?wanted=4&select=id,title', { id: 4, title: 'Yojimbo' }],
      ['/rpc/best_films?min_score=8&id=gt.3&select=id&order=id.desc', [{ id: 5 }, { id: 4 }]],
      ['/rpc/film_pairs?made=lt.1960&select=name', [{ name: 'Seven Samurai' }, { name: 'A Lost Reel' }]],
      ['/rpc/split_name?full_name=Ann Lee', { first: 'Ann', last: 'Lee' }],
      ['/rpc/plus_one?n=4', { result: 5 }],
      ['/rpc/years', [1910, 1954, 1961, 1962, 1962, 1985]],
      ['/rpc/years?limit=2&offset=1', [1954, 1961]],
      ['/rpc/nothing_here', null],
      ['/rpc/frame_area?frame=(3,4)', 12],
    ]);
  });

  describe('functions by POST', () => {
    test.each<[string, unknown, unknown]>([
      ['/rpc/add_them', { a: 1, b: 2 }, 3],
      ['/rpc/greet', undefined, 'Hello, you'],
      ['/rpc/sum_all', { v: [1, 2, 3] }, 6],
      ['/rpc/total_of', { numbers: [1, 2] }, 3],
      ['/rpc/echo_body', { any: [1, { thing: null }] }, { any: [1, { thing: null }] }],
      ['/rpc/echo_body', [1, 2], [1, 2]],
      ['/rpc/frame_area', { frame: { width: 5, height: 6 } }, 30],
      ['/rpc/best_films?select=id&order=id&limit=1', { min_score: 8 }, [{ id: 3 }]],
      ['/rpc/leave_note', { body: 'hi' }, [{ body: 'hi', stars: 3 }]],
    ])('%s %j', async (path, body, expected) => {
      const answer = await server().send('POST', path, body === undefined ? {} : { body });
      expect([answer.status, answer.json]).toEqual([200, expected]);
    });

    test('a function of nothing answers 204', async () => {
      expect(await server().send('POST', '/rpc/forget_notes')).toMatchObject({ status: 204, text: '' });
    });

    test('what writes is refused by GET, and writes nothing', async () => {
      const answer = await server().get('/rpc/leave_note?body=unread');
      expect(answer).toMatchObject({ status: 405, json: { code: '25006' } });
      expect((await server().get('/notes?body=eq.unread')).json).toEqual([]);
    });
  });

  describe('forms of the answer', () => {
    test.each<[string, string, number, string, string]>([
      ['/actors?id=eq.1', OBJECT, 200, `${OBJECT}; charset=utf-8`, '{"id":1,"name":"Corinne Marchand"}'],
      [
        '/films?id=eq.6&select=id,score',
        `${OBJECT};nulls=stripped`,
        200,
        `${OBJECT}; nulls=stripped; charset=utf-8`,
        '{"id":6}',
      ],
      [
        '/films?id=eq.6&select=id,score',
        'application/vnd.pgrst.array+json;nulls=stripped',
        200,
        'application/vnd.pgrst.array+json; nulls=stripped; charset=utf-8',
        '[{"id":6}]',
      ],
      [
        '/films?id=lt.3&select=id,title&order=id',
        'text/csv',
        200,
        'text/csv; charset=utf-8',
        'id,title\n1,"Cleo from 5 to 7"\n2,Vagabond',
      ],
      ['/rpc/greet', 'text/html, */*;q=0.1', 200, 'application/json; charset=utf-8', '"Hello, you"'],
    ])('%s as %s', async (path, accept, status, type, text) => {
      const answer = await server().get(path, { accept });
      expect([answer.status, answer.headers.get('content-type'), answer.text]).toEqual([status, type, text]);
    });

    test('HEAD is GET without the body', async () => {
      const answer = await server().send('HEAD', '/films?limit=2', { headers: { prefer: 'count=exact' } });
      expect([answer.status, answer.text, answer.headers.get('content-range')]).toEqual([206, '', '0-1/6']);
      expect((await server().send('HEAD', '/rpc/greet')).status).toBe(200);
    });

    test.each([
      ['/films', 'OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE'],
      ['/notes', 'OPTIONS,GET,HEAD,POST,PATCH,DELETE'],
      ['/film_counts', 'OPTIONS,GET,HEAD'],
      ['/rpc/greet', 'OPTIONS,GET,HEAD,POST'],
      ['/rpc/leave_note', 'OPTIONS,POST'],
    ])('OPTIONS %s allows %s', async (path, allow) => {
      const answer = await server().send('OPTIONS', path);
      expect([answer.status, answer.headers.get('allow')]).toEqual([200, allow]);
    });

    test('preferences that were followed are named', async () => {
      const headers = { prefer: 'count=exact, handling=lenient, timezone=America/Lima, something=else' };
      const answer = await server().get('/films?select=screening&id=eq.1', headers);
      expect(answer.headers.get('preference-applied')).toBe(
        'count=exact, handling=lenient, timezone=America/Lima',
      );
      expect(answer.text).toContain('2024-01-01 05:00:00-05');
    });

    test('the schema may be named', async () => {
      expect((await server().get('/films?limit=1', { 'accept-profile': 'cinema' })).status).toBe(200);
    });
  });

  describe('errors', () => {
    test.each<[string, Record<string, string>, number, object]>([
      [
        '/films?id=foo',
        {},
        400,
        {
          code: 'PGRST100',
          message: '"failed to parse filter (foo)" (line 1, column 1)',
          details: 'unexpected "f" expecting "not" or operator (eq, gt, ...)',
          hint: null,
        },
      ],
      ['/films?select=id,(', {}, 400, { code: 'PGRST100' }],
      ['/films?order=id.down', {}, 400, { code: 'PGRST100' }],
      ['/films?or=(id.eq.1', {}, 400, { code: 'PGRST100' }],
      ['/films?id=is.maybe', {}, 400, { code: 'PGRST100' }],
      [
        '/films?limit=-1',
        {},
        416,
        { code: 'PGRST103', details: 'Limit should be greater than or equal to zero.' },
      ],
      ['/films', { range: '5-1' }, 416, { code: 'PGRST103' }],
      [
        '/films?offset=100',
        { prefer: 'count=exact' },
        416,
        {
          code: 'PGRST103',
          message: 'Requested range not satisfiable',
          details: 'An offset of 100 was requested, but there are only 6 rows.',
          hint: null,
        },
      ],
      [
        '/films',
        { 'accept-profile': 'neighbour' },
        406,
        {
          code: 'PGRST106',
          message: 'Invalid schema: neighbour',
          details: null,
          hint: 'Only the following schemas are exposed: cinema',
        },
      ],
      [
        '/films',
        { accept: 'image/png' },
        406,
        {
          code: 'PGRST107',
          message: 'None of these media types are available: image/png',
        },
      ],
      [
        '/films?directors.id=eq.1',
        {},
        400,
        {
          code: 'PGRST108',
          message: "'directors' is not an embedded resource in this request",
          hint: "Verify that 'directors' is included in the 'select' query parameter.",
        },
      ],
      [
        '/films',
        { accept: OBJECT },
        406,
        {
          code: 'PGRST116',
          message: 'Cannot coerce the result to a single JSON object',
          details: 'The result contains 6 rows',
          hint: null,
        },
      ],
      [
        '/directors?select=films(id)&order=films(id)',
        {},
        400,
        {
          code: 'PGRST118',
          message: "A related order on 'films' is not possible",
          details: "'directors' and 'films' do not form a many-to-one or one-to-one relationship",
        },
      ],
      [
        '/directors?select=films()&films=eq.1',
        {},
        400,
        {
          code: 'PGRST120',
          message: "Bad operator on the 'films' embedded resource",
          details: 'Only is null or not is null filters are allowed on embedded resources',
        },
      ],
      [
        '/films',
        { prefer: 'handling=strict, whatever, count=exact' },
        400,
        {
          code: 'PGRST122',
          details: 'Invalid preferences: whatever',
        },
      ],
      ['/films?select=year.max()', {}, 400, { code: 'PGRST123' }],
      ['/films?select=count()', {}, 400, { code: 'PGRST123' }],
      ['/films/1', {}, 404, { code: 'PGRST125' }],
      ['/', {}, 404, { code: 'PGRST126' }],
      [
        '/films?select=notes(*)',
        {},
        400,
        {
          code: 'PGRST200',
          message: "Could not find a relationship between 'films' and 'notes' in the schema cache",
          details:
            "Searched for a foreign key relationship between 'films' and 'notes' in the schema 'cinema', but no matches were found.",
        },
      ],
      ['/films?select=directors!wrong(*)', {}, 400, { code: 'PGRST200' }],
      [
        '/rpc/greet?nam=x',
        {},
        404,
        {
          code: 'PGRST202',
          message: 'Could not find the function cinema.greet(nam) in the schema cache',
          details:
            'Searched for the function cinema.greet with parameter nam, but no matches were found in the schema cache.',
          hint: 'Perhaps you meant to call the function cinema.greet(name)',
        },
      ],
      ['/rpc/unheard', {}, 404, { code: 'PGRST202' }],
      [
        '/rpc/twofold?a=2',
        {},
        300,
        {
          code: 'PGRST203',
          message:
            'Could not choose the best candidate function between: cinema.twofold(a => integer), cinema.twofold(a => text)',
        },
      ],
      [
        '/film',
        {},
        404,
        {
          code: 'PGRST205',
          message: "Could not find the table 'cinema.film' in the schema cache",
          hint: "Perhaps you meant the table 'cinema.films'",
        },
      ],
      ['/archives', {}, 404, { code: 'PGRST205' }],
      ['/films?nope=eq.1', {}, 400, { code: '42703', message: 'column films.nope does not exist' }],
      ['/films?select=nope', {}, 400, { code: '42703' }],
      ['/films?id=eq.x', {}, 400, { code: '22P02' }],
      ['/films?year=like.1*', {}, 404, { code: '42883' }],
      ['/films?select=id::regclass', {}, 400, { code: '42704' }],
      ['/films?title=is.true', {}, 400, { code: '42804' }],
      ['/films?title=match.(', {}, 400, { code: '2201B' }],
      ['/films?words=fts(klingon).x', {}, 400, { code: '42704' }],
      ['/rpc/refuse?reason=no', {}, 400, { code: 'P0001', message: 'no', hint: 'ask again' }],
      ['/rpc/teapot', {}, 418, { code: 'PT418', message: 'short and stout' }],
    ])('GET %s %o answers %s', async (path, headers, status, body) => {
      const answer = await server().get(path, headers);
      expect(answer.json).toMatchObject(body);
      expect(Object.keys(answer.json as object)).toEqual(['code', 'message', 'details', 'hint']);
      expect(answer.status).toBe(status);
    });

    test.each([
      ['PATCH', '/rpc/greet', 405, 'PGRST101'],
      ['DELETE', '/rpc/greet', 405, 'PGRST101'],
    ])('%s %s answers %s %s', async (method, path, status, code) => {
      expect(await server().send(method, path)).toMatchObject({ status, json: { code } });
    });

    test('a table made later is found', async () => {
      await server().db.script('create table cinema.late_comers (id int)');
      // Unknown names are looked for again at most once a second.
      server().advance(1100);
      expect((await server().get('/late_comers')).json).toEqual([]);
      await server().db.script('drop table cinema.late_comers');
      server().dataApi.forgetCatalogue();
    });
  });
});
