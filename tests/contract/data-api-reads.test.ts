import { beforeAll, describe, expect, test } from 'vitest';
import type { DataApi } from '../../server/replication/data-api/data-api.ts';
import { forEachDatabase } from '../../server/platform/db/test-databases.ts';
import { getFrom, openDataApi } from './data-api-estate.ts';
import type { Get } from './data-api-estate.ts';

const CANARY = '11111111-1111-1111-1111-111111111111';
const CHECK = (n: number) => `22222222-2222-2222-2222-00000000000${n}`;

forEachDatabase((_name, open) => {
  let api: DataApi;
  let get: Get;
  beforeAll(async () => {
    const db = await open();
    ({ api } = await openDataApi(db));
    await db.run(
      `insert into config_items (config_class, type, name, external_id, parent_id)
       values ('Pod', 'Kubernetes::Pod', 'child', '{jira-70,x-1}', '44444444-4444-4444-4444-444444444444')`,
    );
    await db.run(
      `insert into teams (name, icon, created_by) select '=HYPERLINK("x")', '@icon', id from people limit 1`,
    );
    get = getFrom(api);
  });
  const names = async (search: string) =>
    (await get<{ name: string }[]>('checks', `${search}&select=name&order=name`)).json.map((row) => row.name);

  describe('filters', () => {
    test.each([
      ['status=eq.healthy', ['api', 'db']],
      ['status=neq.healthy', ['dns']],
      ['status=is.null', ['disk']],
      ['status=not.is.null', ['api', 'db', 'dns']],
      ['name=in.(api,dns,nothing)', ['api', 'dns']],
      ['name=in.("api","d,b")', ['api']],
      ['name=in.()', []],
      ['name=not.in.("api","db")', ['disk', 'dns']],
      ['name=like.d*', ['db', 'disk', 'dns']],
      ['name=ilike.*D*S*', ['disk', 'dns']],
      ['name=gt.db&name=lte.dns', ['disk', 'dns']],
      ['or=(name.eq.api,name.eq.db)', ['api', 'db']],
      ['or=(name.eq.api,and(type.eq.dns,status.not.eq.healthy))', ['api', 'dns']],
      ['not.or=(name.eq.api,name.like.d*s)', ['db', 'disk']],
      ['and=(name.gte.api,name.lt.disk)', ['api', 'db']],
      [`and=( id.eq.${CHECK(1)} , status.in. ( healthy ) )`, ['api']],
      ['or=( name.eq.api , and ( type.eq.dns , status.not.eq.healthy ) )', ['api', 'dns']],
      ['or=(name.ilike.*AP*,type.in.(sql,"dns"))', ['api', 'db', 'dns']],
      ['labels->>app=eq.shop', ['api', 'db']],
      ['labels->>app.kubernetes.io/name=eq.front', ['api']],
      ['or=(and(labels->>app.eq.shop,labels->>tier.neq.data))', ['api']],
      ['spec->http->0->>url=ilike.*shop*', ['api']],
      ['labels->n=eq.1', ['api']],
      ['?&status=eq.healthy&&', ['api', 'db']],
      ['nonsense=1&status=eq.healthy&foo.bar=baz', ['api', 'db']],
      ['name.filter=a*', ['api']],
      ['name.filter=api,dns', ['api', 'dns']],
      ['name.filter=!api,d*', ['db', 'disk', 'dns']],
      ['name.filter=%22', []],
      ['last_runtime.filter=>now-1h', ['api']],
      ['last_runtime.filter=now-1h', ['db', 'dns']],
    ])('%s', async (search, expected) => {
      expect(await names(search)).toEqual(expected);
    });

    test('a list of texts matches a pattern by one of them', async () => {
      const found = async (search: string) =>
        (await get<{ name: string }[]>('config_items', `${search}&select=name&order=name`)).json.map(
          (row) => row.name,
        );
      expect(await found('external_id=ilike.*JIRA-7*')).toEqual(['child']);
      expect(await found('or=(name.ilike.*nothing*,external_id.ilike.*jira*)')).toEqual(['child']);
      expect(await found('external_id=match.^x-')).toEqual(['child']);
      expect(await found('external_id=not.like.*')).toEqual(['shop-pod']);
    });

    test('booleans are asked for as 1 and 0, too', async () => {
      const passes = await get('check_statuses', `check_id=eq.${CHECK(1)}&status=eq.1&select=duration`);
      expect(passes.json).toEqual([{ duration: 120 }]);
      const fails = await get(
        'check_statuses',
        `check_id=eq.${CHECK(1)}&status=eq.0&duration=gte.500&select=duration`,
      );
      expect(fails.json).toEqual([{ duration: 900 }]);
    });
  });

  describe('select', () => {
    test('the drawer of a check gets its canary, agent, components and configs', async () => {
      const select =
        'select=*,canaries!checks_canary_id_fkey(id,name,source),agents!checks_agent_id_fkey(id, name),' +
        'components:check_component_relationships(components(id,name,icon)),configs:check_config_relationships(configs(id,name,type)))';
      const { json, status } = await get<Record<string, unknown>[]>('checks', `id=eq.${CHECK(1)}&${select}`);
      expect(status).toBe(200);
      expect(json[0]).toMatchObject({
        name: 'api',
        labels: { app: 'shop' },
        canaries: { id: CANARY, name: 'shop', source: 'UI' },
        agents: { name: 'local' },
        components: [{ components: { name: 'Shop', icon: 'cart' } }],
        configs: [{ configs: { name: 'shop-pod', type: 'Kubernetes::Pod' } }],
      });
    });

    test('an embed by column replaces the id, with an alias it stands beside it', async () => {
      const { json } = await get('canaries', `id=eq.${CANARY}&select=*,created_by(name)`);
      expect(json).toMatchObject([{ created_by: { name: 'System' }, name: 'shop' }]);
      const aliased = await get('canaries', `id=eq.${CANARY}&select=created_by,creator:created_by(name)`);
      expect(aliased.json).toMatchObject([{ creator: { name: 'System' } }]);
      expect(typeof (aliased.json as { created_by: string }[])[0]?.created_by).toBe('string');
    });

    test('a view is embedded and embeds like its table', async () => {
      const { json } = await get('canaries_with_status', 'select=name,created_by(name)&name=eq.shop');
      expect(json).toEqual([{ name: 'shop', created_by: { name: 'System' } }]);
      const summary = await get('check_summary', 'select=name,canaries(name)&name=eq.dns');
      expect(summary.json).toEqual([{ name: 'dns', canaries: { name: 'net' } }]);
    });

    test('many-to-many goes through the join table', async () => {
      const { json } = await get('checks', `id=eq.${CHECK(1)}&select=name,components(name)`);
      expect(json).toEqual([{ name: 'api', components: [{ name: 'Shop' }] }]);
    });

    test('casts, JSON paths and aliases', async () => {
      const { json } = await get(
        'checks',
        `id=eq.${CHECK(1)}&select=n:name,labels->>app,url:spec->http->0->>url,t:created_at::date`,
      );
      expect(json).toEqual([{ n: 'api', app: 'shop', url: 'https://shop.example', t: '2024-01-01' }]);
    });

    test('filters, order and limit apply inside embeds', async () => {
      const { json } = await get(
        'canaries',
        'select=name,checks(name)&checks.status=eq.healthy&checks.order=name.desc&checks.limit=1&order=name',
      );
      expect(json).toEqual([
        { name: 'net', checks: [] },
        { name: 'shop', checks: [{ name: 'db' }] },
      ]);
    });

    test('inner embeds restrict the rows and their count', async () => {
      const { json, headers } = await get('canaries', 'select=name,checks!inner(name)&checks.name=eq.dns', {
        prefer: 'count=exact',
      });
      expect(json).toEqual([{ name: 'net', checks: [{ name: 'dns' }] }]);
      expect(headers['content-range']).toBe('0-0/1');
    });
  });

  describe('order and pages', () => {
    test('nulls go where they are sent, embedded columns order', async () => {
      const order = async (text: string) =>
        (await get<{ name: string }[]>('checks', `select=name,canaries(name)&order=${text}`)).json.map(
          (row) => row.name,
        );
      expect(await order('status.desc.nullslast,name')).toEqual(['dns', 'api', 'db', 'disk']);
      expect(await order('status.nullsfirst,name.desc')).toEqual(['disk', 'db', 'api', 'dns']);
      expect(await order('canaries(name).desc,name')).toEqual(['api', 'db', 'disk', 'dns']);
      expect(await order('labels->>tier.asc.nullslast,name.desc')).toEqual(['db', 'api', 'dns', 'disk']);
    });

    test('a page says which rows of how many it holds', async () => {
      const page = await get<unknown[]>('checks', 'select=name&order=name&limit=2&offset=1', {
        prefer: 'count=exact',
      });
      expect([page.status, page.headers['content-range'], page.json]).toEqual([
        206,
        '1-2/4',
        [{ name: 'db' }, { name: 'disk' }],
      ]);
      const whole = await get('checks', 'select=name', { prefer: 'count=estimated' });
      expect([whole.status, whole.headers['content-range']]).toEqual([200, '0-3/4']);
      const uncounted = await get('checks', 'select=name&limit=1');
      expect([uncounted.status, uncounted.headers['content-range']]).toEqual([200, '0-0/*']);
      const beyond = await get('checks', 'select=name&offset=9', { prefer: 'count=exact' });
      expect([beyond.status, beyond.json]).toMatchObject([416, { code: 'PGRST103' }]);
      const none = await get('checks', 'name=eq.none', { prefer: 'count=exact' });
      expect([none.status, none.headers['content-range'], none.json]).toEqual([200, '*/0', []]);
    });

    test('the header Range pages as well', async () => {
      const { json, headers } = await get('checks', 'select=name&order=name', {
        range: '1-2',
        prefer: 'count=exact',
      });
      expect([json, headers['content-range']]).toEqual([[{ name: 'db' }, { name: 'disk' }], '1-2/4']);
    });

    test('of select and order given twice the first counts', async () => {
      const { json } = await get('checks', 'select=name&select=type&order=name.desc&order=name&limit=1');
      expect(json).toEqual([{ name: 'dns' }]);
    });

    test('HEAD has the headers alone', async () => {
      const answer = await api.handle({
        method: 'HEAD',
        target: { kind: 'table', name: 'checks' },
        search: '',
        headers: { prefer: 'count=exact' },
        roles: [],
      });
      expect([answer.status, answer.headers['content-range'], answer.body]).toEqual([200, '0-3/4', '']);
    });

    test('a single object is one row or a refusal', async () => {
      const accept = 'application/vnd.pgrst.object+json';
      expect((await get('checks', 'name=eq.api&select=name', { accept })).json).toEqual({ name: 'api' });
      expect(await get('checks', 'select=name', { accept })).toMatchObject({
        status: 406,
        json: { code: 'PGRST116' },
      });
    });
  });

  describe('functions', () => {
    const rpc = async (method: string, name: string, search: string, body?: string) => {
      const answer = await api.handle({
        method,
        target: { kind: 'rpc', name },
        search,
        headers: {},
        body,
        roles: ['admin'],
      });
      return { status: answer.status, json: JSON.parse(answer.body || 'null') as unknown };
    };

    test('arguments by GET, other parameters filter the rows', async () => {
      const component = '33333333-3333-3333-3333-333333333333';
      const all = await rpc(
        'GET',
        'check_summary_for_component',
        `id=${component}&select=name,canaries(name)`,
      );
      expect(all).toEqual({ status: 200, json: [{ name: 'api', canaries: { name: 'shop' } }] });
      const none = await rpc('GET', 'check_summary_for_component', `id=${component}&name=eq.db`);
      expect(none.json).toEqual([]);
      const posted = await rpc(
        'POST',
        'check_summary_for_component',
        'select=name',
        JSON.stringify({ id: component }),
      );
      expect(posted.json).toEqual([{ name: 'api' }]);
    });

    test('a plain value comes bare', async () => {
      const ulid = await rpc('GET', 'uuid_to_ulid', 'id=01234567-89ab-cdef-0123-456789abcdef');
      expect(ulid).toEqual({ status: 200, json: '014D2PF2DBSQQG28T5CY4TQKFF' });
    });

    test('wrong arguments and unlisted functions are not found', async () => {
      expect(await rpc('GET', 'uuid_to_ulid', '')).toMatchObject({ status: 404, json: { code: 'PGRST202' } });
      expect(await rpc('POST', 'uuid_to_ulid', '', '{"id":"x","more":1}')).toMatchObject({ status: 404 });
      expect(await rpc('GET', 'generate_ulid', '')).toEqual({ status: 404, json: null });
    });
  });

  describe('a table that refers to itself', () => {
    test('embeds the children by its name and the parent by the column', async () => {
      const children = await get(
        'config_items',
        'name=eq.shop-pod&select=name,all:config_items(name),children:config_items!parent_id(name)',
      );
      expect(children.json).toEqual([
        { name: 'shop-pod', all: [{ name: 'child' }], children: [{ name: 'child' }] },
      ]);
      const parent = await get('config_items', 'name=eq.child&select=name,parent_id(name)');
      expect(parent.json).toEqual([{ name: 'child', parent_id: { name: 'shop-pod' } }]);
    });
  });

  test('no cell of a CSV is a formula', async () => {
    const answer = await api.handle({
      method: 'GET',
      target: { kind: 'table', name: 'teams' },
      search: 'select=name,icon',
      headers: { accept: 'text/csv' },
      roles: ['admin'],
    });
    expect(answer.body).toBe(`name,icon\n"'=HYPERLINK(""x"")",'@icon`);
  });
});
