/** databaseBackup, pubsub and folders in Google Cloud Storage, over a server that answers as Google's interfaces say. */
import { exportPKCS8, generateKeyPair, jwtVerify } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startJsonServer } from '../../testing/json-server.ts';
import type { Asked, JsonAnswer, JsonServer } from '../../testing/json-server.ts';
import { runKind } from '../../testing/run-kind.ts';
import { SAYS, triedConnection } from '../../testing/try-connection.ts';

let google: JsonServer;
let credentials: string;
let publicKey: CryptoKey;
let answers: Record<string, unknown>;

const agoMs = (ms: number) => new Date(Date.now() - ms).toISOString();
const HOUR_MS = 3_600_000;

beforeAll(async () => {
  google = await startJsonServer(({ url, method, headers, body }: Asked): JsonAnswer | null => {
    if (url.pathname === '/token')
      return { body: { access_token: `for ${new URLSearchParams(body).get('assertion')?.length ?? 0}` } };
    if (!/^Bearer (for \d{3,}|plain-token)$/.test(headers.authorization ?? '')) return { status: 401 };
    const found = answers[`${method} ${url.pathname}`];
    return found === undefined ? null : { body: found };
  });
  const pair = await generateKeyPair('RS256', { extractable: true });
  publicKey = pair.publicKey;
  credentials = JSON.stringify({
    type: 'service_account',
    client_email: 'checker@acme.iam.gserviceaccount.com',
    private_key: await exportPKCS8(pair.privateKey),
    token_uri: `${google.url}/token`,
  });
});
afterAll(() => google.stop());
beforeEach(() => {
  google.asked.length = 0;
  answers = {};
});
const access = () => ({ endpoint: google.url, credentials });

describe('databaseBackup', () => {
  const PATH = 'GET /v1/projects/p/instances/orders/backupRuns';
  const run = (more: object = {}) =>
    runKind('databaseBackup', {
      maxAge: '6h',
      gcp: { project: 'p', instance: 'orders', gcpConnection: access() },
      ...more,
    });

  test('signs in with the key of the account and passes while the newest backup is new enough', async () => {
    answers[PATH] = {
      items: [
        { id: '1', status: 'SUCCESSFUL', endTime: agoMs(2 * HOUR_MS) },
        { id: '2', status: 'FAILED', endTime: agoMs(HOUR_MS) },
      ],
    };
    expect(await run()).toMatchObject({ pass: true, data: { results: { newest: { id: '1' } } } });
    const [token] = google.asked;
    const assertion = new URLSearchParams(token?.body).get('assertion') ?? '';
    const { payload } = await jwtVerify(assertion, publicKey, { audience: `${google.url}/token` });
    expect(payload).toMatchObject({
      iss: 'checker@acme.iam.gserviceaccount.com',
      scope: expect.stringContaining('sqlservice'),
    });
    expect(JSON.stringify(google.asked)).not.toContain('PRIVATE KEY');
  });

  test('fails with the field where it is too old or there is none', async () => {
    answers[PATH] = { items: [{ id: '1', status: 'SUCCESSFUL', endTime: agoMs(9 * HOUR_MS) }] };
    expect(await run()).toMatchObject({
      pass: false,
      error: expect.stringMatching(/9h old, at most 6h wanted \(maxAge\)/),
    });
    answers[PATH] = {};
    expect(await run()).toMatchObject({ pass: false, error: 'orders has no backup that succeeded' });
  });

  test.each([
    ['{', /credentials: is no JSON/],
    ['{"client_email":"a"}', /credentials: must be the key/],
    ['{"client_email":"a","private_key":"b"}', /credentials: private_key is no RSA key/],
    ['', /credentials: are needed/],
  ])('wrong credentials %j are told by their field', async (given, error) => {
    const gcp = {
      project: 'p',
      instance: 'orders',
      gcpConnection: { endpoint: google.url, credentials: given },
    };
    expect(await run({ gcp })).toMatchObject({ invalid: true, error: expect.stringMatching(error) });
  });
});

describe('pubsub', () => {
  const PATH = 'POST /v1/projects/p/subscriptions/s';
  const run = (more: object = {}) =>
    runKind('pubsub', {
      pubsub: { project_id: 'p', subscription: 's' },
      endpoint: google.url,
      credentials: 'plain-token',
      ...more,
    });
  const called = () => google.asked.map(({ url }) => url.pathname.split(':')[1]);

  test('shows what waits and leaves it there, unless it is told to take it', async () => {
    const data = Buffer.from('{"a":1}').toString('base64');
    answers[`${PATH}:pull`] = {
      receivedMessages: [{ ackId: 'k', message: { messageId: '1', data, attributes: { x: 'y' } } }],
    };
    answers[`${PATH}:modifyAckDeadline`] = {};
    answers[`${PATH}:acknowledge`] = {};
    const found = await run();
    expect(found).toMatchObject({
      pass: true,
      data: { results: { count: 1, messages: [{ id: '1', json: { a: 1 }, attributes: { x: 'y' } }] } },
    });
    await run({ acknowledge: true, maxMessages: 3 });
    expect(google.asked.at(-2)?.body).toContain('"maxMessages":3');
    expect(called()).toEqual(['pull', 'modifyAckDeadline', 'pull', 'acknowledge']);
  });
  test('an empty subscription has no messages, one that is not there fails', async () => {
    answers[`${PATH}:pull`] = {};
    expect(await run()).toMatchObject({ pass: true, data: { results: { count: 0 } } });
    answers = {};
    expect(await run()).toMatchObject({ pass: false, invalid: false, error: expect.stringContaining('404') });
  });
});

describe('folder in Google Cloud Storage', () => {
  const run = (more: object = {}) =>
    runKind('folder', { path: 'gcs://backups/daily', gcpConnection: access(), ...more });
  test('lists what lies below the folder, and what a pattern means', async () => {
    const item = (name: string, size: number) => ({ name, size: String(size), updated: agoMs(HOUR_MS) });
    answers['GET /storage/v1/b/backups/o'] = {
      items: [item('daily/a.gz', 10), item('daily/b.txt', 20), item('daily/', 0)],
    };
    expect(await run({ minCount: 2, maxAge: '2h' })).toMatchObject({
      pass: true,
      data: { results: { count: 2, size: 30 } },
    });
    expect(await run({ path: 'gcs://backups/daily/*.gz' })).toMatchObject({
      data: { results: { count: 1 } },
    });
    expect(google.asked.at(-1)?.url.searchParams.get('prefix')).toBe('daily/');
    expect(await run({ minSize: '15b' })).toMatchObject({
      pass: false,
      error: 'daily/a.gz is smaller than 15b',
    });
  });
  test('without credentials it is not run, and says why', async () => {
    expect(await run({ gcpConnection: {} })).toMatchObject({
      notRun: expect.stringContaining('gcpConnection: credentials'),
    });
  });
});

describe('the test of a connection', () => {
  const certificate = () => JSON.stringify({ ...JSON.parse(credentials), project_id: 'acme' }) as string;

  test('gcs: by the buckets of the project that the key is of', async () => {
    answers['GET /storage/v1/b'] = { items: [] };
    expect(await triedConnection('gcs', { url: google.url, certificate: certificate() })).toBeNull();
    expect(google.asked.at(-1)?.url.searchParams.get('project')).toBe('acme');
    const token = { url: google.url, certificate: 'no key' };
    expect(await triedConnection('gcs', token)).toMatch(/service account/);
    expect(await triedConnection('gcs', { url: google.url, certificate: credentials })).toMatch(/project_id/);
  });
  test('google_cloud: by the project; another service that knows no projects has answered, too', async () => {
    expect(await triedConnection('google_cloud', { url: google.url, certificate: certificate() })).toBeNull();
    answers['GET /v1/projects/acme'] = { projectId: 'acme' };
    expect(await triedConnection('google_cloud', { url: google.url, certificate: certificate() })).toBeNull();
  });
  test('where nobody answers, and where nobody may call', async () => {
    const elsewhere = { ...JSON.parse(certificate()), token_uri: 'http://127.0.0.1:1/token' } as object;
    const absent = { url: 'http://127.0.0.1:1', certificate: JSON.stringify(elsewhere) };
    expect(await triedConnection('gcs', absent)).toMatch(SAYS.absent);
    expect(await triedConnection('gcs', absent, [])).toMatch(SAYS.closed);
  });
  test('dynatrace: by its problems', async () => {
    const [, host = ''] = google.url.split('://');
    const row = { url: host, properties: { scheme: 'http' } };
    answers['GET /api/v2/problems'] = { problems: [] };
    expect(await triedConnection('dynatrace', { ...row, password: 'x' })).toMatch(SAYS.signIn);
  });
});
