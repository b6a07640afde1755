import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startHttpBin } from '../../testing/http-bin.ts';
import type { TestHttp } from '../../testing/http-bin.ts';
import { kindSetting } from '../../testing/kind-setting.ts';
import { makeTestCertificate } from '../../testing/test-certificate.ts';
import type { TestCertificate } from '../../testing/test-certificate.ts';
import { runKind } from '../../testing/run-kind.ts';

let bin: TestHttp;
let secure: TestHttp;
let certificate: TestCertificate;
let dataDir: string;
const opened: { server: Server; sockets: Set<Socket> }[] = [];

beforeAll(async () => {
  certificate = await makeTestCertificate(20);
  bin = await startHttpBin(null);
  secure = await startHttpBin(certificate);
  dataDir = await mkdtemp(join(tmpdir(), 'holdfast-http-'));
  await mkdir(join(dataDir, 'secrets', 'sign-in'), { recursive: true });
  await writeFile(join(dataDir, 'secrets', 'sign-in', 'password'), 'world\n');
});
afterAll(async () => {
  await Promise.all([bin.stop(), secure.stop(), rm(dataDir, { recursive: true })]);
  for (const { server, sockets } of opened) {
    server.close();
    for (const socket of sockets) socket.destroy();
  }
});

async function listen(server: Server): Promise<string> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket));
  opened.push({ server, sockets });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
const serve = (handler: RequestListener) => listen(createServer(handler));
const raw = (text: string) =>
  listen(
    createTcpServer((socket) => {
      socket.on('error', () => socket.destroy());
      socket.end(text);
    }),
  );

const at = (path: string) => `http://127.0.0.1:${bin.port}${path}`;
const run = (spec: object, changes: Parameters<typeof kindSetting>[0] = {}) =>
  runKind('http', spec, kindSetting({ dataDir, ...changes }));

describe('passes', () => {
  test('with the sign-in as forms write it', async () => {
    const authentication = { username: { value: 'u' }, password: { value: 'p' } };
    const url = at('/basic-auth/u/p');
    expect(await run({ url, basic: true, authentication })).toMatchObject({ pass: true });
    expect(await run({ url, basic: true })).toMatchObject({ pass: false });
  });

  test('any 2xx by default, with the facts that scripts use', async () => {
    const result = await run({ url: at('/latest?to=EUR') });
    expect(result).toMatchObject({
      pass: true,
      invalid: false,
      error: null,
      data: { code: 200, json: { rates: { EUR: 0.9 } } },
    });
    expect(result.data['headers']).toMatchObject({ 'Content-Type': 'application/json' });
  });

  test.each<[string, object]>([
    ['a listed status', { url: '/status/418', responseCodes: [418] }],
    ['content that is there', { url: '/html', responseContent: 'Herman Melville' }],
    [
      'a value that is there',
      { url: '/latest?to=EUR', responseJSONContent: { path: '$.rates.EUR', value: 0.9 } },
    ],
    [
      'one of several values',
      { url: '/latest?to=EUR', responseJSONContent: { path: "$['rates'].*", value: '0.9' } },
    ],
    ['a followed redirect', { url: '/redirect-to?url=/get' }],
    [
      'a redirect that is not followed',
      { url: '/redirect-to?url=/get&status_code=301', maxRedirects: 0, responseCodes: [301] },
    ],
    ['the old name of the url', { endpoint: '/get' }],
    [
      'basic sign-in',
      {
        url: '/basic-auth/hello/world',
        username: 'hello',
        password: { valueFrom: { secretKeyRef: { name: 'sign-in', key: 'password' } } },
      },
    ],
    [
      'credentials in the url',
      { url: '/basic-auth/hello/$(password)', username: 'hello', password: 'world' },
    ],
  ])('%s', async (_what, spec) => {
    const given = Object.fromEntries(
      Object.entries(spec).map(([key, value]) => [
        key,
        key === 'url' || key === 'endpoint' ? at(String(value)) : value,
      ]),
    );
    expect(await run(given)).toMatchObject({ pass: true, error: null });
  });

  test('a body is sent with templates, env and headers filled in', async () => {
    const env = [{ name: 'db', value: 'main' }];
    const body = '{"db": "{{.db}}", "same": "$(db)"}';
    const result = await run({ url: at('/post'), method: 'POST', templateBody: true, env, body });
    expect(result.data['json']).toEqual({ data: '{"db": "main", "same": "main"}', method: 'POST' });
    const sent = await run({
      url: '$(where)',
      env: [{ name: 'where', value: at('/headers') }],
      headers: [{ name: 'X-Team', value: 'red' }],
    });
    expect(sent.data['json']).toMatchObject({
      headers: { 'X-Team': 'red', 'User-Agent': expect.stringMatching(/^canary-checker\//) },
    });
  });

  test('a request is signed for AWS', async () => {
    const awsSigV4 = { accessKey: 'k', secretKey: 's', region: 'us-east-1', service: 'execute-api' };
    const result = await run({ url: at('/headers'), awsSigV4 });
    expect(result.data['json']).toMatchObject({
      headers: { Authorization: expect.stringMatching(/^AWS4-HMAC-SHA256 /) },
    });
  });

  test('a token is fetched and used', async () => {
    const origin = await serve((request, response) => {
      if (request.url === '/token') response.end(JSON.stringify({ access_token: 'abc' }));
      else response.writeHead(request.headers.authorization === 'Bearer abc' ? 200 : 401).end();
    });
    const oauth2 = { tokenURL: `${origin}/token`, scope: ['read'] };
    expect(await run({ url: `${origin}/api`, username: 'id', password: 'secret', oauth2 })).toMatchObject({
      pass: true,
    });
  });

  test('a certificate of a named authority, with its time left', async () => {
    const url = `https://127.0.0.1:${secure.port}/status/200`;
    const result = await run({ url, maxSSLExpiry: 7, tlsConfig: { ca: { value: certificate.ca } } });
    expect(result).toMatchObject({ pass: true });
    expect(Number(result.data['sslAge']) / 86_400_000).toBeCloseTo(20, 0);
    expect(await run({ url, tlsConfig: { insecureSkipVerify: true } })).toMatchObject({ pass: true });
  });
});

describe('fails', () => {
  test('by a value of its JSON, which a path of names and indexes finds', async () => {
    const url = at('/latest?to=EUR');
    const byPath = (path: string) => run({ url, responseJSONContent: { path, value: '1' } });
    expect(await byPath('$.rates.EUR')).toMatchObject({
      pass: false,
      error: '$.rates.EUR of the answer is 0.9, expected 1',
    });
    expect(await byPath('$.rates[0]')).toMatchObject({ error: 'the answer has no $.rates[0]' });
    await expect(byPath('$..*')).rejects.toThrow('responseJSONContent');
  });

  test('what is not read of a large answer is said', async () => {
    const url = await serve((_request, response) => response.end('a'.repeat(1024 * 1024 + 10)));
    const cut = 'the answer is larger than 1048576 bytes; the rest is not read';
    expect(await run({ url })).toMatchObject({ pass: true, message: cut });
    expect(await run({ url, responseContent: 'b' })).toMatchObject({
      pass: false,
      error: `the answer does not contain "b": ${cut}`,
    });
  });

  test.each<[string, object, RegExp]>([
    ['a status that is not 2xx', { url: '/status/500' }, /^status 500, expected 2xx$/],
    [
      'a status that is not 2xx, beside a test with nothing in it',
      { url: '/status/500', test: { template: ' ' } },
      /^status 500, expected 2xx$/,
    ],
    [
      'a status that is not listed',
      { url: '/status/200', responseCodes: [201, 202] },
      /^status 200, expected 201, 202$/,
    ],
    ['content that is not there', { url: '/html', responseContent: 'Ishmael' }, /does not contain "Ishmael"/],
    ['no certificate where one must last', { url: '/get', maxSSLExpiry: 7 }, /no certificate/],
    ['wrong credentials', { url: '/basic-auth/hello/world', username: 'hello', password: 'x' }, /status 401/],
  ])('%s', async (_what, spec, error) => {
    const given = Object.fromEntries(
      Object.entries(spec).map(([key, value]) => [key, key === 'url' ? at(String(value)) : value]),
    );
    expect(await run(given)).toMatchObject({
      pass: false,
      invalid: false,
      error: expect.stringMatching(error),
    });
  });

  test('a certificate that ends too soon, or of an authority that nobody knows', async () => {
    const url = `https://127.0.0.1:${secure.port}/status/200`;
    const soon = await run({ url, maxSSLExpiry: 60, tlsConfig: { ca: { value: certificate.ca } } });
    expect(soon.error).toMatch(/the certificate ends in (19|20) days, at least 60 wanted/);
    expect(await run({ url })).toMatchObject({
      pass: false,
      invalid: false,
      error: expect.stringMatching(/certificate|unable to verify/),
    });
  });

  test('a server that takes the connection and never answers, after the threshold', async () => {
    const url = await listen(createTcpServer(() => undefined));
    const result = await run({ url, thresholdMillis: 200 });
    expect(result).toMatchObject({ pass: false, error: 'No answer within 200 ms' });
    expect(result.durationMs).toBeLessThan(15_000);
  });

  test('a server that sends its answer drop by drop', async () => {
    const url = await serve((_request, response) => {
      const drop = setInterval(() => response.write('x'), 50);
      response.on('close', () => clearInterval(drop));
    });
    expect(await run({ url, thresholdMillis: 300 })).toMatchObject({
      pass: false,
      error: 'No answer within 300 ms',
    });
  });

  test('a name that is never resolved', async () => {
    const resolve = () => new Promise<never>(() => undefined);
    expect(await run({ url: 'http://slow.example/', timeout: 200 }, { resolve })).toMatchObject({
      pass: false,
      error: 'No answer within 200 ms',
    });
  });

  test.each([
    'this is not http\r\n\r\n',
    'HTTP/1.1 abc\r\n\r\n',
    'HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\nshort',
    '',
  ])('an answer of %j', async (text) => {
    const result = await run({ url: await raw(text) });
    expect(result).toMatchObject({ pass: false, invalid: false });
    expect(result.error).toMatch(/^[^\n]+$/);
  });

  test('a port where nobody listens', async () => {
    expect(await run({ url: 'http://127.0.0.1:1/' })).toMatchObject({
      pass: false,
      error: expect.stringContaining('ECONNREFUSED'),
    });
  });

  test('JSON that is none is no error of its own: scripts see null', async () => {
    const url = await serve((_request, response) => response.end('{"a": '));
    expect(await run({ url })).toMatchObject({ pass: true, data: { json: null, content: '{"a": ' } });
  });
});

describe('is invalid', () => {
  test.each<[string, object, RegExp]>([
    ['a url without scheme', { url: 'example.com/x' }, /not a URL/],
    ['a scheme that is not http', { url: 'file:///etc/passwd' }, /file:|no host/],
    ['a method with spaces', { url: 'http://127.0.0.1/', method: 'GET / HTTP/1.1\r\nX: y' }, /method/],
    [
      'a connection that is not there',
      { connection: 'connection://HTTP/500' },
      /^connection connection:\/\/HTTP\/500 was not found$/,
    ],
    ['a token server', { url: 'http://127.0.0.1/', oauth2: { tokenURL: 'x' } }, /oauth2.tokenURL/],
    [
      'a secret that is not there',
      { url: 'http://127.0.0.1/', password: { valueFrom: { secretKeyRef: { name: 'none', key: 'k' } } } },
      /^secret none\/k was not found/,
    ],
    [
      'a secret outside of its folder',
      { url: 'http://127.0.0.1/', password: { valueFrom: { secretKeyRef: { name: '..', key: 'k' } } } },
      /not a valid reference/,
    ],
    [
      'a service account',
      { url: 'http://127.0.0.1/', password: { valueFrom: { serviceAccount: 'x' } } },
      /secretKeyRef or configMapKeyRef/,
    ],
    ['the metadata service', { url: 'http://169.254.169.254/latest' }, /not allowed/],
  ])('%s', async (_what, spec, error) => {
    expect(await run(spec)).toMatchObject({
      pass: false,
      invalid: true,
      error: expect.stringMatching(error),
    });
  });

  test('loopback for a check that is not the operator’s', async () => {
    expect(await run({ url: at('/get') }, { trust: 'user' })).toMatchObject({ pass: false, invalid: true });
  });
});
