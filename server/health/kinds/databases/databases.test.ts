/** Checks of databases: a real PostgreSQL and MariaDB, the real clients of Redis and MongoDB over servers of their protocol. */
import { createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseUrl } from '../../../connections/database-address.ts';
import type { Dialect } from '../../../connections/database-address.ts';
import { createPostgresDatabase } from '../../../platform/db/test-databases.ts';
import { startMariaDb } from '../../../playbooks/actions/testing/mariadb.ts';
import type { MariaDb } from '../../../playbooks/actions/testing/mariadb.ts';
import { startTdsServer } from '../../../playbooks/actions/testing/tds-server.ts';
import type { TdsServer } from '../../../playbooks/actions/testing/tds-server.ts';
import { createEgressGuard } from '../../../platform/egress/egress-guard.ts';
import { kindSetting } from '../../testing/kind-setting.ts';
import { startTestMongo } from '../../testing/mongo-server.ts';
import type { TestMongo } from '../../testing/mongo-server.ts';
import { startTestRedis } from '../../testing/redis-server.ts';
import type { TestRedis } from '../../testing/redis-server.ts';
import { makeTestCertificate } from '../../testing/test-certificate.ts';
import type { TestCertificate } from '../../testing/test-certificate.ts';
import { runKind } from '../../testing/run-kind.ts';
import { SAYS, triedConnection } from '../../testing/try-connection.ts';

let postgres: string;
let mariadb: MariaDb;
let silent: Server;
let silentPort: number;
beforeAll(async () => {
  postgres = await createPostgresDatabase();
  mariadb = await startMariaDb();
  silent = createServer((socket) => socket.on('error', () => socket.destroy()));
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  silentPort = (silent.address() as AddressInfo).port;
});
afterAll(async () => {
  await mariadb.close();
  silent.close();
});

describe.each<['postgres' | 'mysql', () => string]>([
  ['postgres', () => postgres],
  ['mysql', () => mariadb.url],
])('%s', (kind, url) => {
  test('passes with its rows, and fails with fewer than wanted', async () => {
    const spec = { url: url(), query: 'select 1 as one union select 2 as one order by one;', results: 2 };
    expect(await runKind(kind, spec)).toMatchObject({
      pass: true,
      data: { results: { count: 2, rows: [{ one: 1 }, { one: 2 }] } },
    });
    expect(await runKind(kind, { ...spec, results: 3 })).toMatchObject({
      pass: false,
      invalid: false,
      error: '2 rows, at least 3 wanted',
    });
    expect(await runKind(kind, { url: url() })).toMatchObject({ pass: true });
  });

  test('signs in with what stands beside the address', async () => {
    const at = new URL(url());
    const { username, password } = at;
    at.username = at.password = '';
    const signIn = { username: decodeURIComponent(username), password: decodeURIComponent(password) };
    expect(await runKind(kind, { url: at.href, ...signIn })).toMatchObject({ pass: true });
    const filled = at.href.replace('://', '://$(username):$(password)@');
    expect(await runKind(kind, { url: filled, ...signIn })).toMatchObject({ pass: true });
  });

  test('a statement that would change rows has failed', async () => {
    // A table is no row, and making one ends a transaction of MySQL that can only read.
    for (const query of [
      'create table t (a int)',
      '/*! create table t (a int) */',
      'insert into t values (1)',
    ]) {
      const result = await runKind(kind, { url: url(), query });
      expect(result).toMatchObject({ pass: false, error: expect.stringMatching(/must read only|syntax/i) });
    }
    const rest = await runKind(kind, { url: url(), query: 'select * from t' });
    expect(rest).toMatchObject({ pass: false, error: expect.stringMatching(/exist/) });
  });

  test('a place that may not be called is not asked', async () => {
    const guard = createEgressGuard({
      allow: [],
      deny: ['127.0.0.0/8'],
      resolve: async () => [],
      ownNetworks: () => [],
      ownDatabase: null,
    });
    expect((await runKind(kind, { url: url() }, kindSetting({ guard }))).notRun).toContain('EGRESS_DENY');
  });
});

describe('mssql', () => {
  let sqlServer: TdsServer;
  beforeAll(async () => {
    sqlServer = await startTdsServer();
  });
  afterAll(() => sqlServer.close());

  test('passes with its rows, and fails with fewer than wanted, a wrong statement or a wrong password', async () => {
    const spec = { url: sqlServer.url, query: 'select 1 as one;', results: 1 };
    expect(await runKind('mssql', spec)).toMatchObject({
      pass: true,
      data: { results: { count: 1, rows: [{ statement: 'select 1 as one' }] } },
    });
    expect(await runKind('mssql', { ...spec, results: 2 })).toMatchObject({
      pass: false,
      invalid: false,
      error: '1 rows, at least 2 wanted',
    });
    expect(await runKind('mssql', { ...spec, query: 'select * from nowhere' })).toMatchObject({
      pass: false,
      error: expect.stringContaining("Invalid object name 'nowhere'"),
    });
    const url = sqlServer.url.replace(/:[^:@]*@/, ':wrong@');
    expect(await runKind('mssql', { ...spec, url })).toMatchObject({
      pass: false,
      invalid: false,
      error: expect.stringContaining('Login failed'),
    });
  });

  test('signs in with what stands beside the address, by either name', async () => {
    const at = new URL(sqlServer.url);
    const signIn = {
      username: { value: decodeURIComponent(at.username) },
      password: { value: decodeURIComponent(at.password) },
    };
    at.username = at.password = '';
    expect(await runKind('mssql', { url: at.href, ...signIn })).toMatchObject({ pass: true });
    expect(await runKind('mssql', { url: at.href, authentication: signIn })).toMatchObject({ pass: true });
  });
});

test('postgres: rows that are not read are said', async () => {
  const query = 'select generate_series(1, 30000)';
  const found = await runKind('postgres', { url: postgres, query });
  expect(found).toMatchObject({ pass: true, message: expect.stringMatching(/^only the first \d+ rows/) });
  expect(await runKind('postgres', { url: postgres, query, results: 30_000 })).toMatchObject({
    pass: false,
    error: expect.stringContaining(': only the first'),
  });
});

test.each(['postgres', 'mysql', 'mssql', 'redis', 'mongodb'])(
  '%s: a server that says nothing has failed in time',
  async (kind) => {
    const scheme = kind === 'mssql' ? 'sqlserver' : kind;
    const spec = { url: `${scheme}://u:p@127.0.0.1:${silentPort}/0`, timeout: '300ms' };
    const result = await runKind(kind, spec);
    expect(result).toMatchObject({ pass: false, invalid: false });
    expect(result.durationMs).toBeLessThan(5000);
  },
);

test.each(['postgres', 'mysql', 'mssql', 'redis', 'mongodb'])(
  '%s: nobody who listens has failed',
  async (kind) => {
    const scheme = kind === 'mssql' ? 'sqlserver' : kind;
    const result = await runKind(kind, { url: `${scheme}://127.0.0.1:1/0`, timeout: '3s' });
    expect(result).toMatchObject({
      pass: false,
      invalid: false,
      error: expect.stringMatching(/ECONNREFUSED|connect/i),
    });
  },
);

describe('addresses of databases', () => {
  const signIn = { username: 'u', password: 'p w', bearer: '', tls: {}, properties: {} };
  const common = { host: 'h', username: 'u', password: 'p w', database: 'd' };
  test.each<[Dialect, string, object]>([
    ['postgres', 'postgres://u:p%20w@h/d?sslmode=require', { ...common, port: 5432, sslMode: 'require' }],
    [
      'postgres',
      "host=h user=u password='p w' dbname=d sslmode=verify-full",
      { ...common, port: 5432, sslMode: 'verify-full' },
    ],
    ['mysql', 'mysql://u:p%20w@tcp(h:3307)/d', { ...common, port: 3307 }],
    ['mysql', 'u:p%20w@tcp(h:3307)/d', { ...common, port: 3307 }],
    [
      'mssql',
      'server=h;user id=u;password=p w;port=1434;database=d;TrustServerCertificate=True',
      { ...common, port: 1434, sslMode: 'require' },
    ],
    [
      'mssql',
      'Server=tcp:h,1435;Initial Catalog=d;Encrypt=disable',
      { ...common, port: 1435, sslMode: 'disable' },
    ],
    ['mssql', 'sqlserver://u:p%20w@h?database=d', { ...common, port: 1433 }],
  ])('%s: %s', (dialect, address, expected) => {
    expect(databaseUrl(dialect, { ...signIn, address })).toMatchObject(expected);
  });
  test.each<[Dialect, string]>([
    ['postgres', 'mysql://h/d'],
    ['mysql', 'http://h'],
    ['mssql', 'postgres://h'],
  ])('%s refuses %s', (dialect, address) =>
    expect(() => databaseUrl(dialect, { ...signIn, address })).toThrow(/^url: must be/),
  );
});

describe('redis', () => {
  let open: TestRedis;
  let locked: TestRedis;
  let secure: TestRedis;
  let odd: TestRedis;
  let certificate: TestCertificate;
  beforeAll(async () => {
    certificate = await makeTestCertificate(20);
    open = await startTestRedis();
    locked = await startTestRedis({ password: 'geheim' });
    secure = await startTestRedis({ tls: certificate });
    odd = await startTestRedis({ ping: '+MAYBE\r\n' });
  });
  afterAll(() => {
    for (const server of [open, locked, secure, odd]) server.stop();
  });

  test('passes when PING is answered, in the database that was named', async () => {
    expect(await runKind('redis', { addr: `127.0.0.1:${open.port}`, db: 3 })).toMatchObject({ pass: true });
    expect(open.heard).toContainEqual(['SELECT', '3']);
    expect(await runKind('redis', { url: `127.0.0.1:${odd.port}` })).toMatchObject({
      pass: false,
      error: 'PING was answered with MAYBE',
    });
  });
  test('signs in, and fails with a wrong password or none', async () => {
    const url = `redis://127.0.0.1:${locked.port}`;
    expect(await runKind('redis', { url, password: 'geheim' })).toMatchObject({ pass: true });
    expect(await runKind('redis', { url: url.replace('://', '://:geheim@') })).toMatchObject({ pass: true });
    expect(await runKind('redis', { url, password: 'other' })).toMatchObject({
      pass: false,
      error: expect.stringContaining('WRONGPASS'),
    });
    expect(await runKind('redis', { url })).toMatchObject({
      pass: false,
      error: expect.stringContaining('NOAUTH'),
    });
  });
  test('looks at the certificate', async () => {
    const url = `127.0.0.1:${secure.port}`;
    expect(await runKind('redis', { url, tlsConfig: { ca: certificate.ca } })).toMatchObject({ pass: true });
    expect(await runKind('redis', { url, tlsConfig: { insecureSkipVerify: true } })).toMatchObject({
      pass: true,
    });
    expect(await runKind('redis', { url: `rediss://${url}` })).toMatchObject({
      pass: false,
      error: expect.stringMatching(/certificate|self-signed|signature/),
    });
  });
});

describe('mongodb', () => {
  let primary: TestMongo;
  let second: TestMongo;
  beforeAll(async () => {
    primary = await startTestMongo({ user: { name: 'mongoadmin', password: 'secret' } });
    second = await startTestMongo({ isPrimary: false });
  });
  afterAll(() => {
    primary.stop();
    second.stop();
  });

  test('passes when the primary answers, and signs in', async () => {
    const url = `mongodb://$(username):$(password)@127.0.0.1:${primary.port}/?authSource=admin`;
    const signIn = { username: 'mongoadmin', password: 'secret' };
    // Without TLS, as that says.
    expect(await runKind('mongodb', { url, ...signIn, tlsConfig: { enable: false } })).toMatchObject({
      pass: true,
      error: null,
    });
    expect(await runKind('mongo', { url, username: 'mongoadmin', password: 'wrong' })).toMatchObject({
      pass: false,
      error: expect.stringMatching(/Authentication failed/),
    });
  });
  test('asks the servers one after the other until one is the primary', async () => {
    const signIn = { username: 'mongoadmin', password: 'secret' };
    const url = `mongodb://127.0.0.1:${second.port},127.0.0.1:${primary.port}/`;
    expect(await runKind('mongodb', { url: `mongodb://127.0.0.1:${second.port}` })).toMatchObject({
      pass: false,
      error: 'none of the servers is the primary',
    });
    // The second of them knows no users; its client is refused there, and the next is asked.
    expect(await runKind('mongodb', { url, ...signIn })).toMatchObject({ pass: true });
  });
  test('what is not looked up says so', async () => {
    expect((await runKind('mongodb', { url: 'mongodb+srv://x.example' })).notRun).toContain('mongodb+srv://');
    const connection = async () => ({
      type: 'mongodb',
      url: 'mongodb+srv://x.example',
      username: '',
      password: '',
      certificate: '',
      isInsecureTls: false,
      properties: {},
    });
    const byName = await runKind('mongodb', { connection: 'c' }, kindSetting({ connection }));
    expect(byName.notRun).toContain('mongodb+srv://');
  });
});

describe('the test of a connection', () => {
  const signIn = { username: 'mongoadmin', password: 'secret' };
  let locked: TestRedis;
  let store: TestMongo;
  beforeAll(async () => {
    locked = await startTestRedis({ password: 'secret' });
    store = await startTestMongo({ user: { name: 'mongoadmin', password: 'secret' } });
  });
  afterAll(() => {
    locked.stop();
    store.stop();
  });
  /** As the form writes it: the user and the password beside the address. */
  const row = (url: string) => {
    const at = new URL(url);
    const own = { username: decodeURIComponent(at.username), password: decodeURIComponent(at.password) };
    at.username = at.password = '';
    return { url: at.href, ...own };
  };
  const rows = (): Record<string, { url: string; username: string; password: string }> => ({
    postgres: row(postgres),
    mysql: row(mariadb.url),
    redis: { url: `redis://127.0.0.1:${locked.port}`, username: '', password: 'secret' },
    mongo: { url: `mongodb://127.0.0.1:${store.port}`, ...signIn },
  });

  test.each(['postgres', 'mysql', 'redis', 'mongo'])(
    '%s: in with the right password; a wrong one, nobody there and a place that is closed each say so',
    async (type) => {
      const right = rows()[type] ?? { url: '' };
      expect(await triedConnection(type, right)).toBeNull();
      // The PostgreSQL of tests takes whoever is named; nobody is a user that it has not.
      const wrong = type === 'postgres' ? { username: 'nobody' } : { password: 'not-the-right-one' };
      expect(await triedConnection(type, { ...right, ...wrong })).toMatch(SAYS.signIn);
      const absent = right.url.replace(/127\.0\.0\.1:\d+|localhost:\d+/, '127.0.0.1:1');
      expect(await triedConnection(type, { ...right, url: absent })).toMatch(SAYS.absent);
      expect(await triedConnection(type, { ...right, url: absent }, [])).toMatch(SAYS.closed);
    },
  );

  test('sql_server: nobody there and a place that is closed each say so', async () => {
    const url = 'sqlserver://127.0.0.1:1?database=d';
    expect(await triedConnection('sql_server', { url, ...signIn })).toMatch(SAYS.absent);
    expect(await triedConnection('sql_server', { url, ...signIn }, [])).toMatch(SAYS.closed);
  });

  test('redis: in the database that the connection names', async () => {
    const properties = { db: '3' };
    expect(await triedConnection('redis', { ...rows()['redis'], properties })).toBeNull();
    expect(locked.heard).toContainEqual(['SELECT', '3']);
  });
});
