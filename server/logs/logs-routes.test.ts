/**
 * `POST /logs` over real HTTP: files and PostgreSQL as they are; Loki, Elasticsearch, a cluster's API server and
 * CloudWatch played on this machine, spoken to by their protocol or their client.
 */
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { logsAnswerSchema } from '../../src/contract/logs/logs.ts';
import { recordOf } from '../../src/lib/is-record.ts';
import { openTestBrowser } from '../../tests/security/support/test-browser.ts';
import type { TestBrowser } from '../../tests/security/support/test-browser.ts';
import { PASSWORD, startTestServer } from '../../tests/security/support/test-server.ts';
import type { TestServer } from '../../tests/security/support/test-server.ts';
import { startLocalServer } from '../catalog/scrapers/testing/local-server.ts';
import type { Asked, LocalServer } from '../catalog/scrapers/testing/local-server.ts';
import { makeTestCertificate } from '../health/testing/test-certificate.ts';
import { createPostgresDatabase, openMigratedDatabase } from '../platform/db/test-databases.ts';
import { openPostgresDatabase } from '../platform/db/postgres-database.ts';
import { pino } from 'pino';

const COMPONENT = '0190a000-0000-7000-8000-000000000001';
const NOW = Date.now();
const at = (secondsAgo: number) => new Date(NOW - secondsAgo * 1000).toISOString();

let server: TestServer;
let browser: TestBrowser;
let folder: string;
let service: LocalServer;
let cluster: LocalServer;
let answer: (asked: Asked) => unknown = () => ({});

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdfast-logs-'));
  const db = await openMigratedDatabase('postgres');
  server = await startTestServer(db, {
    logs: { folder, backendLimitMs: 5000 },
    egressAllow: ['loopback'],
  });
  service = await startLocalServer((asked) => {
    const body = answer(asked);
    return body instanceof Error ? { status: 500, body: { message: body.message } } : { body };
  });
  cluster = await startLocalServer((asked) => ({ body: answer(asked) }), await makeTestCertificate(2));
  await db.run(
    `insert into components (id, external_id, name, namespace, type, status, log_selectors, properties)
     values ($1, 'shop/web', 'web', 'shop', 'Deployment', 'healthy', $2::jsonb, $3::jsonb)`,
    [
      COMPONENT,
      JSON.stringify([
        { name: 'app', labels: { app: 'web' } },
        { name: 'by template', labels: { app: '{{.properties.app}}' } },
        { name: 'of nothing', labels: { app: '{{.properties.gone}}' } },
      ]),
      JSON.stringify([{ name: 'app', text: 'web' }]),
    ],
  );
  browser = openTestBrowser(server.url);
  const { email } = await server.account('admin');
  await browser.signIn(email, PASSWORD);
});
afterAll(async () => {
  await Promise.all([service.close(), cluster.close()]);
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  await server.db.run('delete from logging_backends');
  service.asked.length = 0;
});

async function opened(response: Promise<Response>) {
  const found = await response;
  return { status: found.status, body: (await found.json()) as unknown };
}
const post = (path: string, body: object, headers: Record<string, string> = {}) =>
  opened(browser.post(path, body, headers));
const get = (path: string) => opened(browser.get(path));
const add = async (name: string, spec: object) => {
  const found = await post(
    '/api/db/logging_backends',
    { name, spec, source: 'UI' },
    { prefer: 'return=representation' },
  );
  expect(found.status, JSON.stringify(found.body)).toBeLessThan(300);
  return z.array(z.looseObject({ id: z.string(), spec: z.unknown() })).parse(found.body)[0];
};
const ask = async (asked: object = {}) => post('/api/logs', { id: COMPONENT, name: '', query: '', ...asked });
const read = async (asked: object = {}) => {
  const found = await ask(asked);
  expect(found.status, JSON.stringify(found.body)).toBe(200);
  return logsAnswerSchema.parse(found.body);
};
const messagesOf = async (asked: object = {}) => (await read(asked)).results.map(({ message }) => message);

it('answers the calls of the original client, and refuses what it refused', async () => {
  expect((await post('/api/logs', { name: 'x' })).status).toBe(400);
  expect((await ask({ name: 'x' })).status).toBe(400);
  expect(await read()).toEqual({
    total: 0,
    results: [],
    next: null,
    notes: [expect.stringMatching(/No log backend/)],
    isPartial: true,
  });
  const components = await get('/api/db/components_with_logs?order=name.asc');
  expect(components.body).toMatchObject([{ id: COMPONENT, name: 'web' }]);
  const topology = await get(`/api/canary/api/topology?id=${COMPONENT}`);
  expect(topology.body).toMatchObject({
    components: [{ logs: [{ name: 'app' }, { name: 'by template' }, { name: 'of nothing' }] }],
  });
  const backends = await get(
    '/api/db/logging_backends?order=created_at.desc&select=id,spec,name,source,created_at,updated_at,created_by(id,name,avatar)&deleted_at=is.null',
  );
  expect(backends.status).toBe(200);
});

it('reads files from their end: traces with their line, words, ranges, pages, and nothing outside of the folder', async () => {
  await mkdir(join(folder, 'web'), { recursive: true });
  await mkdir(join(folder, 'other'), { recursive: true });
  await writeFile(
    join(folder, 'web', 'a.log'),
    `${at(7300)} too old\n${at(60)} started\n${at(30)} ERROR it broke\n    at main.js:1\n`,
  );
  await writeFile(
    join(folder, 'web', 'b.log'),
    `${JSON.stringify({ time: at(45), level: 'info', msg: 'in between' })}\n`,
  );
  await writeFile(join(folder, 'other', 'c.log'), `${at(10)} of somebody else\n`);
  await symlink('/etc/passwd', join(folder, 'web', 'link.log'));
  await add('files', { file: { paths: ['$(labels.app)/*.log'], labels: { env: 'test' } } });
  const whole = await read();
  expect(whole.results.map(({ message }) => message.replace(/^\S+Z /, ''))).toEqual([
    '    at main.js:1',
    'ERROR it broke',
    expect.stringContaining('in between'),
    'started',
  ]);
  expect(whole.results[0]).toMatchObject({ timestamp: at(30), labels: { env: 'test', file: 'web/a.log' } });
  expect(await messagesOf({ query: 'ERROR broke' })).toEqual([`${at(30)} ERROR it broke`]);
  expect(await messagesOf({ start: at(50), end: at(40) })).toEqual([expect.stringContaining('in between')]);
  expect(await messagesOf({ name: 'by template' })).toHaveLength(4);
  const first = await read({ limit: 2 });
  expect(first.results).toHaveLength(2);
  const second = await read({ limit: 2, cursor: first.next });
  expect([...first.results, ...second.results]).toEqual(whole.results);
  expect((await ask({ cursor: 'nonsense' })).status).toBe(400);
});

it('a selector is never widened: not by labels of a request, a template of nothing, nor a value that leads elsewhere', async () => {
  await add('files', { file: { paths: ['$(labels.app)/*.log'] } });
  expect((await ask({ labels: { app: 'other' } })).body).toMatchObject({
    error: expect.stringMatching(/it can't be another one/),
  });
  expect((await ask({ name: 'of nothing' })).body).toMatchObject({
    error: expect.stringMatching(/comes to nothing/),
  });
  // Lines that don't say that they have the label are left out.
  expect(await messagesOf({ labels: { tier: 'front' } })).toEqual([]);
  await server.db.run(`update components set log_selectors = $2::jsonb where id = $1`, [
    COMPONENT,
    JSON.stringify([{ name: 'app', labels: { app: '../other' } }]),
  ]);
  expect((await ask()).body).toMatchObject({ error: expect.stringMatching(/would lead to another folder/) });
  await server.db.run(`update components set log_selectors = $2::jsonb where id = $1`, [
    COMPONENT,
    JSON.stringify([{ name: 'app', labels: { app: 'web' } }]),
  ]);
  await server.db.run('delete from logging_backends');
  // No placeholder, and no line that has the label: nothing of it is this component's.
  await add('all files', { file: { paths: ['**/*.log'] } });
  expect(await messagesOf()).toEqual([]);
  const refused = await post('/api/db/logging_backends', {
    name: 'x',
    spec: { file: { paths: ['a'], path: 1 } },
    source: 'UI',
  });
  expect(refused.status).toBe(400);
  await server.db.run('delete from logging_backends');
  await add('outside', { file: { paths: ['../../etc/*'] } });
  expect((await ask()).body).toMatchObject({ error: expect.stringMatching(/leads out of LOGS_DIR/) });
});

it('reads a database by a statement that only reads, with values as parameters', async () => {
  const connection = await createPostgresDatabase();
  const db = await openPostgresDatabase({ url: connection, logger: pino({ level: 'silent' }) });
  await db.run('create table app_logs (at timestamptz, app text, line text)');
  await db.run(`insert into app_logs values ($1, 'web', 'from the database'), ($1, 'other', 'not mine')`, [
    at(20),
  ]);
  const query =
    'select at as timestamp, line as message, app from app_logs where app = $(labels.app) and at between $(start) and $(end) order by at desc limit $(limit)';
  await add('database', { sql: { connection, query } });
  expect((await read()).results).toEqual([
    { timestamp: at(20), message: 'from the database', labels: { app: 'web' } },
  ]);
  await server.db.run('delete from logging_backends');
  await add('writes', {
    sql: { connection, query: 'delete from app_logs returning at as timestamp, line as message' },
  });
  expect((await ask()).status).toBe(502);
  expect(await db.text('select count(*)::text from app_logs')).toBe('2');
  await db.close();
});

it('asks Loki in LogQL, with the labels in the selector and the words in the filter', async () => {
  answer = () => ({
    status: 'success',
    data: {
      resultType: 'streams',
      result: [{ stream: { app: 'web', pod: 'web-1' }, values: [[`${NOW}000001`, 'a "b" line']] }],
    },
  });
  const row = await add('loki', {
    loki: {
      url: `${service.url}/base`,
      query: '{cluster="eu"}',
      tenant: 't1',
      username: 'reader',
      password: 'a-very-secret-one',
    },
  });
  const found = await read({ query: 'B line' });
  expect(found.results).toEqual([
    { timestamp: new Date(NOW).toISOString(), message: 'a "b" line', labels: { app: 'web', pod: 'web-1' } },
  ]);
  const [asked] = service.asked;
  expect(asked?.url.pathname).toBe('/base/loki/api/v1/query_range');
  expect(asked?.url.searchParams.get('query')).toBe('{cluster="eu", app="web"} |~ "(?i)b" |~ "(?i)line"');
  expect(asked?.headers).toMatchObject({
    'x-scope-orgid': 't1',
    authorization: `Basic ${Buffer.from('reader:a-very-secret-one').toString('base64')}`,
  });
  // The password left the specification, and stands in no line either.
  expect(JSON.stringify(row?.spec)).not.toContain('a-very-secret-one');
  answer = () => ({
    status: 'success',
    data: {
      resultType: 'streams',
      result: [{ stream: {}, values: [[`${NOW}000001`, 'login with a-very-secret-one failed']] }],
    },
  });
  expect(await messagesOf()).toEqual(['login with *** failed']);
  // Nor does a line come back, or Loki look for it, because somebody guesses a part of one.
  expect(await messagesOf({ query: 'with very-sec' })).toEqual([]);
  expect(service.asked.at(-1)?.url.searchParams.get('query')).toMatch(/app="web"} \|~ "\(\?i\)with"$/);
  expect(await messagesOf({ query: 'with fail' })).toEqual(['login with *** failed']);
  answer = () => ({ status: 'success', data: { resultType: 'streams', result: [] } });
  expect((await post('/api/logs/test', { id: row?.id })).body).toMatchObject({
    message: expect.stringMatching(/^It answers/),
  });
  // Loki has read the query itself: a wrong one is refused there.
  expect(service.asked.at(-1)?.url.searchParams.get('query')).toBe(
    '{cluster="eu", holdfast_trial="anything"}',
  );
  // Changed in a form, where the password is shown as stars: it goes where it went.
  const changed = { loki: { ...recordOf(recordOf(row?.spec)['loki']), labels: { app: 'application' } } };
  expect(JSON.stringify(changed)).toContain('***');
  expect((await post('/api/logs/test', { id: row?.id, spec: changed })).body).toMatchObject({
    message: expect.stringMatching(/^It answers/),
  });
  expect(service.asked.at(-1)?.headers['authorization']).toBe(
    `Basic ${Buffer.from('reader:a-very-secret-one').toString('base64')}`,
  );
  expect((await post('/api/logs/test', { spec: changed })).body).toMatchObject({
    error: expect.stringMatching(/enter it again/),
  });
  answer = () => new Error('no');
  expect((await post('/api/logs/test', { id: row?.id })).body).toMatchObject({
    error: expect.stringMatching(/HTTP 500/),
  });
});

it('asks Elasticsearch and OpenSearch by their search API', async () => {
  answer = () => ({
    hits: {
      total: { value: 7 },
      hits: [{ _source: { '@timestamp': at(5), message: 'found', kubernetes: { labels: { app: 'web' } } } }],
    },
  });
  for (const kind of ['elasticsearch', 'opensearch'] as const) {
    await server.db.run('delete from logging_backends');
    await add(kind, {
      [kind]: { url: service.url, index: 'logs-*', fields: { labels: 'kubernetes.labels.' } },
    });
    const found = await read({ limit: 1 });
    expect(found).toMatchObject({
      total: 7,
      results: [{ timestamp: at(5), message: 'found', labels: { 'kubernetes.labels.app': 'web' } }],
    });
    expect(found.next).not.toBeNull();
    const asked = service.asked.at(-1);
    expect(`${asked?.method} ${asked?.url.pathname}`).toBe('POST /logs-*/_search');
    expect(JSON.parse(asked?.body ?? '')).toMatchObject({
      query: {
        bool: {
          filter: [{ range: {} }, { bool: { should: [{ term: { 'kubernetes.labels.app': 'web' } }, {}] } }],
        },
      },
    });
  }
});

it('a search goes on past pages that have nothing of it: a million hits, of which few are looked for', async () => {
  const found = (ago: number) => ({
    _source: { '@timestamp': at(ago), message: ago === 25 ? 'the needle' : 'hay', app: 'web' },
  });
  answer = ({ body }) => {
    const { size, query } = z
      .object({
        size: z.number(),
        query: z.looseObject({ bool: z.looseObject({ filter: z.array(z.unknown()) }) }),
      })
      .parse(JSON.parse(body));
    const { range } = z
      .object({ range: z.object({ '@timestamp': z.object({ lte: z.string() }) }) })
      .parse(query.bool.filter[0]);
    const all = Array.from({ length: 40 }, (_, ago) => found(ago));
    const hits = all.filter(({ _source: line }) => line['@timestamp'] <= range['@timestamp'].lte);
    return { hits: { total: { value: 1_000_000 }, hits: hits.slice(0, size) } };
  };
  await add('elastic', { elasticsearch: { url: service.url, index: 'logs' } });
  expect((await read({ limit: 10 })).total).toBe(1_000_000);
  service.asked.length = 0;
  expect(await messagesOf({ limit: 10, query: 'needle' })).toEqual(['the needle']);
  expect(service.asked.length).toBeGreaterThan(2);
});

it('reads pods of a cluster by the kubeconfig of a specification', async () => {
  answer = ({ url }) => {
    if (url.pathname === '/version') return { major: '1' };
    if (url.pathname === '/api/v1/namespaces/shop/pods')
      return url.searchParams.get('labelSelector') === 'app=web'
        ? {
            items: [
              { metadata: { name: 'web-1' }, spec: { containers: [{ name: 'main' }, { name: 'proxy' }] } },
            ],
          }
        : { items: [] };
    return url.searchParams.get('container') === 'main'
      ? `${at(9)} first\n${at(8)} second\n`
      : `${at(7)} of the proxy\n`;
  };
  const kubeconfig = JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'a',
    clusters: [{ name: 'a', cluster: { server: cluster.url, 'insecure-skip-tls-verify': true } }],
    contexts: [{ name: 'a', context: { cluster: 'a', user: 'a' } }],
    users: [{ name: 'a', user: { token: 'the-token-of-this-cluster' } }],
  });
  const row = await add('cluster', { kubernetes: { kubeconfig } });
  expect(await messagesOf()).toEqual(['of the proxy', 'second', 'first']);
  expect(cluster.asked.at(-1)?.headers['authorization']).toBe('Bearer the-token-of-this-cluster');
  expect(JSON.stringify(row?.spec)).not.toContain('the-token-of-this-cluster');
  expect((await post('/api/logs/test', { id: row?.id })).status).toBe(200);
});

it('asks CloudWatch by its client, the newest first though it answers the oldest first', async () => {
  answer = ({ body }) => {
    const { startTime, endTime } = z
      .object({ startTime: z.number(), endTime: z.number() })
      .parse(JSON.parse(body));
    const events = [40, 30, 20].map((ago) => ({
      timestamp: NOW - ago * 60_000,
      message: `${ago} min ago`,
      logStreamName: 's',
    }));
    return { events: events.filter(({ timestamp }) => timestamp >= startTime && timestamp <= endTime) };
  };
  const cloud = await add('cloud', {
    cloudwatch: {
      endpoint: service.url,
      accessKey: 'AKIA',
      secretKey: 'secret-of-aws-1',
      region: 'eu-west-1',
      logGroup: '/app/$(labels.app)',
    },
  });
  expect(await messagesOf({ limit: 2 })).toEqual(['20 min ago', '30 min ago']);
  expect(service.asked[0]?.headers['x-amz-target']).toBe('Logs_20140328.FilterLogEvents');
  expect(JSON.parse(service.asked[0]?.body ?? '')).toMatchObject({ logGroupName: '/app/web' });
  // Test asks whether there is such a group, since without a component no group is meant for sure.
  answer = () => ({ logGroups: [{ logGroupName: '/app/web' }] });
  expect(await post('/api/logs/test', { id: cloud?.id })).toMatchObject({
    status: 200,
    body: { message: 'It answers; without a component it has no line to show.' },
  });
  expect(service.asked.at(-1)?.headers['x-amz-target']).toBe('Logs_20140328.DescribeLogGroups');
  expect(JSON.parse(service.asked.at(-1)?.body ?? '')).toMatchObject({ logGroupNamePrefix: '/app/' });
  answer = () => ({ logGroups: [] });
  expect((await post('/api/logs/test', { id: cloud?.id })).body).toMatchObject({
    error: 'logGroup: no log group begins with /app/',
  });
});

it('a backend that is slow, gone, full of garbage or ahead of time costs a sentence, and the others still answer', async () => {
  await writeFile(join(folder, 'web', 'a.log'), `${at(30)} from a file\n`);
  await rm(join(folder, 'web', 'b.log'), { force: true });
  await rm(join(folder, 'web', 'link.log'), { force: true });
  await add('a file', { file: { paths: ['$(labels.app)/*.log'] } });
  await add('gone', { loki: { url: 'http://127.0.0.1:9', query: '{a="b"}' } });
  answer = () => '<html>';
  await add('garbage', { loki: { url: service.url, query: '{a="b"}' } });
  const silent = await startLocalServer(() => ({ body: {} }));
  silent.server.removeAllListeners('request');
  await add('slow', { elasticsearch: { url: silent.url, index: 'x' } });
  const found = await read();
  expect(found.results).toHaveLength(1);
  expect(found.isPartial).toBe(true);
  expect(found.notes).toEqual([
    expect.stringMatching(/^garbage: Loki: the answer is not JSON/),
    expect.stringMatching(/^gone: .*ECONNREFUSED/),
    expect.stringMatching(/^slow: did not answer within 5 s/),
  ]);
  await silent.close();
  await server.db.run("delete from logging_backends where name <> 'a file'");
  await writeFile(join(folder, 'web', 'a.log'), `${at(-600)} from tomorrow\n${'x'.repeat(200_000)}\n`);
  const ahead = await read();
  expect(ahead.notes).toEqual([expect.stringMatching(/a file: its newest line is \d+ min ahead/)]);
  expect(ahead.results.find(({ message }) => message.startsWith('xxx'))?.message).toMatch(
    /cut here: this line has 200,000 characters$/,
  );
});

it('a snapshot of a component has a file for each of its log selectors, and says what it could not read', async () => {
  await writeFile(join(folder, 'web', 'a.log'), `${at(3600)} too old\n${at(40)} older\n${at(30)} newer\n`);
  await server.db.run(`update components set log_selectors = $2::jsonb where id = $1`, [
    COMPONENT,
    JSON.stringify([
      { name: 'app', type: 'Pod', labels: { app: 'web' } },
      { name: '../gone', labels: { app: 'gone' } },
    ]),
  ]);
  await add('files', { file: { paths: ['$(labels.app)/*.log'] } });
  const filesOf = async (who: TestBrowser, query: string) => {
    const found = await who.get(`/api/snapshot/topology/${COMPONENT}?${query}`);
    expect(found.status).toBe(200);
    return unzipSync(new Uint8Array(await found.arrayBuffer()));
  };
  const textOf = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString('utf8');
  const files = await filesOf(browser, 'start=15m');
  const names = Object.keys(files).filter((name) => name.startsWith('logs'));
  expect(names).toEqual([expect.stringMatching(/^logs-Pod-app-[0-9a-f]{8}\.log$/), 'logs.json']);
  expect(textOf(files[names[0] ?? ''])).toBe(`${at(40)} ${at(40)} older\n${at(30)} ${at(30)} newer\n`);
  expect(JSON.parse(textOf(files['logs.json']))).toMatchObject({
    logs: [
      { component: 'web', selector: 'app', file: names[0], lines: 2, notes: [] },
      { selector: '../gone', file: null, notes: [expect.stringMatching(/no file matches/)] },
    ],
  });
  const asJson = await filesOf(browser, 'start=15m&logFormat=json');
  const json = Object.entries(asJson).find(([name]) => name.startsWith('logs-Pod'))?.[1];
  expect(JSON.parse(textOf(json))).toMatchObject([{ timestamp: at(40) }, { timestamp: at(30) }]);
});

it('goes by routes and by rights', async () => {
  await server.db.run(`update components set log_selectors = $2::jsonb where id = $1`, [
    COMPONENT,
    JSON.stringify([{ name: 'app', labels: { app: 'web' } }]),
  ]);
  answer = () => ({ status: 'success', data: { resultType: 'streams', result: [] } });
  await add('of others', {
    routes: [{ type: 'Pod' }, { labels: { app: 'api*' } }],
    loki: { url: service.url },
  });
  expect((await read()).notes).toEqual([expect.stringMatching(/none of their routes fits/)]);
  expect(service.asked).toHaveLength(0);
  await add('of these', { routes: [{ type: 'Deploy*', idPrefix: 'shop/' }], loki: { url: service.url } });
  await read();
  expect(service.asked).toHaveLength(1);
  const viewer = openTestBrowser(server.url);
  await viewer.signIn((await server.account('viewer')).email, PASSWORD);
  expect((await viewer.post('/api/logs', { id: COMPONENT })).status).toBe(200);
  expect((await viewer.post('/api/logs/test', { spec: { loki: { url: service.url } } })).status).toBe(403);
  const agent = openTestBrowser(server.url);
  expect((await agent.post('/api/logs', { id: COMPONENT })).status).toBe(401);
});
