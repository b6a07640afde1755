/** http, sql and postgres against a real server and a real PostgreSQL, through the real guard. */
import { createServer } from 'node:http';
import type { IncomingMessage, Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPostgresDatabase } from '../../../platform/db/postgres-database.ts';
import { createPostgresDatabase } from '../../../platform/db/test-databases.ts';
import { createEgressGuard } from '../../../platform/egress/egress-guard.ts';
import { createServerGuard } from '../../../platform/egress/server-guard.ts';
import { createLogger } from '../../../platform/logger.ts';
import type { ScrapeConnection, ScrapeContext } from '../specs/scraped.ts';
import { scrapeSetting } from '../testing/scrape-setting.ts';
import { fileKind } from './file/file-kind.ts';
import { httpKind } from './http/http-kind.ts';
import { postgresKind } from './postgres/postgres-kind.ts';
import { sqlKind } from './sql/sql-kind.ts';

/** The guard of a server whose operator allows this machine. */
const guard = createServerGuard({
  egressAllow: ['127.0.0.1', 'localhost'],
  egressDeny: [],
  databaseUrl: null,
});
const setting = scrapeSetting({
  guard,
  secret: async (value) =>
    String(typeof value === 'object' && value !== null && 'value' in value ? value.value : value),
});
afterAll(() => setting.expressions.close());

const contents = (output: { documents: readonly { content: unknown }[] }) =>
  output.documents.map(({ content }) => content);

describe('http', () => {
  let server: Server;
  let base: string;
  const seen: { url: string; headers: IncomingMessage['headers']; body: string }[] = [];

  beforeAll(async () => {
    server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { url = '', headers } = request;
        seen.push({ url, headers, body: Buffer.concat(chunks).toString() });
        if (url === '/token') response.end('{"access_token": "t0ken"}');
        else if (url === '/yaml')
          response.setHeader('content-type', 'application/yaml').end('a: 1\n---\nb: 2\n');
        else if (url === '/broken') response.end('{"a":');
        else if (url === '/missing') response.writeHead(404).end();
        else if (url === '/away') response.writeHead(302, { location: 'http://169.254.169.254/' }).end();
        else response.end('[{"id": 1}, {"id": 2}]');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    base = typeof address === 'object' && address !== null ? `http://127.0.0.1:${address.port}` : '';
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  test('reads JSON and YAML by what the answer says', async () => {
    const json = await httpKind.scrape({ url: `${base}/list?key=hush` }, setting);
    expect(contents(json)).toEqual([[{ id: 1 }, { id: 2 }]]);
    expect(json.documents[0]?.source).toBe(`${base}/list`);
    expect(contents(await httpKind.scrape({ url: `${base}/yaml` }, setting))).toEqual([{ a: 1 }, { b: 2 }]);
  });

  test('sends method, headers, body and sign-in, filled in from env', async () => {
    const env = [{ name: 'who', value: 'a b' }];
    await httpKind.scrape(
      {
        url: `${base}/$(who)`,
        method: 'post',
        body: 'hi $(who)',
        headers: { 'X-Key': 'k' },
        env,
        username: 'me',
        password: 'pw',
      },
      setting,
    );
    expect(seen.at(-1)).toMatchObject({
      url: '/a%20b',
      body: 'hi a b',
      headers: { 'x-key': 'k', authorization: `Basic ${Buffer.from('me:pw').toString('base64')}` },
    });
    await httpKind.scrape({ url: `${base}/x`, bearer: 'b' }, setting);
    expect(seen.at(-1)?.headers.authorization).toBe('Bearer b');
    const oauth = { clientID: 'id', clientSecret: 'secret', tokenURL: `${base}/token`, scope: ['a'] };
    await httpKind.scrape({ url: `${base}/x`, oauth }, setting);
    expect(seen.at(-1)?.headers.authorization).toBe('Bearer t0ken');
  });

  test('takes address and sign-in of a connection', async () => {
    const connection: ScrapeConnection = {
      type: 'http',
      url: `${base}/connected`,
      username: 'me',
      password: 'pw',
      certificate: '',
      insecureTls: false,
      properties: {},
    };
    await httpKind.scrape(
      { connection: 'connection://a/b' },
      { ...setting, connection: async () => connection },
    );
    expect(seen.at(-1)).toMatchObject({
      url: '/connected',
      headers: { authorization: expect.stringMatching(/^Basic/) },
    });
    await expect(httpKind.scrape({ connection: 'connection://a/b' }, setting)).rejects.toThrow(
      'connection: connection://a/b was not found',
    );
  });

  test.each([
    ['/broken', /is not json/],
    ['/missing', /answered 404/],
    ['/away', /169\.254\.169\.254/],
  ])('%s is told, and a redirect is judged anew', async (path, reason) => {
    await expect(httpKind.scrape({ url: base + path }, setting)).rejects.toThrow(reason);
  });

  test('a file of an URL is fetched', async () => {
    expect(contents(await fileKind.scrape({ url: `${base}/yaml`, format: 'yaml' }, setting))).toEqual([
      { a: 1 },
      { b: 2 },
    ]);
  });

  test('what the operator did not allow is not called', async () => {
    const closed = createEgressGuard({
      allow: [],
      deny: [],
      resolve: async () => [{ address: '127.0.0.1', family: 4 }],
      ownNetworks: () => [],
      ownDatabase: null,
    });
    const before = seen.length;
    const url = base.replace('127.0.0.1', 'rebound.example.com');
    const context: ScrapeContext = { ...setting, guard: closed, trust: 'user' };
    await expect(httpKind.scrape({ url }, context)).rejects.toThrow(/127\.0\.0\.1|not allowed|refused/);
    expect(seen).toHaveLength(before);
  });
});

describe('sql', () => {
  let url: URL;
  const query = (text: string, more: object = {}) =>
    sqlKind.scrape({ connection: url.href, query: text, ...more }, setting);

  beforeAll(async () => {
    url = new URL(await createPostgresDatabase());
  });

  test('each row is a document, its values as JSON has them', async () => {
    const output = await query(
      `select 1 as id, '{"a": [1]}'::jsonb as data, '2026-01-02T03:04:05Z'::timestamptz as at, '\\x6869'::bytea as raw;`,
    );
    expect(contents(output)).toEqual([
      { id: 1, data: { a: [1] }, at: '2026-01-02T03:04:05.000Z', raw: 'aGk=' },
    ]);
    expect(output.documents[0]?.source).toBe(`${url.hostname}:${url.port}${url.pathname}`);
  });

  test('sign-in is filled into the address', async () => {
    const connection = url.href.replace(/\/\/[^@]*@/, '//$(username):$(password)@');
    const auth = { username: decodeURIComponent(url.username), password: decodeURIComponent(url.password) };
    expect(contents(await query('select current_user::text as who', { connection, auth }))).toEqual([
      { who: auth.username },
    ]);
  });

  test.each([
    ['create table stolen (id int)', /syntax error/],
    ["select set_config('transaction_read_only', 'off', false)", /transaction/],
    ['select 1; commit; create table stolen (id int)', /multiple commands/],
    ['with gone as (delete from pg_class returning 1) select * from gone', /./],
    ['select lo_create(0)', /read-only/],
  ])('%s changes nothing', async (text, reason) => {
    await expect(query(text)).rejects.toThrow(reason);
    expect(
      contents(await query("select count(*)::int as n from pg_tables where tablename = 'stolen'")),
    ).toEqual([{ n: 0 }]);
  });

  test('a table that is too large is cut and told', async () => {
    const output = await query('select generate_series(1, 20000) as n');
    expect(output.documents).toHaveLength(10_000);
    expect(output).toMatchObject({
      isComplete: false,
      errors: [expect.stringMatching(/more than 10000 rows/)],
    });
  });

  test('a run that is stopped ends its query', async () => {
    const stopping = new AbortController();
    const running = sqlKind.scrape(
      { connection: url.href, query: 'select pg_sleep(60)' },
      { ...setting, signal: stopping.signal },
    );
    setTimeout(() => stopping.abort(), 500);
    await expect(running).rejects.toThrow();
  });

  test.each([
    [{ driver: 'oracle' }, /^driver: oracle is not run by this server; postgres, mysql and sqlserver are/],
    [{ connection: 'connection://a/b' }, /^connection: connection:\/\/a\/b was not found/],
  ])('%o is refused by field', async (more, reason) => {
    await expect(query('select 1', more)).rejects.toThrow(reason);
  });
});

describe('postgres', () => {
  const connection = async () => {
    const url = await createPostgresDatabase();
    const db = await openPostgresDatabase({ url, logger: createLogger('fatal') });
    await db.script(`create schema shop;
      create table shop.orders (id int primary key, total numeric not null);
      create view shop.totals as select sum(total) from shop.orders`);
    await db.close();
    return url;
  };
  const named = (output: Awaited<ReturnType<typeof postgresKind.scrape>>, type: string) =>
    output.documents.filter(({ known }) => known?.type === `Postgres::${type}`);

  test('a database, its schemas and its tables, each in its place', async () => {
    const url = await connection();
    const found = await postgresKind.scrape({ connection: url }, setting);
    expect(found.errors).toEqual([]);
    const [database] = named(found, 'Database');
    expect(database?.known).toMatchObject({ name: new URL(url).pathname.slice(1), health: 'healthy' });
    expect(named(found, 'Schema').map(({ known }) => known?.name)).toEqual(['shop']);
    const [orders, totals] = named(found, 'Table');
    expect([orders?.known?.name, totals?.known?.name]).toEqual(['shop.orders', 'shop.totals']);
    expect(orders?.content).toMatchObject({
      kind: 'table',
      columns: [
        { name: 'id', type: 'integer', required: true },
        { name: 'total', type: 'numeric', required: true },
      ],
      indexes: [expect.stringContaining('orders_pkey')],
    });
    expect(orders?.known?.parents).toHaveLength(2);
    expect(totals?.content).toMatchObject({ kind: 'view' });
    // Who may do what only where the scraper is told to.
    expect(orders?.content).not.toHaveProperty('grants');
    expect(named(found, 'Role')).toEqual([]);
    expect(JSON.stringify(found)).not.toContain(decodeURIComponent(new URL(url).password));
  });

  test('with permissions its roles, without their passwords', async () => {
    const url = await connection();
    const found = await postgresKind.scrape({ connection: url, permissions: true }, setting);
    const owner = named(found, 'Role').find(({ known }) => known?.name === new URL(url).username);
    expect(owner?.content).toMatchObject({ signs_in: true });
    expect(owner?.content).not.toHaveProperty('password');
    expect(named(found, 'Table')[0]?.content).toHaveProperty('grants');
  });
});
