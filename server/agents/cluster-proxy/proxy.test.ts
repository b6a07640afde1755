/**
 * The cluster proxy over HTTP, with a real client library and, where it is installed, kubectl, against an API server
 * that is played over TLS on this machine.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { request as requestAsIs } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, type Duplex } from 'node:stream';
import { createServer as createTlsServer } from 'node:tls';
import { promisify } from 'node:util';
import { CoreV1Api, Exec, KubeConfig, Watch } from '@kubernetes/client-node';
import { parse, stringify } from 'yaml';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { freePort } from '../../../tests/security/support/free-port.ts';
import { signInAs } from '../../../tests/security/support/signed-in.ts';
import type { SignedIn } from '../../../tests/security/support/signed-in.ts';
import { startTestServer } from '../../../tests/security/support/test-server.ts';
import type { TestServer } from '../../../tests/security/support/test-server.ts';
import { answerPods } from '../../catalog/scrapers/testing/pod-sockets.ts';
import { makeTestCertificate, type TestCertificate } from '../../health/testing/test-certificate.ts';
import { openMigratedDatabase } from '../../platform/db/test-databases.ts';
import { nodePlatform } from '../../platform/platform.ts';

const CLUSTER_TOKEN = 'the-own-token-of-the-cluster';
const KUBECTL = '/usr/bin/kubectl';
const run = promisify(execFile);

const pod = (name: string) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'shop', creationTimestamp: '2026-01-31T12:00:00Z' },
  spec: { containers: [{ name: 'main', image: 'shop:1' }] },
  status: { phase: 'Running' },
});

interface Heard {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  raw: string[];
  body: string;
}

const json = (response: ServerResponse, body: object, status = 200) =>
  response
    .writeHead(status, { 'content-type': 'application/json', 'set-cookie': 'a=b' })
    .end(JSON.stringify(body));

function answer(
  { url, method, body, headers }: Heard,
  response: ServerResponse,
  watches: Set<ServerResponse>,
) {
  const { pathname, searchParams } = new URL(url, 'https://cluster');
  if (headers.authorization !== `Bearer ${CLUSTER_TOKEN}`)
    return json(response, { kind: 'Status', code: 401 }, 401);
  if (pathname === '/version') return json(response, { major: '1', minor: '31', gitVersion: 'v1.31.2' });
  if (pathname === '/api') return json(response, { kind: 'APIVersions', versions: ['v1'] });
  if (pathname === '/apis') return json(response, { kind: 'APIGroupList', apiVersion: 'v1', groups: [] });
  if (pathname === '/api/v1') {
    const pods = {
      name: 'pods',
      singularName: 'pod',
      namespaced: true,
      kind: 'Pod',
      verbs: ['get', 'list', 'watch'],
    };
    return json(response, { kind: 'APIResourceList', groupVersion: 'v1', resources: [pods] });
  }
  if (pathname.endsWith('/pods') && searchParams.get('watch') === 'true') {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.flushHeaders();
    watches.add(response);
    response.once('close', () => watches.delete(response));
    return response;
  }
  if (pathname.endsWith('/log'))
    return response.writeHead(200, { 'content-type': 'text/plain' }).end('one\ntwo\n');
  if (method === 'PATCH')
    return json(response, { ...pod('a'), metadata: { name: 'a', annotations: { sent: body } } });
  if (pathname.endsWith('/pods'))
    return json(response, { kind: 'PodList', apiVersion: 'v1', metadata: {}, items: [pod('a'), pod('b')] });
  if (pathname.endsWith('/pods/a')) return json(response, pod('a'));
  if (pathname === '/moved') return response.writeHead(302, { location: '/api/v1/pods' }).end();
  return json(
    response,
    { kind: 'Status', apiVersion: 'v1', status: 'Failure', message: 'not there', code: 404 },
    404,
  );
}

async function startCluster(certificate: TestCertificate) {
  const heard: Heard[] = [];
  const watches = new Set<ServerResponse>();
  const sockets = new Set<Socket>();
  const server = createServer({ cert: certificate.cert, key: certificate.key }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers, rawHeaders: raw } = request;
      const one = { method, url, headers, raw, body: Buffer.concat(chunks).toString() };
      heard.push(one);
      answer(one, response, watches);
    });
  });
  server.on('upgrade', ({ method, url, headers, rawHeaders: raw }: IncomingMessage) =>
    heard.push({ method: method ?? '', url: url ?? '', headers, raw, body: '' }),
  );
  answerPods(server, (url, authorization) =>
    authorization === `Bearer ${CLUSTER_TOKEN}`
      ? {
          stdout: `ran ${url.searchParams.getAll('command').join(' ')}`,
          status: { status: 'Success' },
          isHeld: url.searchParams.get('command') === 'hold',
        }
      : null,
  );
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const kubeconfig = (token: string) =>
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'c',
      clusters: [
        {
          name: 'c',
          cluster: {
            server: `https://127.0.0.1:${port}`,
            'certificate-authority-data': Buffer.from(certificate.ca).toString('base64'),
          },
        },
      ],
      contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
      users: [{ name: 'u', user: { token } }],
    });
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  return { heard, watches, kubeconfig, close, open: () => sockets.size, address: `127.0.0.1:${port}` };
}

let server: TestServer;
let cluster: Awaited<ReturnType<typeof startCluster>>;
let certificate: TestCertificate;
let front: Awaited<ReturnType<typeof startFront>>;
let editor: SignedIn;
let file: string;

async function addCluster(name: string, kubeconfig: string): Promise<void> {
  await server.db.run(
    "insert into connections (name, namespace, type, certificate) values ($1, 'default', 'kubernetes', $2)",
    [name, kubeconfig],
  );
}

/** The file, told the authority of the test's certificate. */
async function download({ browser }: SignedIn): Promise<string> {
  const answered = await browser.post('/api/kubeconfig');
  expect(answered.status).toBe(200);
  const config = parse(await answered.text()) as { clusters: { cluster: Record<string, string> }[] };
  for (const one of config.clusters)
    one.cluster['certificate-authority-data'] = Buffer.from(certificate.ca).toString('base64');
  return stringify(config);
}

function configOf(text: string): KubeConfig {
  const config = new KubeConfig();
  config.loadFromString(text);
  return config;
}

/** TLS in front of the server, as a person's tools want it: kubectl signs in at nothing else. */
async function startFront(certificate: TestCertificate, port: number) {
  const sockets = new Set<Duplex>();
  const front = createTlsServer({ cert: certificate.cert, key: certificate.key }, (socket) => {
    const behind = connect(port, '127.0.0.1');
    for (const one of [socket, behind]) {
      sockets.add(one);
      one.on('error', () => one.destroy());
    }
    socket.on('close', () => behind.destroy());
    behind.on('close', () => socket.destroy());
    socket.pipe(behind).pipe(socket);
  });
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
  const close = () =>
    new Promise<void>((resolve) => {
      front.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  return { url: `https://127.0.0.1:${(front.address() as AddressInfo).port}`, close };
}

const tokenOf = (text: string) => configOf(text).getCurrentUser()?.password ?? '';
const lastHeard = () => cluster.heard.at(-1);

beforeAll(async () => {
  certificate = await makeTestCertificate(10);
  cluster = await startCluster(certificate);
  const port = await freePort();
  front = await startFront(certificate, port);
  server = await startTestServer(await openMigratedDatabase('postgres'), {
    port,
    egressAllow: [cluster.address],
    settings: { publicUrl: front.url },
    // The right to a call that goes on is judged again every half minute: here sooner.
    platform: {
      ...nodePlatform,
      sleep: (ms, signal) => nodePlatform.sleep(ms === 30_000 ? 200 : ms, signal),
    },
  });
  await addCluster('prod', cluster.kubeconfig(CLUSTER_TOKEN));
  editor = await signInAs(server, 'editor');
  file = await download(editor);
});
afterAll(async () => {
  await front.close();
  await server.stop();
  await cluster.close();
});
beforeEach(() => {
  cluster.heard.length = 0;
});

const ask = (path: string, headers: Record<string, string> = {}, init: RequestInit = {}) =>
  fetch(`${server.url}/api/kubeproxy${path}`, {
    redirect: 'manual',
    ...init,
    headers: {
      authorization: `Basic ${Buffer.from(`token:${tokenOf(file)}`).toString('base64')}`,
      ...headers,
    },
  });

describe('a real client library', () => {
  it('lists, reads logs, watches and runs commands, as the person', async () => {
    const config = configOf(file);
    const core = config.makeApiClient(CoreV1Api);
    const { items } = await core.listNamespacedPod({ namespace: 'shop' });
    expect(items.map(({ metadata }) => metadata?.name)).toEqual(['a', 'b']);
    expect(lastHeard()?.headers).toMatchObject({
      authorization: `Bearer ${CLUSTER_TOKEN}`,
      'impersonate-user': `holdfast:${editor.id}`,
      'impersonate-group': 'holdfast:editor',
    });
    expect(await core.readNamespacedPodLog({ name: 'a', namespace: 'shop' })).toBe('one\ntwo\n');

    const seen: string[] = [];
    const begun = new Watch(config).watch(
      '/api/v1/namespaces/shop/pods',
      {},
      (type) => seen.push(type),
      () => {},
    );
    const watch = await begun;
    await expect.poll(() => cluster.watches.size, { timeout: 20_000 }).toBe(1);
    for (const response of cluster.watches)
      response.write(`${JSON.stringify({ type: 'ADDED', object: pod('c') })}\n`);
    await expect.poll(() => seen, { timeout: 20_000 }).toEqual(['ADDED']);
    watch.abort();
    // Whoever goes away leaves nothing open at the cluster.
    await expect.poll(() => cluster.watches.size, { timeout: 20_000 }).toBe(0);

    const out = new PassThrough();
    const parts: string[] = [];
    out.on('data', (part: Buffer) => parts.push(part.toString()));
    const status = await new Promise<string | undefined>((resolve, reject) => {
      new Exec(config)
        .exec('shop', 'a', 'main', ['ls', '/'], out, null, null, false, (said) => resolve(said.status))
        .catch(reject);
    });
    expect([status, parts.join('')]).toEqual(['Success', 'ran ls /']);
    expect(lastHeard()?.headers['impersonate-user']).toBe(`holdfast:${editor.id}`);
  }, 60_000);
});

describe.runIf(existsSync(KUBECTL))('kubectl', () => {
  it('gets, reads logs and runs commands with the downloaded file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'holdfast-kubectl-'));
    const path = join(folder, 'config');
    await writeFile(path, file, { mode: 0o600 });
    const kubectl = async (...args: string[]) =>
      (await run(KUBECTL, ['--kubeconfig', path, '-n', 'shop', ...args], { env: { HOME: folder } })).stdout;
    try {
      expect(await kubectl('get', 'pods', '-o', 'name')).toBe('pod/a\npod/b\n');
      expect(await kubectl('logs', 'a')).toBe('one\ntwo\n');
      expect(await kubectl('exec', 'a', '-c', 'main', '--', 'ls', '/')).toBe('ran ls /');
      await expect(kubectl('get', 'pod', 'nowhere')).rejects.toThrow(/not there/);
    } finally {
      await rm(folder, { recursive: true });
    }
  }, 120_000);
});

describe('who comes in, and as whom', () => {
  it('nobody chooses as whom the cluster judges, whatever the headers', async () => {
    const forged = {
      'Impersonate-User': 'system:admin',
      'Impersonate-Group': 'system:masters',
      'Impersonate-Uid': '1',
      'Impersonate-Extra-scopes': 'all',
      'X-Remote-User': 'system:admin',
      'X-Remote-Group': 'system:masters',
      'X-Forwarded-For': '10.0.0.1',
      cookie: 'a=b',
    };
    expect((await ask('/api/v1/namespaces/shop/pods', forged)).status).toBe(200);
    const { headers = {} } = lastHeard() ?? {};
    const odd = Object.keys(headers).filter((name) =>
      /^(impersonate|x-remote|x-forwarded|cookie)/.test(name),
    );
    expect(odd.toSorted()).toEqual(['impersonate-group', 'impersonate-user']);
    expect(headers['impersonate-user']).toBe(`holdfast:${editor.id}`);
    expect(headers.authorization).toBe(`Bearer ${CLUSTER_TOKEN}`);
  });

  it('only the token of a kubeconfig of somebody who may: no session, no whole token, no viewer', async () => {
    const path = '/api/kubeproxy/api/v1/pods';
    expect((await editor.browser.get(path)).status).toBe(403);
    const whole = await server.backend.accessTokens.create({
      personId: editor.id,
      name: 'script',
      expiresAt: null,
    });
    const viewer = await signInAs(server, 'viewer');
    const scope = 'cluster-proxy';
    const theirs = await server.backend.accessTokens.create({
      personId: viewer.id,
      name: 'k',
      expiresAt: null,
      scope,
    });
    for (const token of [whole, theirs])
      expect((await ask('/api/v1/pods', { authorization: `Bearer ${token}` })).status).toBe(403);
    expect((await ask('/api/v1/pods', { authorization: '' })).status).toBe(401);
    expect(cluster.heard).toEqual([]);
  });

  it('what runs in a pod ends soon after the right to it, at the person and at the cluster', async () => {
    const guest = await signInAs(server, 'editor');
    const password = tokenOf(await download(guest));
    const headers = {
      authorization: `Basic ${Buffer.from(`token:${password}`).toString('base64')}`,
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
      'sec-websocket-protocol': 'v4.channel.k8s.io',
    };
    await expect.poll(() => cluster.open(), { timeout: 20_000 }).toBe(0);
    const path = '/api/kubeproxy/api/v1/namespaces/shop/pods/a/exec?command=hold';
    const opened = await new Promise<Duplex>((resolve, reject) => {
      const sent = requestAsIs(`${server.url}/`, { path, headers });
      sent.once('upgrade', (_answer, socket) => resolve(socket));
      sent.once('error', reject);
      sent.end();
    });
    let isOpen = true;
    opened.on('error', () => undefined);
    opened.once('close', () => {
      isOpen = false;
    });
    opened.resume();
    expect([isOpen, cluster.open()]).toEqual([true, 1]);
    const { accessTokens } = server.backend;
    for (const { id } of await accessTokens.list(guest.id)) await accessTokens.end(guest.id, id);
    await expect.poll(() => [isOpen, cluster.open()], { timeout: 20_000 }).toEqual([false, 0]);
  }, 60_000);

  it('no path leads above the cluster’s own address', async () => {
    // Not by fetch, which walks such a path itself.
    const statusOf = (path: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        const headers = {
          authorization: `Basic ${Buffer.from(`token:${tokenOf(file)}`).toString('base64')}`,
        };
        const sent = requestAsIs(`${server.url}/`, { path: `/api/kubeproxy${path}`, headers }, (response) => {
          response.resume();
          resolve(response.statusCode);
        });
        sent.once('error', reject);
        sent.end();
      });
    for (const path of ['/a/../b', '/a/%2e%2e/b', '/a/..%2fb', '/clusters/prod/%252e%252e/b', '/a/..%5cb'])
      expect([path, await statusOf(path)]).toEqual([path, 400]);
    expect(cluster.heard).toEqual([]);
    // A percent sign in a name is one.
    expect(await statusOf('/clusters/prod/api/v1/100%25')).not.toBe(400);
    expect(cluster.heard.map(({ url }) => url)).toEqual(['/api/v1/100%25']);
  });
});

describe('what comes back', () => {
  it('sets no cookie, runs in no browser, and stays below the proxy', async () => {
    const answered = await ask('/api/v1/namespaces/shop/pods');
    expect(answered.headers.get('set-cookie')).toBeNull();
    expect(answered.headers.get('content-security-policy')).toContain('sandbox');
    expect(answered.headers.get('cache-control')).toBe('no-store');
    const moved = await ask('/clusters/prod/moved');
    expect(moved.headers.get('location')).toBe('/api/kubeproxy/clusters/prod/api/v1/pods');
  });

  it('bodies of any type go on as they are', async () => {
    const body = '[{"op":"add","path":"/metadata/labels/x","value":"y"}]';
    const type = 'application/json-patch+json';
    const answered = await ask(
      '/api/v1/namespaces/shop/pods/a',
      { 'content-type': type },
      { method: 'PATCH', body },
    );
    expect(await answered.json()).toMatchObject({ metadata: { annotations: { sent: body } } });
    expect(lastHeard()?.headers['content-type']).toBe(type);
  });

  it('a cluster’s trouble is told in Kubernetes’ own words, and is not the person’s sign-in', async () => {
    await addCluster('broken', cluster.kubeconfig('a wrong token'));
    try {
      const refused = await ask('/clusters/broken/api/v1/pods');
      expect([refused.status, await refused.json()]).toMatchObject([502, { kind: 'Status', code: 502 }]);
      // Two of them: the address has to name one, and each has a context.
      expect((await ask('/api/v1/pods')).status).toBe(404);
      expect((await ask('/clusters/none/api/v1/pods')).status).toBe(404);
      const many = await download(editor);
      file = many;
      expect(configOf(many).clusters.map(({ server: address }) => new URL(address).pathname)).toEqual([
        '/api/kubeproxy',
        '/api/kubeproxy/clusters/broken',
        '/api/kubeproxy/clusters/prod',
      ]);
    } finally {
      await server.db.run("update connections set deleted_at = now() where name = 'broken'", []);
    }
  });

  it('a place that the guard closes is not called', async () => {
    await addCluster(
      'closed',
      cluster.kubeconfig(CLUSTER_TOKEN).replaceAll(cluster.address, '169.254.169.254:443'),
    );
    try {
      expect((await ask('/clusters/closed/api')).status).toBe(403);
    } finally {
      await server.db.run("update connections set deleted_at = now() where name = 'closed'", []);
    }
  });
});
