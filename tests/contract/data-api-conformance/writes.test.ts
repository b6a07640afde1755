import { beforeEach, describe, expect, test } from 'vitest';
import { forEachFilmServer } from './film-server.ts';

const WITH_ROWS = { prefer: 'return=representation' };

forEachFilmServer((server) => {
  const send = (method: string, path: string, options?: Parameters<ReturnType<typeof server>['send']>[2]) =>
    server().send(method, path, options);
  const names = async () => (await server().get('/actors?order=id&id=gte.50')).json;

  beforeEach(async () => {
    await server().db.script(`
      delete from cinema.actors where id >= 50;
      delete from cinema.notes;
      delete from cinema.films where id >= 50;
      insert into cinema.actors values (50, 'Ann'), (51, 'Bob'), (52, 'Cid')`);
  });

  describe('POST', () => {
    test('answers 201 and nothing, or the rows, or where the row is', async () => {
      const plain = await send('POST', '/actors', { body: { id: 60, name: 'New' } });
      expect([plain.status, plain.text, plain.headers.get('content-range')]).toEqual([201, '', '*/*']);
      const shown = await send('POST', '/actors?select=name', {
        body: { id: 61, name: 'New' },
        headers: { prefer: 'return=representation, count=exact' },
      });
      expect([shown.status, shown.json]).toEqual([201, [{ name: 'New' }]]);
      expect(shown.headers.get('content-range')).toBe('*/1');
      expect(shown.headers.get('preference-applied')).toBe('return=representation, count=exact');
      const placed = await send('POST', '/roles', {
        body: { film_id: 6, actor_id: 50 },
        headers: { prefer: 'return=headers-only' },
      });
      expect([placed.status, placed.text]).toEqual([201, '']);
      expect(placed.headers.get('location')).toBe('/roles?film_id=eq.6&actor_id=eq.50');
      await send('DELETE', '/roles?film_id=eq.6');
    });

    test('takes many rows, embeds in what it shows, and orders it', async () => {
      const body = [
        { title: 'One', director_id: 1 },
        { title: 'Two', director_id: 2 },
      ];
      const answer = await send('POST', '/films?select=title,directors(last_name)&order=title.desc', {
        body,
        headers: WITH_ROWS,
      });
      expect(answer.json).toEqual([
        { title: 'Two', directors: { last_name: 'Kurosawa' } },
        { title: 'One', directors: { last_name: 'Varda' } },
      ]);
      await send('DELETE', '/films?title=in.(One,Two)');
    });

    test('takes only the columns named, and gives defaults where asked to', async () => {
      const body = [{ body: 'a', stars: 1, ignored: true }, { body: 'b' }];
      const nulls = await send('POST', '/notes?columns=body,stars', { body, headers: WITH_ROWS });
      expect(nulls.json).toEqual([
        { body: 'a', stars: 1 },
        { body: 'b', stars: null },
      ]);
      const defaults = await send('POST', '/notes?columns=body,stars', {
        body,
        headers: { prefer: 'missing=default, return=representation' },
      });
      expect(defaults.json).toEqual([
        { body: 'a', stars: 1 },
        { body: 'b', stars: 3 },
      ]);
      expect(defaults.headers.get('preference-applied')).toBe('missing=default, return=representation');
      expect((await send('POST', '/notes', { body: {}, headers: WITH_ROWS })).json).toEqual([
        { body: null, stars: 3 },
      ]);
      expect((await send('POST', '/notes', { body: [], headers: WITH_ROWS })).json).toEqual([]);
    });

    test('merges or ignores duplicates by the primary key, or by another one', async () => {
      const merged = await send('POST', '/actors', {
        body: [
          { id: 50, name: 'Anna' },
          { id: 62, name: 'Dee' },
        ],
        headers: { prefer: 'resolution=merge-duplicates, return=representation' },
      });
      expect(merged.status).toBe(201);
      expect(merged.headers.get('preference-applied')).toBe(
        'resolution=merge-duplicates, return=representation',
      );
      const onlyOld = await send('POST', '/actors', {
        body: { id: 50, name: 'Annie' },
        headers: { prefer: 'resolution=merge-duplicates' },
      });
      expect(onlyOld.status).toBe(200);
      const ignored = await send('POST', '/actors', {
        body: [
          { id: 50, name: 'Other' },
          { id: 63, name: 'Eve' },
        ],
        headers: { prefer: 'resolution=ignore-duplicates, return=representation' },
      });
      expect([ignored.status, ignored.json]).toEqual([201, [{ id: 63, name: 'Eve' }]]);
      expect(await names()).toContainEqual({ id: 50, name: 'Annie' });
      const byTitle = await send('POST', '/films?on_conflict=title&select=title,year', {
        body: { title: 'Yojimbo', year: 1961 },
        headers: { prefer: 'resolution=merge-duplicates, return=representation' },
      });
      expect([byTitle.status, byTitle.json]).toEqual([200, [{ title: 'Yojimbo', year: 1961 }]]);
    });

    test('writes through a simple view, and says when a view is not one', async () => {
      const body = { title: 'By a view', director_id: 1 };
      const simple = await send('POST', '/film_titles?select=title', { body, headers: WITH_ROWS });
      expect([simple.status, simple.json]).toEqual([201, [{ title: 'By a view' }]]);
      await send('DELETE', '/film_titles?title=eq.By a view');
      const complex = await send('POST', '/film_counts', { body: { films: 1 } });
      expect(complex).toMatchObject({ status: 405, json: { code: '55000' } });
    });
  });

  describe('PATCH and DELETE', () => {
    test('change what matches and answer 204, or the rows', async () => {
      const silent = await send('PATCH', '/actors?id=eq.50', { body: { name: 'X' } });
      expect([silent.status, silent.text, silent.headers.get('content-range')]).toEqual([204, '', '0-0/*']);
      const shown = await send('PATCH', '/actors?id=in.(51,52)&select=id,name&order=id.desc', {
        body: { name: 'Y' },
        headers: { prefer: 'return=representation,count=exact' },
      });
      expect(shown.json).toEqual([
        { id: 52, name: 'Y' },
        { id: 51, name: 'Y' },
      ]);
      expect([shown.status, shown.headers.get('content-range')]).toEqual([200, '0-1/2']);
      const none = await send('PATCH', '/actors?id=eq.999', { body: { name: 'Z' }, headers: WITH_ROWS });
      expect([none.status, none.json, none.headers.get('content-range')]).toEqual([200, [], '*/*']);
      const gone = await send('DELETE', '/actors?id=gte.51', {
        headers: { prefer: 'return=representation,count=exact' },
      });
      expect([gone.status, gone.headers.get('content-range')]).toEqual([200, '*/2']);
      expect((await send('DELETE', '/actors?id=eq.50')).status).toBe(204);
      expect(await names()).toEqual([]);
    });

    test('change only the first rows of an order', async () => {
      await send('PATCH', '/actors?id=gte.50&order=id.desc&limit=1', { body: { name: 'Last' } });
      expect(await names()).toEqual([
        { id: 50, name: 'Ann' },
        { id: 51, name: 'Bob' },
        { id: 52, name: 'Last' },
      ]);
      await send('DELETE', '/actors?id=gte.50&order=id&limit=1&offset=1');
      expect(await names()).toEqual([
        { id: 50, name: 'Ann' },
        { id: 52, name: 'Last' },
      ]);
      expect(await send('DELETE', '/actors?id=gte.50&limit=1')).toMatchObject({
        status: 400,
        json: { code: 'PGRST109' },
      });
    });

    test('take everything back when more rows are touched than allowed, or not exactly one', async () => {
      const many = await send('DELETE', '/actors?id=gte.50', {
        headers: { prefer: 'handling=strict, max-affected=2' },
      });
      expect(many).toMatchObject({
        status: 400,
        json: { code: 'PGRST124', details: 'The query affects 3 rows' },
      });
      const single = await send('PATCH', '/actors?id=gte.50', {
        body: { name: 'Same' },
        headers: { accept: 'application/vnd.pgrst.object+json' },
      });
      expect(single).toMatchObject({
        status: 406,
        json: { code: 'PGRST116', details: 'The result contains 3 rows' },
      });
      expect(await names()).toEqual([
        { id: 50, name: 'Ann' },
        { id: 51, name: 'Bob' },
        { id: 52, name: 'Cid' },
      ]);
      const lenient = await send('DELETE', '/actors?id=gte.50', { headers: { prefer: 'max-affected=2' } });
      expect(lenient.status).toBe(204);
    });

    test('a wish to roll back is not for clients: the write stays', async () => {
      const answer = await send('PATCH', '/actors?id=eq.50', {
        body: { name: 'Kept' },
        headers: { prefer: 'tx=rollback' },
      });
      expect(answer.headers.get('preference-applied')).toBeNull();
      expect(await names()).toContainEqual({ id: 50, name: 'Kept' });
    });
  });

  describe('PUT', () => {
    test('inserts or replaces one row by its key', async () => {
      const made = await send('PUT', '/actors?id=eq.70', {
        body: { id: 70, name: 'Put' },
        headers: WITH_ROWS,
      });
      expect([made.status, made.json]).toEqual([201, [{ id: 70, name: 'Put' }]]);
      const again = await send('PUT', '/actors?id=eq.70', {
        body: [{ id: 70, name: 'Again' }],
        headers: WITH_ROWS,
      });
      expect([again.status, again.json]).toEqual([200, [{ id: 70, name: 'Again' }]]);
      expect((await send('PUT', '/actors?id=eq.70', { body: { id: 70, name: 'Z' } })).status).toBe(204);
    });

    test.each<[string, object, number, string]>([
      ['/actors?id=eq.70', { id: 71, name: 'Other' }, 400, 'PGRST115'],
      ['/actors?name=eq.Ann', { id: 50, name: 'Ann' }, 405, 'PGRST105'],
      ['/actors?id=eq.50&name=eq.Ann', { id: 50, name: 'Ann' }, 405, 'PGRST105'],
      ['/actors', { id: 50, name: 'Ann' }, 405, 'PGRST105'],
      ['/notes?body=eq.a', { body: 'a' }, 405, 'PGRST105'],
      ['/actors?id=eq.50&limit=1', { id: 50, name: 'Ann' }, 400, 'PGRST114'],
    ])('PUT %s with %o is refused', async (path, body, status, code) => {
      expect(await send('PUT', path, { body })).toMatchObject({ status, json: { code } });
      expect(await names()).toContainEqual({ id: 50, name: 'Ann' });
    });
  });

  describe('refused writes', () => {
    test.each<[string, string, unknown, number, string]>([
      ['POST', '/actors', { id: 50, name: 'Twice' }, 409, '23505'],
      ['POST', '/roles', { film_id: 999, actor_id: 50 }, 409, '23503'],
      ['POST', '/actors', { id: 80 }, 400, '23502'],
      ['POST', '/actors', { id: 'many', name: 'x' }, 400, '22P02'],
      ['POST', '/films', { title: 'T', slogan: 'x'.repeat(41) }, 400, '23514'],
      ['POST', '/films', { title: 'T', words: 'a' }, 400, '428C9'],
      ['POST', '/actors', { id: 80, nme: 'x' }, 400, 'PGRST204'],
      ['POST', '/actors', [{ id: 80, name: 'a' }, { id: 81 }], 400, 'PGRST102'],
      ['POST', '/actors', '{"id":', 400, 'PGRST102'],
      ['POST', '/actors', '', 400, 'PGRST102'],
      ['POST', '/actors', [1], 400, 'PGRST102'],
      ['PATCH', '/actors?id=eq.50', [{ name: 'a' }, { name: 'b' }], 400, 'PGRST102'],
      ['PATCH', '/actors?id=eq.50', { nme: 'a' }, 400, 'PGRST204'],
    ])('%s %s %j: %s %s', async (method, path, body, status, code) => {
      const answer = await send(method, path, { body });
      expect([answer.status, answer.json]).toEqual([status, expect.objectContaining({ code })]);
      expect(await names()).toHaveLength(3);
    });

    test('a body of another type is refused', async () => {
      const answer = await send('POST', '/actors', { body: '<a/>', headers: { 'content-type': 'text/xml' } });
      expect(answer).toMatchObject({ status: 400, json: { code: 'PGRST102' } });
    });
  });
});
