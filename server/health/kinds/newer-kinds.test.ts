/** kubernetes, ntp, websocket, grpc, docker, dynatrace, and digest sign-in, over servers of the test. */
import { createHash } from 'node:crypto';
import { createSocket } from 'node:dgram';
import type { Socket as UdpSocket } from 'node:dgram';
import { createServer as createHttp } from 'node:http';
import type { IncomingHttpHeaders, Server } from 'node:http';
import { createServer as createHttp2, createSecureServer } from 'node:http2';
import type { Http2Server } from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startRecordedCluster } from '../../catalog/scrapers/testing/recorded-cluster.ts';
import type { RecordedCluster } from '../../catalog/scrapers/testing/recorded-cluster.ts';
import { startJsonServer } from '../testing/json-server.ts';
import type { Asked, JsonServer } from '../testing/json-server.ts';
import { runKind } from '../testing/run-kind.ts';
import { makeTestCertificate } from '../testing/test-certificate.ts';
import type { TestCertificate } from '../testing/test-certificate.ts';
import { nameMatcher } from './cloud/kubernetes-kind.ts';
import { imageName } from './registry/image-name.ts';

let certificate: TestCertificate;
beforeAll(async () => {
  certificate = await makeTestCertificate(20);
});

describe('kubernetes', () => {
  let cluster: RecordedCluster;
  const pod = (namespace: string, name: string, phase: string) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace, uid: `${namespace}-${name}` },
    spec: { containers: [{ name: 'c' }] },
    status: { phase, conditions: phase === 'Running' ? [{ type: 'Ready', status: 'True' }] : [] },
  });
  beforeAll(async () => {
    const namespaces = ['kube-system', 'kube-lease', 'shop'].map((name) => ({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name, uid: name, labels: { team: name === 'shop' ? 'web' : 'base' } },
    }));
    const pods = [
      ...namespaces,
      pod('kube-system', 'dns', 'Running'),
      pod('kube-lease', 'x', 'Failed'),
      pod('shop', 'cart', 'Failed'),
      pod('shop', 'late', 'Pending'),
    ];
    cluster = await startRecordedCluster(pods, certificate);
  });
  afterAll(() => cluster.close());
  const run = (spec: object) =>
    runKind('kubernetes', { kubeconfig: cluster.kubeconfig, kind: 'Pod', ...spec });

  test('lists the objects that are chosen, with their health', async () => {
    const found = await run({ namespaceSelector: { name: 'kube-*,!*lease' }, healthy: true });
    expect(found).toMatchObject({
      pass: true,
      data: { results: [{ name: 'dns', Object: { kind: 'Pod' } }] },
    });
    expect(await run({ namespaceSelector: { name: 'shop' } })).toMatchObject({ pass: true });
    const ofTeam = await run({ namespaceSelector: { labelSelector: 'team=base', name: '!*lease' } });
    expect(ofTeam.data).toMatchObject({ results: [{ name: 'dns' }] });
  });
  test('fails with one that is not healthy, where that is asked', async () => {
    const found = await run({ namespaceSelector: { name: 'shop' }, healthy: true });
    expect(found).toMatchObject({ pass: false, invalid: false, error: expect.stringContaining('shop/cart') });
    expect(await run({ kind: 'Spaceship' })).toMatchObject({
      pass: false,
      error: 'the cluster serves no kind Spaceship',
    });
  });
  test('leaves out what is to be ignored, and fails with one that is not ready, where that is asked', async () => {
    const names = async (more: object) => (await run(more)).data['results'] as { name: string }[];
    const all = await names({ namespaceSelector: { name: 'kube-*' } });
    expect(all.map(({ name }) => name).toSorted()).toEqual(['dns', 'x']);
    expect(await names({ namespaceSelector: { name: 'kube-*' }, ignore: ['x*'] })).toMatchObject([
      { name: 'dns' },
    ]);
    expect(await names({ resource: { name: 'd*' } })).toMatchObject([{ name: 'dns' }]);
    expect(await run({ resource: { name: 'd*' }, ready: true })).toMatchObject({ pass: true });
    expect(await run({ resource: { name: 'late' }, ready: true })).toMatchObject({
      pass: false,
      error: expect.stringContaining('shop/late'),
    });
    expect(await run({ resource: { search: 'cart' } })).toMatchObject({
      notRun: expect.stringContaining('search'),
    });
  });
  test.each([
    ['a*', 'abc', true],
    ['a*c', 'ac', true],
    ['a*b*c', 'axbyc', true],
    ['a*b*c', 'ac', false],
    ['ab*ba', 'aba', false],
    ['!a*', 'b', true],
    ['!a*', 'ab', false],
    ['', 'x', true],
  ])('the pattern %s and the name %s: %s', (pattern, name, isIn) =>
    expect(nameMatcher(pattern)(name)).toBe(isIn),
  );
});

describe('ntp', () => {
  const sockets: UdpSocket[] = [];
  afterAll(() => sockets.forEach((socket) => socket.close()));
  async function clock(aheadMs: number, stratum = 2): Promise<string> {
    const socket = createSocket('udp4');
    sockets.push(socket);
    socket.on('message', (request, from) => {
      const packet = Buffer.alloc(48);
      packet[0] = 0x24;
      packet[1] = stratum;
      request.copy(packet, 24, 40, 48);
      const nowMs = Date.now() + aheadMs;
      for (const at of [32, 40]) {
        packet.writeUInt32BE(Math.floor(nowMs / 1000) + 2_208_988_800, at);
        packet.writeUInt32BE(Math.floor(((nowMs % 1000) / 1000) * 2 ** 32), at + 4);
      }
      socket.send(Buffer.alloc(48), from.port, from.address);
      socket.send(packet, from.port, from.address);
    });
    await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
    return `127.0.0.1:${socket.address().port}`;
  }
  test('passes while the clocks agree, and leaves answers out that nobody asked for', async () => {
    const found = await runKind('ntp', { endpoint: await clock(0), maxOffsetMillis: 5000 });
    expect(found).toMatchObject({ pass: true, data: { results: { stratum: 2 } } });
  });
  test('fails when they are apart, and with a server that has no time', async () => {
    const apart = await runKind('ntp', { endpoint: await clock(60_000), maxOffsetMillis: 10_000 });
    expect(apart).toMatchObject({ pass: false, error: expect.stringContaining('ms apart') });
    expect(await runKind('ntp', { endpoint: await clock(0, 0) })).toMatchObject({
      pass: false,
      invalid: false,
    });
  });
});

describe('grpc', () => {
  const servers: Http2Server[] = [];
  afterAll(() => servers.forEach((server) => server.close()));
  /** SERVING for the whole and for `good`, NOT_SERVING for `bad`, NOT_FOUND for others. */
  async function serve(isSecure: boolean): Promise<string> {
    const server = isSecure ? createSecureServer(certificate) : createHttp2();
    servers.push(server as Http2Server);
    server.on('stream', (stream) => {
      const parts: Buffer[] = [];
      stream.on('error', () => undefined);
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', () => {
        const service = Buffer.concat(parts).subarray(7).toString();
        const state = { '': 1, good: 1, bad: 2 }[service];
        const head = { ':status': 200, 'content-type': 'application/grpc' };
        if (state === undefined) {
          stream.respond(
            { ...head, 'grpc-status': '5', 'grpc-message': 'unknown%20service' },
            { endStream: true },
          );
          return;
        }
        stream.respond(head, { waitForTrailers: true });
        stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
        stream.end(Buffer.from([0, 0, 0, 0, 2, 0x08, state]));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `127.0.0.1:${(server.address() as AddressInfo).port}`;
  }
  test.each([true, false])('says what a service is, with TLS: %s', async (isSecure) => {
    const endpoint = await serve(isSecure);
    const where = isSecure ? { endpoint, tlsConfig: { ca: certificate.ca } } : { endpoint, plaintext: true };
    expect(await runKind('grpc', where)).toMatchObject({ pass: true, message: 'SERVING' });
    expect(await runKind('grpc', { ...where, service: 'bad' })).toMatchObject({
      pass: false,
      error: 'it is NOT_SERVING',
    });
    expect(await runKind('grpc', { ...where, service: 'other' })).toMatchObject({
      pass: false,
      error: expect.stringContaining('unknown service'),
    });
    if (isSecure) expect(await runKind('grpc', { endpoint })).toMatchObject({ pass: false, invalid: false });
  });
});

describe('websocket', () => {
  let server: Server;
  let url: string;
  const sockets = new Set<Socket>();
  const asked: IncomingHttpHeaders[] = [];
  const KEY = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
  beforeAll(async () => {
    server = createHttp((_request, response) => response.writeHead(404).end());
    server.on('upgrade', ({ headers, url: path }, socket: Socket) => {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      const accept = createHash('sha1').update(`${headers['sec-websocket-key']}${KEY}`).digest('base64');
      asked.push(headers);
      const protocol = headers['sec-websocket-protocol']?.split(', ')[1];
      const spoken = protocol === undefined ? '' : `sec-websocket-protocol: ${protocol}\r\n`;
      if (path === '/refused') socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n');
      else
        socket.write(
          `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-accept: ${accept}\r\n${spoken}\r\n`,
        );
      socket.on('data', (frame: Buffer) => {
        const mask = frame.subarray(2, 6);
        const text = frame.subarray(6).map((byte, at) => byte ^ (mask[at % 4] ?? 0));
        if (((frame[0] ?? 0) & 15) === 1)
          socket.write(Buffer.concat([Buffer.from([0x81, text.length]), text]));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });

  test('passes when it opens, and when what is wanted comes back', async () => {
    expect(await runKind('websocket', { url })).toMatchObject({ pass: true });
    const spec = { url, body: 'ping 7', responseContent: 'ping' };
    expect(await runKind('websocket', spec)).toMatchObject({
      pass: true,
      data: { results: { content: 'ping 7' } },
    });
    expect(await runKind('websocket', { ...spec, responseContent: 'pong' })).toMatchObject({
      pass: false,
      invalid: false,
    });
  });
  test('offers its protocols, and signs in at the place of a connection', async () => {
    const found = await runKind('websocket', { url, protocols: ['v1.prices', 'v2.prices'] });
    expect(found).toMatchObject({ pass: true, data: { results: { protocol: 'v2.prices' } } });
    await runKind('websocket', {
      url,
      authentication: { username: { value: 'u' }, password: { value: 'p' } },
    });
    expect(asked.at(-1)?.authorization).toBe(`Basic ${Buffer.from('u:p').toString('base64')}`);
  });
  test('fails where it is refused, and where nothing comes in time', async () => {
    expect(await runKind('websocket', { url: `${url}/refused` })).toMatchObject({
      pass: false,
      invalid: false,
    });
    expect(await runKind('websocket', { url, responseContent: 'x', timeout: '300ms' })).toMatchObject({
      pass: false,
      error: 'no answer within 300 ms',
    });
  });
});

describe('docker', () => {
  const layers = { layers: [{ size: 700 }, { size: 64 }] };
  const platform = { os: 'linux', architecture: 'amd64' };
  const index = JSON.stringify({ manifests: [{ digest: 'sha256:one', platform }] });
  const digest = `sha256:${createHash('sha256').update(index).digest('hex')}`;
  let registry: JsonServer;
  const answer = ({ url, headers }: Asked) => {
    if (url.pathname === '/token') {
      const isIn = headers['authorization'] === `Basic ${Buffer.from('u:p').toString('base64')}`;
      return isIn ? { body: { token: 't' } } : { status: 401 };
    }
    const challenge = `Bearer realm="${registry.url}/token",service="r",scope="repository:team/app:pull"`;
    if (headers['authorization'] !== 'Bearer t')
      return { status: 401, headers: { 'www-authenticate': challenge } };
    if (url.pathname === '/v2/team/app/manifests/1.0') return { body: index };
    return url.pathname === '/v2/team/app/manifests/sha256:one' ? { body: layers } : null;
  };
  beforeAll(async () => {
    registry = await startJsonServer(answer);
  });
  afterAll(() => registry.stop());
  const run = (spec: object) =>
    runKind('docker', {
      image: `127.0.0.1:${registry.port}/team/app:1.0`,
      auth: { username: 'u', password: 'p' },
      ...spec,
    });

  test('passes with an image that can be pulled, of the wanted digest and size', async () => {
    expect(await run({})).toMatchObject({ pass: true, data: { results: { digest, size: 764 } } });
    expect(await run({ expectedDigest: digest, expectedSize: 764 })).toMatchObject({ pass: true });
  });
  test.each([
    [{ expectedDigest: 'sha256:other' }, /digest/],
    [{ expectedSize: 1 }, /764 bytes, 1 wanted/],
    [{ platform: 'linux/s390x' }, /none for linux/],
    [{ auth: { username: 'u', password: 'x' } }, /401/],
  ])('%o has failed', async (spec, error) => {
    expect(await run(spec)).toMatchObject({
      pass: false,
      invalid: false,
      error: expect.stringMatching(error),
    });
  });
  test.each([
    ['busybox', { registry: 'registry-1.docker.io', repository: 'library/busybox', reference: 'latest' }],
    ['docker.io/library/busybox:1.31.1', { repository: 'library/busybox', reference: '1.31.1' }],
    ['localhost:5000/a/b', { registry: 'localhost:5000', repository: 'a/b', reference: 'latest' }],
    ['quay.io/x/y:1', { registry: 'quay.io', repository: 'x/y', reference: '1' }],
  ])('reads %s', (image, expected) => expect(imageName(image)).toMatchObject(expected));
});

test('dynatrace answers the open problems, with the token of its own scheme', async () => {
  const problem = {
    title: 'slow',
    severityLevel: 'PERFORMANCE',
    status: 'OPEN',
    affectedEntities: [{ name: 'shop' }],
  };
  const server = await startJsonServer(({ headers, url: { searchParams } }) => {
    if (headers['authorization'] !== 'Api-Token key') return { status: 401 };
    const key = searchParams.get('nextPageKey');
    if (key === null) return { body: { problems: [problem], nextPageKey: isEndless ? 'more' : 'last' } };
    const next = key === 'more' ? { nextPageKey: 'more' } : {};
    return { body: { problems: [{ ...problem, title: 'late' }], ...next } };
  });
  let isEndless = false;
  const spec = { scheme: 'http', host: `127.0.0.1:${server.port}`, apiKey: 'key' };
  const labels = { status: 'OPEN', entities: 'shop' };
  expect(await runKind('dynatrace', spec)).toMatchObject({
    pass: true,
    data: { results: [{ title: 'slow', severity: 'PERFORMANCE', labels }, { title: 'late' }] },
  });
  isEndless = true;
  expect(await runKind('dynatrace', spec)).toMatchObject({
    pass: false,
    error: expect.stringContaining('too many to judge'),
  });
  expect(await runKind('dynatrace', { ...spec, apiKey: 'x' })).toMatchObject({
    pass: false,
    error: expect.stringContaining('401'),
  });
  server.stop();
});

test('a search that failed in some shards has no number to go by', async () => {
  const server = await startJsonServer(() => ({
    body: { _shards: { total: 5, failed: 2 }, hits: { total: { value: 0 }, hits: [] } },
  }));
  const spec = { name: 'no errors', url: `http://127.0.0.1:${server.port}`, index: 'logs', results: 0 };
  expect(await runKind('opensearch', spec)).toMatchObject({ error: 'the search failed in 2 of 5 shards' });
  server.stop();
});

test('digest sign-in answers the challenge (RFC 7616), and never sends the password', async () => {
  const md5 = (...parts: string[]) => createHash('md5').update(parts.join(':')).digest('hex');
  const server = await startJsonServer(({ headers, method, url }) => {
    const given = headers['authorization'] ?? '';
    const word = (name: string) => new RegExp(`${name}="?([^",]*)`).exec(given)?.[1] ?? '';
    const path = `${url.pathname}${url.search}`;
    const key = md5('u', 'place', 'pass');
    const right = md5(key, 'n1', word('nc'), word('cnonce'), 'auth', md5(method, path));
    if (given.startsWith('Digest') && word('response') === right && word('uri') === path)
      return { body: { isIn: true } };
    return {
      status: 401,
      headers: { 'www-authenticate': 'Digest realm="place", nonce="n1", qop="auth,auth-int", opaque="o"' },
    };
  });
  const spec = { url: `${server.url}/a?b=c`, digest: true, username: 'u', password: 'pass' };
  expect(await runKind('http', spec)).toMatchObject({ pass: true, data: { json: { isIn: true } } });
  expect(await runKind('http', { ...spec, password: 'x' })).toMatchObject({ pass: false, invalid: false });
  expect(server.asked.every(({ headers }) => !/Basic|pass/.test(headers['authorization'] ?? ''))).toBe(true);
  server.stop();
});
