/**
 * For tests only: an API server of Kubernetes that is played over TLS on this machine, and what a person's tools need
 * to reach one through ours.
 */
import { createServer } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { createServer as createTlsServer } from 'node:tls';
import { KubeConfig } from '@kubernetes/client-node';
import { parse, stringify } from 'yaml';
import { answerPods } from '../../catalog/scrapers/testing/pod-sockets.ts';
import type { TestCertificate } from '../../health/testing/test-certificate.ts';
import { joinConnections } from '../../platform/http/join-connections.ts';
import { SPDY, speakSpdy } from './played-spdy.ts';

/** What the cluster wants of whoever calls it. */
export const CLUSTER_TOKEN = 'the-own-token-of-the-cluster';

/** As the cluster answers it. */
export const pod = (name: string) => ({
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

interface AnsweringParts {
  watches: Set<ServerResponse>;
  account: Account;
}

function answer(
  { url, method, body, headers }: Heard,
  response: ServerResponse,
  { watches, account }: AnsweringParts,
) {
  const { pathname, searchParams } = new URL(url, 'https://cluster');
  if (headers.authorization !== `Bearer ${account.token}`)
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
  if (pathname.endsWith('/log') && searchParams.get('follow') === 'true') {
    response.writeHead(200, { 'content-type': 'text/plain' }).write('one\n');
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

function kubeconfigOf({ port, ca, token }: { port: number; ca: string; token: string }): string {
  const cluster = {
    server: `https://127.0.0.1:${port}`,
    'certificate-authority-data': Buffer.from(ca).toString('base64'),
  };
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'c',
    clusters: [{ name: 'c', cluster }],
    contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
    users: [{ name: 'u', user: { token } }],
  });
}

/** Whom the cluster lets in; it may change. */
interface Account {
  token: string;
}

/** By SPDY, as older tools do. */
function switchToSpdy({ url = '', headers }: IncomingMessage, socket: Duplex, head: Buffer) {
  const asked = headers['x-stream-protocol-version'];
  const [protocol = ''] = (typeof asked === 'string' ? asked : '').split(', ');
  const spoken = speakSpdy(socket, { url: new URL(url, 'https://cluster'), protocol, head });
  spoken.catch(() => socket.destroy());
}

/** Watches stay open until they are ended; `open` counts connections. */
export async function startCluster(
  certificate: TestCertificate,
  account: Account = { token: CLUSTER_TOKEN },
) {
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
      answer(one, response, { watches, account });
    });
  });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const { method, url, headers, rawHeaders: raw } = request;
    heard.push({ method: method ?? '', url: url ?? '', headers, raw, body: '' });
    if (headers.upgrade === SPDY) return switchToSpdy(request, socket, head);
    // As a real one does: whoever ended his side is gone.
    return socket.once('end', () => socket.destroy()).resume();
  });
  answerPods(server, (url, authorization) =>
    authorization === `Bearer ${account.token}`
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
  const kubeconfig = (token: string) => kubeconfigOf({ port, ca: certificate.ca, token });
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  return { heard, watches, kubeconfig, close, open: () => sockets.size, address: `127.0.0.1:${port}` };
}

interface Downloader {
  browser: { post: (path: string) => Promise<Response> };
}

/** The file, told the authority of the test's certificate. */
export async function download({ browser }: Downloader, { ca }: TestCertificate): Promise<string> {
  const answered = await browser.post('/api/kubeconfig');
  if (answered.status !== 200) throw new Error(`no kubeconfig: ${answered.status}`);
  const config = parse(await answered.text()) as { clusters: { cluster: Record<string, string> }[] };
  for (const one of config.clusters)
    one.cluster['certificate-authority-data'] = Buffer.from(ca).toString('base64');
  return stringify(config);
}

/** For the client library. */
export function configOf(text: string): KubeConfig {
  const config = new KubeConfig();
  config.loadFromString(text);
  return config;
}

/** The token in a kubeconfig. */
export const tokenOf = (text: string): string => configOf(text).getCurrentUser()?.password ?? '';

/** TLS in front of the server, as a person's tools want it: kubectl signs in at nothing else. */
export async function startFront(certificate: TestCertificate, port: number) {
  const ended = new AbortController();
  const front = createTlsServer({ cert: certificate.cert, key: certificate.key }, (socket) => {
    const behind = connect(port, '127.0.0.1');
    void joinConnections({ one: socket, other: behind, signal: ended.signal });
  });
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
  const close = () =>
    new Promise<void>((resolve) => {
      front.close(() => resolve());
      ended.abort();
    });
  return { url: `https://127.0.0.1:${(front.address() as AddressInfo).port}`, close };
}
