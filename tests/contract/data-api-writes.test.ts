import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { DataApi } from '../../server/replication/data-api/data-api.ts';
import type { Database } from '../../server/platform/db/database.ts';
import { forEachDatabase } from '../../server/platform/db/test-databases.ts';
import { openDataApi } from './data-api-estate.ts';

interface Sent {
  prefer?: string;
  roles?: string[];
  accept?: string;
}

forEachDatabase((_name, open) => {
  let db: Database;
  let api: DataApi;
  let written: string[];
  let sender: string;
  beforeAll(async () => {
    db = await open();
    ({ api, written } = await openDataApi(db));
    sender = (await db.text("select id::text from people where name = 'System'")) ?? '';
  });
  beforeEach(() => {
    written.length = 0;
  });

  const send = async (
    method: string,
    path: string,
    body?: unknown,
    { prefer = 'return=representation', roles = ['admin'], accept }: Sent = {},
  ) => {
    const [name = '', search = ''] = path.split('?', 2);
    const answer = await api.handle({
      method,
      target: { kind: 'table', name },
      search,
      headers: { prefer, accept },
      body: typeof body === 'string' || body === undefined ? body : JSON.stringify(body),
      roles,
      subject: sender,
    });
    const isJson = answer.headers['content-type']?.includes('json') === true;
    return {
      status: answer.status,
      headers: answer.headers,
      json: isJson ? (JSON.parse(answer.body) as unknown) : answer.body,
    };
  };

  describe('insert', () => {
    test('one object comes back as an array with what the database added', async () => {
      const { status, json } = await send('POST', 'properties?select=name,value,created_by(name)', {
        name: 'a.b',
        value: '1',
      });
      expect([status, json]).toEqual([201, [{ name: 'a.b', value: '1', created_by: { name: 'System' } }]]);
      expect(written).toEqual(['properties']);
    });

    test('an array is written whole or not at all', async () => {
      const two = await send('POST', 'properties?select=name', [
        { name: 'x', value: '1' },
        { name: 'y', value: '2' },
      ]);
      expect([two.status, two.json]).toEqual([201, [{ name: 'x' }, { name: 'y' }]]);
      const torn = await send('POST', 'properties', [
        { name: 'z', value: '1' },
        { name: 'x', value: '2' },
      ]);
      expect([torn.status, torn.json]).toMatchObject([409, { code: '23505' }]);
      expect(await db.rows(z.unknown(), "select name from properties where name = 'z'")).toEqual([]);
    });

    test('JSON columns take JSON, long numbers keep their digits', async () => {
      const body =
        '{"name":"deep","namespace":"n","spec":{"list":[1,{"a":null}],"big":12345678901234567890}}';
      const { json } = await send('POST', 'canaries?select=name,spec->big,spec->list', body);
      expect(json).toMatchObject([{ name: 'deep', list: [1, { a: null }] }]);
      expect(await db.text(`select spec ->> 'big' from canaries where name = 'deep'`)).toBe(
        '12345678901234567890',
      );
    });

    test('broken rules are told apart', async () => {
      const missing = await send('POST', 'canaries', { name: 'only' });
      expect([missing.status, missing.json]).toMatchObject([400, { code: '23502' }]);
      const orphan = await send('POST', 'checks', {
        name: 'c',
        type: 'http',
        canary_id: '99999999-9999-9999-9999-999999999999',
      });
      expect([orphan.status, orphan.json]).toMatchObject([409, { code: '23503' }]);
      const unknown = await send('POST', 'properties', { nope: 1 });
      expect([unknown.status, unknown.json]).toMatchObject([400, { code: 'PGRST204' }]);
      expect((await send('POST', 'properties', '{"name":')).json).toMatchObject({ code: 'PGRST102' });
      expect((await send('POST', 'properties', [{ name: 'k' }, { value: 'v' }])).json).toMatchObject({
        code: 'PGRST102',
      });
      expect(written).toEqual([]);
    });

    test('duplicates are merged or ignored when asked', async () => {
      await send('POST', 'properties', { name: 'dup', value: 'old' });
      const ignored = await send(
        'POST',
        'properties',
        { name: 'dup', value: 'new' },
        { prefer: 'resolution=ignore-duplicates,return=representation' },
      );
      expect([ignored.status, ignored.json]).toEqual([201, []]);
      const merged = await send(
        'POST',
        'properties?select=value&on_conflict=name',
        { name: 'dup', value: 'new' },
        {
          prefer: 'resolution=merge-duplicates, return=representation',
        },
      );
      expect(merged.json).toEqual([{ value: 'new' }]);
      const wrong = await send(
        'POST',
        'properties?on_conflict=value',
        { name: 'dup', value: 'x' },
        { prefer: 'resolution=merge-duplicates' },
      );
      expect(wrong.status).toBe(400);
    });

    test('without a wish for the rows there is no body', async () => {
      const answer = await send(
        'POST',
        'properties',
        { name: 'quiet', value: '1' },
        { prefer: 'return=minimal' },
      );
      expect([answer.status, answer.json]).toEqual([201, '']);
    });
  });

  describe('update and delete', () => {
    test('only the rows that the filter names change', async () => {
      await send('POST', 'properties', [
        { name: 'u1', value: '1' },
        { name: 'u2', value: '1' },
      ]);
      const changed = await send('PATCH', 'properties?name=eq.u1&select=name,value', { value: '2' });
      expect([changed.status, changed.json]).toEqual([200, [{ name: 'u1', value: '2' }]]);
      expect(await db.text("select value from properties where name = 'u2'")).toBe('1');
      const gone = await send('DELETE', 'properties?name=in.(u1,u2)&select=name&order=name');
      expect([gone.status, gone.json]).toEqual([200, [{ name: 'u1' }, { name: 'u2' }]]);
      expect(written).toEqual(['properties', 'properties', 'properties']);
    });

    test('what matches nothing is no error and no news', async () => {
      expect(await send('PATCH', 'properties?name=eq.none', { value: '1' })).toMatchObject({
        status: 200,
        json: [],
      });
      expect(await send('DELETE', 'properties?name=eq.none', undefined, { prefer: '' })).toMatchObject({
        status: 204,
        json: '',
      });
      expect(written).toEqual([]);
    });

    test('everything at once is refused', async () => {
      for (const path of [
        'properties',
        'properties?',
        'properties?nonsense=1',
        'properties?select=name',
        'properties?checks.name=foo',
      ]) {
        expect(await send('DELETE', path)).toMatchObject({ status: 400, json: { code: '21000' } });
        expect(await send('PATCH', path, { value: 'x' })).toMatchObject({ status: 400 });
      }
      expect(await send('DELETE', 'properties?name=neq.x&limit=1')).toMatchObject({ status: 400 });
    });

    test('a single object that is not single is rolled back', async () => {
      await send('POST', 'properties', [
        { name: 's1', value: '1' },
        { name: 's2', value: '1' },
      ]);
      const accept = 'application/vnd.pgrst.object+json';
      expect((await send('DELETE', 'properties?name=like.s*', undefined, { accept })).status).toBe(406);
      expect(await db.text("select count(*)::text from properties where name like 's_'")).toBe('2');
    });

    test('setting deleted_at of a canary takes its checks along', async () => {
      const id = '11111111-1111-1111-1111-222222222222';
      await send('PATCH', `canaries?id=eq.${id}`, { deleted_at: '2024-06-01T00:00:00Z' });
      const rows = await db.rows(
        z.custom<{ deleted_at: string | null }>(),
        'select deleted_at from checks where canary_id = $1',
        [id],
      );
      expect(rows).toEqual([
        { deleted_at: '2024-06-01T00:00:00+00:00' },
        { deleted_at: '2024-06-01T00:00:00+00:00' },
      ]);
    });
  });

  describe('who may', () => {
    test('a viewer reads but does not write, and is told what was refused', async () => {
      expect((await send('GET', 'checks?select=name&limit=1', undefined, { roles: [] })).status).toBe(200);
      const refused = await send('POST', 'properties', { name: 'v', value: '1' }, { roles: ['viewer'] });
      expect([refused.status, refused.json]).toEqual([403, 'unauthorized. Access Denied']);
      expect(refused.headers).toMatchObject({
        'x-rbac-subject': sender,
        'x-rbac-object': 'database.system',
        'x-rbac-action': 'create',
      });
      expect((await send('DELETE', 'canaries?id=neq.x', undefined, { roles: ['responder'] })).status).toBe(
        403,
      );
    });

    test('roles are for admins, people are changed by admins', async () => {
      expect((await send('GET', 'casbin_rule', undefined, { roles: ['editor'] })).status).toBe(403);
      expect((await send('GET', 'casbin_rule')).status).toBe(200);
      expect((await send('PATCH', 'people?name=eq.x', { name: 'y' }, { roles: ['editor'] })).status).toBe(
        403,
      );
      expect((await send('PATCH', 'people?name=eq.x', { name: 'y' })).status).toBe(200);
    });

    test('a table outside the map does not exist, nor does a view take writes', async () => {
      expect(await send('GET', 'schema_migrations')).toMatchObject({ status: 404, json: '' });
      expect(await send('GET', 'pg_class')).toMatchObject({ status: 404, json: '' });
      expect((await send('GET', 'canary_names')).status).toBe(404);
      expect((await send('POST', 'check_summary', { id: 1 })).status).toBe(405);
    });
  });
});
