/**
 * The cluster proxy over HTTP, with a real client library and, where it is installed, kubectl, against an API server
 * that is played over TLS on this machine.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request as requestAsIs } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, type Duplex } from 'node:stream';
import { promisify } from 'node:util';
import { CoreV1Api, Exec, Watch } from '@kubernetes/client-node';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { freePort } from '../../../tests/security/support/free-port.ts';
import { signInAs } from '../../../tests/security/support/signed-in.ts';
import type { SignedIn } from '../../../tests/security/support/signed-in.ts';
import { startTestServer } from '../../../tests/security/support/test-server.ts';
import type { TestServer } from '../../../tests/security/support/test-server.ts';
import { makeTestCertificate, type TestCertificate } from '../../health/testing/test-certificate.ts';
import { openMigratedDatabase } from '../../platform/db/test-databases.ts';
import { nodePlatform } from '../../platform/platform.ts';
import {
  CLUSTER_TOKEN,
  configOf,
  download,
  pod,
  startCluster,
  startFront,
  tokenOf,
} from '../testing/played-cluster.ts';

const KUBECTL = '/usr/bin/kubectl';
const run = promisify(execFile);

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
  file = await download(editor, certificate);
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
    const password = tokenOf(await download(guest, certificate));
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
      const many = await download(editor, certificate);
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
