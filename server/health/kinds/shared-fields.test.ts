/** What kinds of checks share is so in each of them, over sockets of the test: sign-in, client certificates, limits. */
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { kindSetting } from '../testing/kind-setting.ts';
import { startJsonServer } from '../testing/json-server.ts';
import type { Asked, JsonAnswer, JsonServer } from '../testing/json-server.ts';
import { runKind } from '../testing/run-kind.ts';
import { makeTestCertificate } from '../testing/test-certificate.ts';
import type { TestCertificate } from '../testing/test-certificate.ts';
import { probe } from '../kind/probe.ts';

const VECTOR = { data: { resultType: 'scalar', result: [1, '7'] } };
function answerOf(path: string): unknown {
  if (path.endsWith('/_search')) return { hits: { total: 0 } };
  if (path === '/api/v2/alerts') return [];
  if (path.endsWith('/index.yaml')) return 'apiVersion: v1\nentries: {}\n';
  return VECTOR;
}

/** Kinds that are called over HTTP, with the fields that each asks for. */
const HTTP_KINDS: readonly (readonly [string, object])[] = [
  ['http', {}],
  ['elasticsearch', { index: 'a' }],
  ['opensearch', { index: 'a' }],
  ['prometheus', { query: 'up' }],
  ['alertmanager', {}],
  ['helm', {}],
];

describe('a service that asks who calls', () => {
  let own: TestCertificate;
  let url: string;
  let close: () => void;
  const seen: { authorization: string; isKnown: boolean }[] = [];
  beforeAll(async () => {
    own = await makeTestCertificate(2);
    const options = { ...own, requestCert: true, rejectUnauthorized: false };
    const server = createServer(options, (request, response) => {
      const { authorized: isKnown } = request.socket as TLSSocket;
      seen.push({ authorization: request.headers.authorization ?? '', isKnown });
      const body = answerOf(new URL(request.url ?? '/', 'http://local').pathname);
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    close = () => {
      server.close();
      server.closeAllConnections();
    };
  });
  afterAll(() => close());

  test.each(HTTP_KINDS)(
    '%s: is told by a certificate, and by authentication as by the fields',
    async (kind, more) => {
      const tlsConfig = { ca: own.ca, cert: own.cert, key: own.key };
      const authentication = { username: { value: 'u' }, password: { value: 'p' } };
      const basic = `Basic ${Buffer.from('u:p').toString('base64')}`;
      for (const signIn of [
        { basic: true, authentication },
        { username: 'u', password: 'p' },
      ]) {
        expect(await runKind(kind, { url, ...more, ...signIn, tlsConfig })).toMatchObject({ pass: true });
        expect(seen.at(-1)).toEqual({ authorization: basic, isKnown: true });
      }
      expect(await runKind(kind, { url, ...more, tlsConfig: { insecureSkipVerify: true } })).toMatchObject({
        pass: true,
      });
      expect(seen.at(-1)).toEqual({ authorization: '', isKnown: false });
      expect(await runKind(kind, { url, ...more })).toMatchObject({ pass: false, invalid: false });
    },
  );

  test.each([
    ['prometheus', { query: 'up' }],
    ['alertmanager', {}],
  ])('%s: host is the old name of url', async (kind, more) => {
    expect(await runKind(kind, { host: url, ...more, tlsConfig: { ca: own.ca } })).toMatchObject({
      pass: true,
    });
  });

  test('prometheus: tls is another name of tlsConfig', async () => {
    expect(await runKind('prometheus', { url, query: 'up', tls: { ca: own.ca } })).toMatchObject({
      pass: true,
      data: { value: 7 },
    });
    expect(
      await runKind('prometheus', { url: 'http://127.0.0.1:1', query: 'up', tls: { enable: true } }),
    ).toMatchObject({ invalid: true });
  });
});

describe('what is asked of a service', () => {
  let server: JsonServer;
  const answer = ({ url, headers }: Asked): JsonAnswer => {
    const target = String(headers['x-amz-target'] ?? '');
    if (target.endsWith('DescribeAlarms')) return { body: { MetricAlarms: [], CompositeAlarms: [] } };
    if (target.endsWith('DescribeComplianceByConfigRule')) return { body: { ComplianceByConfigRules: [] } };
    return { body: target === '' ? answerOf(url.pathname) : { Results: [] } };
  };
  beforeAll(async () => {
    server = await startJsonServer(answer);
  });
  afterAll(() => server.stop());
  const aws = () => ({ accessKey: 'a', secretKey: 's', region: 'eu-west-1', endpoint: server.url });

  test('alertmanager: its filters are matchers', async () => {
    const filters = { severity: 'critical|page' };
    const spec = { alerts: ['Disk', 'Cpu'], filters, exclude_filters: { team: 'x' }, ignore: ['Watchdog'] };
    expect(await runKind('alertmanager', { url: server.url, ...spec })).toMatchObject({ pass: true });
    expect(server.asked.at(-1)?.url.searchParams.getAll('filter')).toEqual([
      'alertname=~"Disk|Cpu"',
      'severity=~"critical|page"',
      'team!="x"',
      'alertname!~"Watchdog"',
    ]);
  });

  test.each<[string, object, object]>([
    [
      'cloudwatch',
      { filter: { actionPrefix: 'arn:', alarms: ['a'], state: 'ALARM' } },
      { ActionPrefix: 'arn:', AlarmNames: ['a'], StateValue: 'ALARM' },
    ],
    ['cloudwatch', { filter: { alarmPrefix: 'shop-' } }, { AlarmNamePrefix: 'shop-' }],
    [
      'awsConfig',
      { query: 'SELECT a', aggregatorName: 'all' },
      { Expression: 'SELECT a', ConfigurationAggregatorName: 'all' },
    ],
    [
      'awsConfigRule',
      { rules: ['r'], complianceTypes: ['NON_COMPLIANT'] },
      { ConfigRuleNames: ['r'], ComplianceTypes: ['NON_COMPLIANT'] },
    ],
  ])('%s: %o is asked as it is written', async (kind, more, asked) => {
    expect(await runKind(kind, { ...aws(), ...more })).toMatchObject({ pass: true });
    expect(JSON.parse(server.asked.at(-1)?.body ?? '{}')).toMatchObject(asked);
  });
});

describe('limits', () => {
  const slow = async () => {
    await new Promise((resolve) => setTimeout(resolve, 60));
    return { data: {} };
  };
  test('what takes longer than thresholdMillis has failed with what it found', async () => {
    expect(await probe({ thresholdMillis: 20 }, kindSetting(), slow)).toMatchObject({
      pass: false,
      invalid: false,
      error: expect.stringMatching(/^took \d+ ms, allowed are 20 ms$/),
    });
    expect(await probe({ thresholdMillis: 20_000 }, kindSetting(), slow)).toMatchObject({ pass: true });
  });
  test('a client that gives up by its own clock in the moment of the limit tells the same as the limit', async () => {
    const ask = (what: string) => async (): Promise<never> => {
      // No timer of anybody is due before the client says so.
      const untilMs = performance.now() + 40;
      while (performance.now() < untilMs);
      throw new Error(what);
    };
    expect(await probe({ timeout: '30ms' }, kindSetting(), ask('Connection timeout'))).toMatchObject({
      error: 'no answer within 30 ms',
      failure: 'absent',
    });
    expect(await probe({ timeout: '9s' }, kindSetting(), ask('Connection timeout'))).toMatchObject({
      error: 'Connection timeout',
      failure: 'other',
    });
  });
  test.each([
    ['seconds', { timeout: 1 }, 1000],
    ['a duration', { timeout: '30ms' }, 30],
    ['no more than a minute', { timeout: '2h' }, 60_000],
    ['as long as the threshold', { thresholdMillis: 15_000 }, 15_000],
    ['ten seconds', {}, 10_000],
  ])('a service is waited for: %s', async (_words, spec, limitMs) => {
    let told = 0;
    await probe(spec, kindSetting(), async (at) => {
      told = at.limitMs;
      return { data: {} };
    });
    expect(told).toBe(limitMs);
  });
});
