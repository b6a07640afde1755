/**
 * Log backends that are asked alone: a MariaDB, Google Cloud Logging played on this machine, and a SQL Server as far as
 * its refusals (there is none to start here).
 */
import { generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { jwtVerify } from 'jose';
import { createConnection } from 'mysql2/promise';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startLocalServer } from '../../catalog/scrapers/testing/local-server.ts';
import type { Asked, LocalServer } from '../../catalog/scrapers/testing/local-server.ts';
import { startMariaDb } from '../../playbooks/actions/testing/mariadb.ts';
import type { MariaDb } from '../../playbooks/actions/testing/mariadb.ts';
import { filterOf, gcpBackend } from './gcp-backend.ts';
import type { LogQuestion } from './log-backend.ts';
import { DIALECTS, sqlBackend, statementOf } from './sql-backend.ts';
import { backendContext as context, logQuestion as question, NOW } from '../testing/backend-setting.ts';

const WAIT = 60_000;
const keys = generateKeyPairSync('rsa', { modulusLength: 2048 });

let maria: MariaDb;
let google: LocalServer;
let answer: (asked: Asked) => { status?: number; body: unknown } = () => ({ body: {} });

beforeAll(async () => {
  maria = await startMariaDb();
  google = await startLocalServer((asked) => answer(asked));
}, WAIT);
afterAll(() => Promise.all([maria.close(), google.close()]));
beforeEach(() => {
  google.asked.length = 0;
});

it(
  'reads MySQL by a statement that only reads: moments in UTC, limits as numbers, values as parameters',
  async () => {
    const db = await createConnection({ uri: maria.url, timezone: 'Z' });
    await db.query('create table app_lines (at datetime(3), app varchar(50), line text)');
    const rows = [
      [new Date(NOW - 60_000), 'web', 'newer'],
      [new Date(NOW - 120_000), 'web', 'older'],
      [new Date(NOW - 60_000), 'other', 'not mine'],
    ];
    await db.query('insert into app_lines values ?', [rows]);
    const query =
      'select at as timestamp, line as message, app from app_lines where app = $(labels.app) and at between $(start) and $(end) order by at desc limit $(limit)';
    const read = (asked: LogQuestion, text = query) =>
      sqlBackend.read({ connection: maria.url, query: text }, asked, context);
    expect((await read(question())).lines).toEqual([
      { atMs: NOW - 60_000, message: 'newer', labels: { app: 'web' } },
      { atMs: NOW - 120_000, message: 'older', labels: { app: 'web' } },
    ]);
    expect((await read(question({ limit: 1 }))).lines).toHaveLength(1);
    const hostile = fc.oneof(fc.string(), fc.constantFrom("' or 1=1 -- ", "\\' or 1=1 -- ", '" or ""="'));
    await fc.assert(
      fc.asyncProperty(hostile, async (app) => {
        const { lines } = await read(question({ labels: { app } }));
        // The collation of the table takes upper and lower case, and blanks at the end, for the same.
        if (!/^(web|other)\s*$/i.test(app)) expect(lines).toEqual([]);
      }),
      { numRuns: 40 },
    );
    // More rows than are read: of a statement in rising order the newest are among those left out.
    const many = (order: string) =>
      `select from_unixtime(${Math.floor(NOW / 1000) - 20_000} + seq) as timestamp, seq as message from seq_1_to_10500 order by seq ${order}`;
    const all = question({ startMs: NOW - 30_000_000, labels: {} });
    const rising = await read(all, many('asc'));
    expect(rising).toMatchObject({ isCut: true, notes: [expect.stringMatching(/desc limit \$\(limit\)$/)] });
    expect(await read(all, many('desc'))).toMatchObject({ isCut: true, notes: [] });
    for (const changing of ['delete from app_lines', 'drop table app_lines'])
      await expect(read(question(), changing)).rejects.toThrow(/must read only/);
    const [left] = await db.query('select * from app_lines');
    expect(left).toHaveLength(3);
    await db.end();
  },
  WAIT,
);

it('a SQL Server that is not there, or no SQL Server, ends with a sentence; its values are parameters', async () => {
  const read = (connection: string) =>
    sqlBackend.read({ connection, query: 'select 1', driver: 'sqlserver' }, question(), context);
  await expect(read('sqlserver://sa:x@127.0.0.1:9/shop')).rejects.toThrow(/ECONNREFUSED|connect/i);
  await expect(read('sqlserver://sa:x@203.0.113.1.invalid/shop')).rejects.toThrow();
  const statement = statementOf(
    'select top ($(limit)) at as timestamp from lines where app = $(labels.app) and at > $(start);',
    question(),
    DIALECTS.sqlserver,
  );
  expect(statement).toEqual({
    text: 'select top (@p1) at as timestamp from lines where app = @p2 and at > @p3',
    values: [100, 'web', new Date(NOW - 3_600_000).toISOString()],
    held: ['app'],
  });
});

const entry = (agoS: number, part: object = {}) => ({
  timestamp: new Date(NOW - agoS * 1000).toISOString(),
  severity: 'ERROR',
  logName: 'projects/p-1/logs/stdout',
  textPayload: `${agoS} s ago`,
  labels: { 'k8s-pod/app': 'web' },
  resource: { type: 'k8s_container', labels: { container_name: 'main' } },
  ...part,
});

const spec = () => ({
  project: 'p-1',
  endpoint: google.url,
  filter: 'severity >= ERROR',
  labels: { app: 'labels."k8s-pod/app"' },
  credentials: JSON.stringify({
    type: 'service_account',
    client_email: 'reader@p-1.iam.gserviceaccount.com',
    private_key: keys.privateKey.export({ type: 'pkcs8', format: 'pem' }),
    token_uri: `${google.url}/token`,
  }),
});

it('asks Google Cloud Logging with a token for its service account, page by page, the newest first', async () => {
  answer = ({ url, body }) => {
    if (url.pathname === '/token') return { body: { access_token: 'a-token' } };
    const { pageToken } = JSON.parse(body) as { pageToken?: string };
    return pageToken === undefined
      ? {
          body: {
            entries: [entry(5), entry(6, { textPayload: undefined, jsonPayload: { msg: 'x' } })],
            nextPageToken: 'b',
          },
        }
      : { body: { entries: [entry(7, { labels: { 'k8s-pod/app': 'WEB' } })] } };
  };
  const found = await gcpBackend.read(spec(), question(), context);
  expect(found.isCut).toBe(false);
  expect(found.lines.map(({ message, labels }) => [message, labels['app']])).toEqual([
    ['5 s ago', 'web'],
    ['{"msg":"x"}', 'web'],
    // Not the selector's: the caller, who is told that nothing was held to, leaves it out.
    ['7 s ago', 'WEB'],
  ]);
  expect(found.held).toEqual([]);
  const [signIn, first] = google.asked;
  const assertion = new URLSearchParams(signIn?.body).get('assertion') ?? '';
  const { payload } = await jwtVerify(assertion, keys.publicKey, { audience: `${google.url}/token` });
  expect(payload).toMatchObject({ scope: 'https://www.googleapis.com/auth/logging.read' });
  expect(first?.headers['authorization']).toBe('Bearer a-token');
  expect(JSON.parse(first?.body ?? '')).toMatchObject({
    resourceNames: ['projects/p-1'],
    orderBy: 'timestamp desc',
    pageSize: 100,
    filter: expect.stringContaining('(severity >= ERROR)\nlabels."k8s-pod/app" = "web"') as string,
  });
});

it('Google Cloud Logging with pages and pages of nothing: the rest of the range does not count as read', async () => {
  const empty = { body: { nextPageToken: 'more' } };
  answer = ({ url }) => (url.pathname === '/token' ? { body: { access_token: 't' } } : empty);
  await expect(gcpBackend.read(spec(), question(), context)).rejects.toThrow(
    /looked through 20 pages without an end; narrow the time/,
  );
});

it('Google Cloud Logging that refuses, or answers something else, is told in a sentence without the key', async () => {
  answer = () => ({ status: 400, body: { error: 'invalid_grant' } });
  await expect(gcpBackend.read(spec(), question(), context)).rejects.toThrow(/^Sign-in at Google: HTTP 400/);
  answer = ({ url }) => ({ body: url.pathname === '/token' ? { access_token: 't' } : '<html>' });
  await expect(gcpBackend.read(spec(), question(), context)).rejects.toThrow(/no list of entries|not JSON/);
  const wrong = { ...spec(), credentials: 'hush-hush' };
  await expect(gcpBackend.read(wrong, question(), context)).rejects.toThrow(/^credentials: is not the key/);
});

it('whatever a label says, it is one quoted value of the filter', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (name, value) => {
      const lines = filterOf({ project: 'p' }, question({ labels: { [name]: value } })).split('\n');
      expect(lines).toHaveLength(3);
      expect(lines[2]).toBe(`labels.${JSON.stringify(name)} = ${JSON.stringify(value)}`);
    }),
  );
});
