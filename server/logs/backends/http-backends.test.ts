/** Backends that are asked over HTTP, at stand-ins of this machine: what they ask for, and what they make of it. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startLocalServer } from '../../catalog/scrapers/testing/local-server.ts';
import type { Asked, LocalServer } from '../../catalog/scrapers/testing/local-server.ts';
import { makeTestCertificate } from '../../health/testing/test-certificate.ts';
import { cloudwatchBackend } from './cloudwatch-backend.ts';
import { elasticsearchBackend, opensearchBackend } from './elastic-backend.ts';
import { kubernetesBackend } from './kubernetes-backend.ts';
import { lokiBackend } from './loki-backend.ts';
import type { BackendLine } from './log-backend.ts';
import { backendContext as context, logQuestion as question, NOW } from '../testing/backend-setting.ts';

const MIB = 1024 * 1024;

let service: LocalServer;
let answer: (asked: Asked) => unknown = () => ({});

beforeAll(async () => {
  service = await startLocalServer((asked) => ({ body: answer(asked) }));
});
afterAll(() => service.close());
beforeEach(() => {
  service.asked.length = 0;
});

const kubeconfig = () =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'a',
    clusters: [{ name: 'a', cluster: { server: service.url, 'insecure-skip-tls-verify': true } }],
    contexts: [{ name: 'a', context: { cluster: 'a', user: 'a' } }],
    users: [{ name: 'a', user: { token: 'the-token-of-this-cluster' } }],
  });
const PODS = {
  items: [{ metadata: { name: 'web-1' }, spec: { containers: [{ name: 'main' }, { name: 'proxy' }] } }],
};

/** As the API server sends it: of what is since then the newest lines, cut behind so many bytes. */
function sent(log: readonly (readonly [number, string])[], { url: { searchParams } }: Asked): string {
  const since = Date.parse(searchParams.get('sinceTime') ?? '');
  const of = log.filter(([atMs]) => atMs >= since);
  const tail = searchParams.get('tailLines');
  const some = tail === null ? of : of.slice(-Number(tail));
  const text = some.map(([atMs, message]) => `${new Date(atMs).toISOString()} ${message}\n`).join('');
  return text.slice(0, Number(searchParams.get('limitBytes')));
}

it('a container that wrote more than is read at once: pages have its newest lines first, and every line once', async () => {
  // 12 MB in two hours.
  const long = 'x'.repeat(30_000);
  const log = Array.from(
    { length: 700 },
    (_, at) => [NOW - 7_000_000 + at * 10_000, `${at} ${long}`] as const,
  );
  answer = (asked) => (asked.url.pathname.endsWith('/log') ? sent(log, asked) : PODS);
  const spec = { kubeconfig: kubeconfig(), container: 'main' };
  for (const endMs of [NOW - 3_500_000, NOW]) {
    const found: BackendLine[] = [];
    const startMs = NOW - 7_200_000;
    let end = endMs;
    for (let pages = 0; pages < 20; pages += 1) {
      const page = await kubernetesBackend.read(
        spec,
        question({ startMs, endMs: end, limit: 1000 }),
        context,
      );
      expect(page.notes).toEqual([]);
      expect(page.lines.every(({ atMs }) => atMs >= (page.reachedMs ?? 0))).toBe(true);
      found.push(...page.lines);
      if (!page.isCut) break;
      end = (page.reachedMs ?? 0) - 1;
    }
    const wanted = log.filter(([atMs]) => atMs <= endMs).toReversed();
    expect(found.map(({ message }) => message)).toEqual(wanted.map(([, message]) => message));
  }
});

it('a container that wrote too much in one moment: half a line is no line, and what is left out is said', async () => {
  const log = Array.from({ length: 900 }, (_, at) => [NOW - 1000, `${at} ${'x'.repeat(10_000)}`] as const);
  answer = (asked) => (asked.url.pathname.endsWith('/log') ? sent(log, asked) : PODS);
  const spec = { kubeconfig: kubeconfig(), container: 'main' };
  const asked = question({ endMs: NOW - 10, startMs: NOW - 1001, limit: 1000 });
  const found = await kubernetesBackend.read(spec, asked, context);
  expect(found.isCut).toBe(true);
  expect(found.notes).toEqual([]);
  const atOnce = question({ startMs: NOW - 1000, endMs: NOW - 1000, limit: 1000 });
  const cut = await kubernetesBackend.read(spec, atOnce, context);
  expect(cut.notes).toEqual([expect.stringMatching(/web-1, main: writes more than 8 MB in a moment/)]);
  expect(cut.lines.at(-1)?.message).toMatch(/^0 x/);
  expect(cut.lines.length).toBeLessThan((8 * MIB) / 10_000);
  expect(cut.lines.every(({ message }) => message.endsWith('x'.repeat(10_000)))).toBe(true);
});

it('a container that no pod has is said', async () => {
  answer = () => PODS;
  const found = await kubernetesBackend.read(
    { kubeconfig: kubeconfig(), container: 'gone' },
    question(),
    context,
  );
  expect(found).toMatchObject({
    lines: [],
    notes: ['container: no pod in shop with the labels app=web has a container gone'],
  });
});

it('what a search left out is said: failed shards, documents without a time; where none has one, the field is wrong', async () => {
  const hits = ['2026-03-01T10:00:02Z', null, '2026-03-01T10:00:01Z'].map((time) => ({
    _source: { '@timestamp': time, message: 'found' },
  }));
  const spec = { url: service.url, index: 'logs' };
  answer = () => ({ _shards: { total: 5, failed: 2 }, hits: { total: { value: 3 }, hits } });
  expect(await elasticsearchBackend.read(spec, question(), context)).toMatchObject({
    lines: [{ message: 'found' }, { message: 'found' }],
    isCut: false,
    notes: [
      'The search failed in 2 of 5 shards: lines may be missing',
      'Documents without a time in @timestamp are left out: 1',
    ],
  });
  answer = () => ({ hits: { total: 1, hits: hits.slice(1, 2) } });
  await expect(opensearchBackend.read(spec, question(), context)).rejects.toThrow(
    /^fields\.timestamp: documents have no time/,
  );
});

const NO_STREAMS = { status: 'success', data: { resultType: 'streams', result: [] } };
const HIT = { at: '2026-03-01T10:00:01Z', said: { text: 'found' }, message: 'not this' };

it('loki, elasticsearch, opensearch: what each field of the specification makes of the call', async () => {
  answer = () => NO_STREAMS;
  const loki = { url: service.url, bearer: 'a-token', labels: { app: 'k8s_app' } };
  await lokiBackend.read({ ...loki, query: '{} | json' }, question({ words: ['a.b'] }), context);
  const [asked] = service.asked;
  expect(asked?.url.searchParams.get('query')).toBe('{k8s_app="web"} | json |~ "(?i)a\\\\.b"');
  expect(asked?.headers['authorization']).toBe('Bearer a-token');
  await lokiBackend.read({ ...loki, query: '{a="b"}' }, question({ isTrial: true, labels: {} }), context);
  expect(service.asked.at(-1)?.url.searchParams.get('query')).toBe('{a="b", holdfast_trial="anything"}');
  answer = () => ({ hits: { total: 1, hits: [{ _source: HIT }] } });
  const fields = { timestamp: 'at', message: 'said.text' };
  const elastic = { url: service.url, index: 'logs', bearer: 'a-token', fields };
  for (const backend of [elasticsearchBackend, opensearchBackend]) {
    const spec = { ...elastic, query: 'team:$(name)' };
    const { lines } = await backend.read(spec, question({ name: 'a" OR "b' }), context);
    expect(lines).toEqual([{ atMs: Date.parse(HIT.at), message: 'found', labels: { message: 'not this' } }]);
    const { headers, body = '' } = service.asked.at(-1) ?? {};
    expect(headers?.['authorization']).toBe('Bearer a-token');
    expect(JSON.parse(body)).toMatchObject({
      sort: [{ at: { order: 'desc' } }],
      query: {
        bool: {
          filter: [{ range: { at: {} } }, {}, { query_string: { query: 'team:"a\\" OR \\"b"' } }],
        },
      },
    });
  }
});

it('kubernetes: the containers that are asked for; a trial looks at the namespace of the specification', async () => {
  answer = ({ url }) => (url.pathname.endsWith('/log') ? '' : PODS);
  const asked = () =>
    service.asked
      .filter(({ url }) => url.pathname.endsWith('/log'))
      .map(({ url }) => url.searchParams.get('container'));
  await kubernetesBackend.read({ kubeconfig: kubeconfig(), container: 'proxy' }, question(), context);
  expect(asked()).toEqual(['proxy']);
  const trial = question({ isTrial: true, labels: {} });
  for (const [namespace, path] of [
    ['eu', '/api/v1/namespaces/eu/pods'],
    ['$(namespace)', '/version'],
  ] as const) {
    await kubernetesBackend.read({ kubeconfig: kubeconfig(), namespace }, trial, context);
    expect(service.asked.at(-1)?.url.pathname).toBe(path);
  }
});

const ASSUMED = `<AssumeRoleResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleResult><Credentials>
<AccessKeyId>ASIAROLE</AccessKeyId><SecretAccessKey>of-the-role</SecretAccessKey><SessionToken>session-of-the-role</SessionToken>
<Expiration>2099-01-01T00:00:00Z</Expiration></Credentials></AssumeRoleResult></AssumeRoleResponse>`;

it('cloudwatch: signs in as the role, and asks for the streams of the prefix', async () => {
  answer = ({ body }) => (body.includes('Action=AssumeRole') ? ASSUMED : { events: [] });
  const spec = { endpoint: service.url, accessKey: 'AKIA', secretKey: 'secret', logGroup: '/app' };
  const role = 'arn:aws:iam::123456789012:role/logs';
  const stream = { assumeRole: role, logStreamPrefix: '$(labels.app)/' };
  const found = await cloudwatchBackend.read({ ...spec, ...stream }, question(), context);
  expect(found.held).toEqual(['app']);
  const [signIn, read] = service.asked;
  expect(new URLSearchParams(signIn?.body).get('RoleArn')).toBe(role);
  expect(read?.headers).toMatchObject({
    'x-amz-security-token': 'session-of-the-role',
    authorization: expect.stringContaining('Credential=ASIAROLE/') as string,
  });
  expect(JSON.parse(read?.body ?? '')).toMatchObject({ logGroupName: '/app', logStreamNamePrefix: 'web/' });
});

it('a certificate that nobody vouches for is taken where the specification says so, and nowhere else', async () => {
  const secure = await startLocalServer(
    ({ url, headers }) => ({
      body: url.pathname.startsWith('/loki')
        ? NO_STREAMS
        : headers['x-amz-target'] === undefined
          ? { hits: { hits: [] } }
          : { events: [] },
    }),
    await makeTestCertificate(2),
  );
  const { url } = secure;
  const aws = { endpoint: url, accessKey: 'AKIA', secretKey: 'secret', logGroup: '/app' };
  const kinds = [
    (is?: boolean) => lokiBackend.read({ url, insecureSkipVerify: is }, question(), context),
    (is?: boolean) =>
      opensearchBackend.read({ url, index: 'a', insecureSkipVerify: is }, question(), context),
    (is?: boolean) => cloudwatchBackend.read({ ...aws, skipTLSVerify: is }, question(), context),
  ];
  for (const read of kinds) {
    await expect(read()).rejects.toThrow(/certificate/i);
    expect((await read(true)).lines).toEqual([]);
  }
  await secure.close();
});
