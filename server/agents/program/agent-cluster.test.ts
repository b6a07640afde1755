/**
 * The cluster of an agent through its upstream server, over HTTP: a real client library and, where it is installed,
 * kubectl, the server, the agent's own program, and an API server that is played on this machine.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect as connectHttp2 } from 'node:http2';
import { createServer as createNetServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { promisify } from 'node:util';
import { CoreV1Api, Exec, Log, Watch } from '@kubernetes/client-node';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { freePort } from '../../../tests/security/support/free-port.ts';
import { signInAs } from '../../../tests/security/support/signed-in.ts';
import type { SignedIn } from '../../../tests/security/support/signed-in.ts';
import { startTestServer } from '../../../tests/security/support/test-server.ts';
import type { TestServer } from '../../../tests/security/support/test-server.ts';
import { makeTestCertificate, type TestCertificate } from '../../health/testing/test-certificate.ts';
import type { Database } from '../../platform/db/database.ts';
import { openMigratedDatabase } from '../../platform/db/test-databases.ts';
import { createServerGuard } from '../../platform/egress/server-guard.ts';
import { createLeases } from '../../platform/jobs/leases.ts';
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
import { runAgent } from './run-agent.ts';
import { serveCluster } from './serve-cluster.ts';

const WAIT = 60_000;
const KUBECTL = '/usr/bin/kubectl';
const run = promisify(execFile);
const soon = { timeout: 20_000 };

let server: TestServer;
let site: TestServer;
let siteDb: Database;
let cluster: Awaited<ReturnType<typeof startCluster>>;
let certificate: TestCertificate;
let front: Awaited<ReturnType<typeof startFront>>;
let folder: string;
let editor: SignedIn;
let token: string;
let file: string;
let stopAgent: () => Promise<void>;

/** The agent's loops, on the site's database, with a kubeconfig of the site's cluster. */
function startAgent(): () => Promise<void> {
  const stop = new AbortController();
  const logger = pino({ level: 'silent' });
  const leases = createLeases({ db: siteDb, platform: nodePlatform, logger, isAlone: true });
  const ownCluster = { kubeconfig: join(folder, 'config') };
  const upstream = { url: server.url, user: 'token', password: token, agentName: 'edge', ownCluster };
  const parts = { ...site.backend, notifier: site.notifier, platform: nodePlatform, logger, leases };
  const guard = createServerGuard({ egressAllow: [], egressDeny: [], databaseUrl: null });
  const outside = { ...site.backend.outside, guard };
  const running = runAgent({ ...parts, outside, settings: { upstream } }, stop.signal);
  return async () => {
    stop.abort();
    await running;
  };
}

const ask = (path: string, headers: Record<string, string> = {}, init: RequestInit = {}) =>
  fetch(`${server.url}/api/kubeproxy${path}`, {
    redirect: 'manual',
    ...init,
    headers: {
      authorization: `Basic ${Buffer.from(`token:${tokenOf(file)}`).toString('base64')}`,
      ...headers,
    },
  });
const PODS = '/agents/edge/api/v1/namespaces/shop/pods';
const statusOf = async (path: string) => (await ask(path)).status;
const lastHeard = () => cluster.heard.at(-1);

beforeAll(async () => {
  certificate = await makeTestCertificate(10);
  cluster = await startCluster(certificate);
  folder = await mkdtemp(join(tmpdir(), 'holdfast-agent-cluster-'));
  await writeFile(join(folder, 'config'), cluster.kubeconfig(CLUSTER_TOKEN), { mode: 0o600 });
  const port = await freePort();
  front = await startFront(certificate, port);
  server = await startTestServer(await openMigratedDatabase('postgres'), {
    port,
    settings: { publicUrl: front.url },
    platform: {
      ...nodePlatform,
      // The right to a call and to a line is judged again every half minute: here sooner.
      sleep: (ms, signal) => nodePlatform.sleep(ms === 30_000 ? 200 : ms, signal),
    },
  });
  siteDb = await openMigratedDatabase('postgres');
  site = await startTestServer(siteDb);
  const admin = await signInAs(server, 'admin');
  const made = await admin.browser.post('/api/agent/generate', { name: 'edge' });
  token = z.object({ access_token: z.string() }).parse(await made.json()).access_token;
  editor = await signInAs(server, 'editor');
  file = await download(editor, certificate);
  stopAgent = startAgent();
  await vi.waitFor(async () => expect(await statusOf(PODS)).toBe(200), soon);
  file = await download(editor, certificate);
}, WAIT);
afterAll(async () => {
  await stopAgent();
  await site.stop();
  await front.close();
  await server.stop();
  await cluster.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(() => {
  cluster.heard.length = 0;
});

describe('a real client library', () => {
  it('lists, as the person, with the sign-in of the agent', async () => {
    const core = configOf(file).makeApiClient(CoreV1Api);
    const { items } = await core.listNamespacedPod({ namespace: 'shop' });
    expect(items.map(({ metadata }) => metadata?.name)).toEqual(['a', 'b']);
    expect(lastHeard()?.headers).toMatchObject({
      authorization: `Bearer ${CLUSTER_TOKEN}`,
      'impersonate-user': `holdfast:${editor.id}`,
      'impersonate-group': 'holdfast:editor',
    });
  });

  it('watches and follows logs piece by piece, and leaves nothing open at the cluster', async () => {
    const config = configOf(file);
    const seen: string[] = [];
    const watch = await new Watch(config).watch(
      '/api/v1/namespaces/shop/pods',
      {},
      (type) => seen.push(type),
      () => {},
    );
    await expect.poll(() => cluster.watches.size, soon).toBe(1);
    for (const response of cluster.watches)
      response.write(`${JSON.stringify({ type: 'ADDED', object: pod('c') })}\n`);
    await expect.poll(() => seen, soon).toEqual(['ADDED']);
    watch.abort();
    await expect.poll(() => cluster.watches.size, soon).toBe(0);

    const lines = new PassThrough();
    let text = '';
    lines.on('data', (part: Buffer) => {
      text += part.toString();
    });
    const following = await new Log(config).log('shop', 'a', 'main', lines, { follow: true });
    await expect.poll(() => text, soon).toBe('one\n');
    for (const response of cluster.watches) response.write('two\n');
    await expect.poll(() => text, soon).toBe('one\ntwo\n');
    following.abort();
    await expect.poll(() => cluster.watches.size, soon).toBe(0);
  });

  it('runs commands', async () => {
    const out = new PassThrough();
    const parts: string[] = [];
    out.on('data', (part: Buffer) => parts.push(part.toString()));
    const status = await new Promise<string | undefined>((resolve, reject) => {
      new Exec(configOf(file))
        .exec('shop', 'a', 'main', ['ls', '/'], out, null, null, false, (said) => resolve(said.status))
        .catch(reject);
    });
    expect([status, parts.join('')]).toEqual(['Success', 'ran ls /']);
    await expect.poll(() => cluster.open(), soon).toBe(0);
  });

  it(
    'what runs in a pod ends with its caller, and soon after the right to it',
    async () => {
      const guest = await signInAs(server, 'editor');
      const config = configOf(await download(guest, certificate));
      const hold = () =>
        new Exec(config).exec('shop', 'a', 'main', ['hold'], new PassThrough(), null, null, false);
      const left = await hold();
      await expect.poll(() => cluster.open(), soon).toBe(1);
      left.terminate();
      await expect.poll(() => cluster.open(), soon).toBe(0);

      const cut = await hold();
      const ended = new Promise((resolve) => cut.addEventListener('close', resolve));
      await expect.poll(() => cluster.open(), soon).toBe(1);
      const { accessTokens } = server.backend;
      for (const { id } of await accessTokens.list(guest.id)) await accessTokens.end(guest.id, id);
      await ended;
      await expect.poll(() => cluster.open(), soon).toBe(0);
    },
    WAIT,
  );
});

describe.runIf(existsSync(KUBECTL))('kubectl', () => {
  it(
    'gets, reads logs and runs commands with the downloaded file',
    async () => {
      const path = join(folder, 'downloaded');
      await writeFile(path, file, { mode: 0o600 });
      const kubectl = async (...args: string[]) =>
        (await run(KUBECTL, ['--kubeconfig', path, '-n', 'shop', ...args], { env: { HOME: folder } })).stdout;
      expect(await kubectl('get', 'pods', '-o', 'name')).toBe('pod/a\npod/b\n');
      expect(await kubectl('logs', 'a')).toBe('one\ntwo\n');
      expect(await kubectl('exec', 'a', '-c', 'main', '--', 'ls', '/')).toBe('ran ls /');
    },
    WAIT,
  );
});

describe('what goes through', () => {
  it('a large body both ways, as it is, and no header by which somebody chooses as whom', async () => {
    const body = JSON.stringify({ value: 'x'.repeat(3_000_000) });
    const forged = {
      'content-type': 'application/json-patch+json',
      'holdfast-user': 'holdfast:somebody',
      'impersonate-user': 'system:admin',
      'impersonate-group': 'system:masters',
    };
    const answered = await ask(`${PODS}/a`, forged, { method: 'PATCH', body });
    expect(await answered.json()).toMatchObject({ metadata: { annotations: { sent: body } } });
    expect(lastHeard()?.headers).toMatchObject({
      'impersonate-user': `holdfast:${editor.id}`,
      'impersonate-group': 'holdfast:editor',
      'content-type': 'application/json-patch+json',
    });
    expect(lastHeard()?.headers['holdfast-user']).toBeUndefined();
  });

  it('redirects stay below the address of the agent, and what the cluster refuses is told as it says it', async () => {
    const moved = await ask('/agents/edge/moved');
    expect(moved.headers.get('location')).toBe('/api/kubeproxy/agents/edge/api/v1/pods');
    expect((await ask(PODS, {}, { method: 'HEAD' })).status).toBe(200);
    const missing = await ask(`${PODS}/nowhere`);
    expect([missing.status, await missing.json()]).toMatchObject([404, { message: 'not there' }]);
  });

  it('nothing of somebody who may not, or signs in otherwise', async () => {
    expect((await editor.browser.get(`/api/kubeproxy${PODS}`)).status).toBe(403);
    expect((await ask(PODS, { authorization: '' })).status).toBe(401);
    const agent = `Basic ${Buffer.from(`token:${token}`).toString('base64')}`;
    expect((await ask(PODS, { authorization: agent })).status).toBe(403);
    expect(cluster.heard).toEqual([]);
  });
});

describe('an agent', () => {
  it('answers only what is for its own cluster and in the name of a person', async () => {
    const opened: string[] = [];
    const lines = createNetServer((line) => {
      void serveCluster(line, {
        agentName: 'edge',
        guard: createServerGuard({ egressAllow: [], egressDeny: [], databaseUrl: null }),
        logger: pino({ level: 'silent' }),
        open: () => {
          opened.push('opened');
          return Promise.reject(new Error('no cluster is asked here'));
        },
      });
    });
    await new Promise<void>((resolve) => lines.listen(0, '127.0.0.1', resolve));
    const session = connectHttp2(`http://127.0.0.1:${(lines.address() as AddressInfo).port}`);
    const good = {
      ':path': '/api/v1/pods',
      'holdfast-agent': 'edge',
      'holdfast-user': 'holdfast:1',
      'holdfast-groups': 'holdfast:editor',
    };
    const failureOf = (changed: Record<string, string>) =>
      new Promise<unknown>((resolve, reject) => {
        const stream = session.request({ ...good, ...changed });
        stream.once('response', (headers) => resolve(headers['holdfast-failure']));
        stream.once('error', reject);
        stream.resume();
      });
    try {
      for (const changed of [
        { 'holdfast-agent': 'another' },
        { 'holdfast-user': 'system:admin' },
        { 'holdfast-user': '' },
        { 'holdfast-groups': 'holdfast:editor,system:masters' },
        { ':method': 'TRACE' },
      ])
        expect([changed, await failureOf(changed)]).toEqual([changed, 'forbidden']);
      expect(await failureOf({ ':path': '/a/%2e%2e/b' })).toBe('invalid');
      expect(opened).toEqual([]);
      expect(await failureOf({})).toBe('network');
      expect(opened).toEqual(['opened']);
    } finally {
      session.destroy();
      lines.close();
    }
  });

  const sentenceOf = async (name: string) => {
    const answered = await ask(`/agents/${name}/api/v1/pods`);
    const said = z.object({ kind: z.string(), message: z.string() }).parse(await answered.json());
    return [answered.status, said.kind, said.message];
  };

  it('that is not there, offers nothing, or is at another server, is told as a Status of Kubernetes', async () => {
    expect(await sentenceOf('nobody')).toEqual([404, 'Status', expect.stringContaining('no agent "nobody"')]);
    const admin = await signInAs(server, 'admin');
    await admin.browser.post('/api/agent/generate', { name: 'old' });
    const silent = 'Agent old is not connected';
    expect(await sentenceOf('old')).toEqual([503, 'Status', expect.stringContaining(silent)]);
    await server.db.run("update agents set last_seen = $1::timestamptz where name = 'old'", [new Date()]);
    expect(await sentenceOf('old')).toEqual([503, 'Status', expect.stringContaining('offers no cluster')]);
    const second = await startTestServer(server.db);
    try {
      const there = await fetch(`${second.url}/api/kubeproxy${PODS}`, {
        headers: { authorization: `Bearer ${tokenOf(file)}` },
      });
      const elsewhere = 'connected to another server of this installation (test-host)';
      expect([there.status, await there.text()]).toEqual([503, expect.stringContaining(elsewhere)]);
      expect(await statusOf(PODS)).toBe(200);
    } finally {
      await second.stop();
    }
  });

  it(
    'that goes away cuts the calls that go on, is told as away, and is reached once it is back',
    async () => {
      const watch = await ask(`${PODS}?watch=true`);
      await expect.poll(() => cluster.watches.size, soon).toBe(1);
      await stopAgent();
      // Cut, not ended: nobody takes a part for the whole.
      await expect(watch.text()).rejects.toThrow();
      await expect.poll(() => cluster.watches.size, soon).toBe(0);
      expect(await sentenceOf('edge')).toEqual([503, 'Status', expect.stringContaining('not connected')]);
      // Shown by kubectl, which leaves out the sentence of a Status while it looks for the API.
      expect((await ask(PODS)).headers.get('warning')).toMatch(/^299 - "Agent edge is not connected.*"$/);
      stopAgent = startAgent();
      await expect.poll(() => statusOf(PODS), soon).toBe(200);
    },
    WAIT,
  );

  it(
    'whose token ends loses its line soon',
    async () => {
      const person = z.strictObject({ person_id: z.string() });
      const [agent] = await server.db.rows(person, "select person_id from agents where name = 'edge'", []);
      const { accessTokens } = server.backend;
      const id = agent?.person_id ?? '';
      for (const one of await accessTokens.list(id)) await accessTokens.end(id, one.id);
      await expect.poll(() => statusOf(PODS), soon).toBe(503);
    },
    WAIT,
  );
});
