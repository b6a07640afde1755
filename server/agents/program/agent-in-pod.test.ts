/**
 * An agent that runs in a pod offers the pod's cluster with the pod's own account, whose token changes; tools that speak
 * SPDY reach it; and of two agents that were given one token the second stands back.
 */
import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { freePort } from '../../../tests/security/support/free-port.ts';
import { signInAs } from '../../../tests/security/support/signed-in.ts';
import type { SignedIn } from '../../../tests/security/support/signed-in.ts';
import { startTestServer } from '../../../tests/security/support/test-server.ts';
import type { TestServer } from '../../../tests/security/support/test-server.ts';
import { makeTestCertificate, type TestCertificate } from '../../health/testing/test-certificate.ts';
import { openMigratedDatabase } from '../../platform/db/test-databases.ts';
import { createServerGuard } from '../../platform/egress/server-guard.ts';
import { createLeases } from '../../platform/jobs/leases.ts';
import { nodePlatform } from '../../platform/platform.ts';
import { download, startCluster, startFront, tokenOf } from '../testing/played-cluster.ts';
import { runAgent } from './run-agent.ts';

const KUBECTL = '/usr/bin/kubectl';
const ACCOUNT = 'var/run/secrets/kubernetes.io/serviceaccount';
const run = promisify(execFile);
const soon = { timeout: 30_000, interval: 100 };
const account = { token: 'the-first-token-of-the-pod' };
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let certificate: TestCertificate;
let cluster: Awaited<ReturnType<typeof startCluster>>;
let front: Awaited<ReturnType<typeof startFront>>;
let server: TestServer;
let root = '';
let editor: SignedIn;
let file = '';
let token = '';
const logged: string[] = [];
const agents: { stop: () => Promise<void> }[] = [];

/** With a database of its own, as if it stood in a pod. */
async function startAgent(name: string) {
  const site = await startTestServer(await openMigratedDatabase('postgres'));
  const said: string[] = [];
  const logger = pino({ level: 'info' }, { write: (text: string) => said.push(text) });
  const stop = new AbortController();
  const leases = createLeases({ db: site.db, platform: nodePlatform, logger, isAlone: true });
  const ownCluster = { kubeconfig: null, accountRoot: `${root}/` };
  const upstream = { url: server.url, user: 'token', password: token, agentName: 'edge', ownCluster };
  const guard = createServerGuard({ egressAllow: [], egressDeny: [], databaseUrl: null });
  // Pings and tries come sooner than each 20 or 30 s.
  const sleep = (ms: number, signal?: AbortSignal) =>
    nodePlatform.sleep(ms === 20_000 || ms === 30_000 ? 500 : ms, signal);
  const platform = { ...nodePlatform, sleep };
  const parts = { ...site.backend, notifier: site.notifier, platform, logger, leases };
  const outside = { ...site.backend.outside, guard };
  const running = runAgent({ ...parts, outside, settings: { upstream } }, stop.signal);
  let isOver = false;
  const agent = {
    name,
    said,
    stop: async () => {
      if (isOver) return;
      isOver = true;
      stop.abort();
      await running;
      await site.stop();
    },
  };
  agents.push(agent);
  return agent;
}

const writeAccount = async (changed: string): Promise<void> => {
  await writeFile(join(root, ACCOUNT, 'token'), changed);
  account.token = changed;
};
const PODS = '/api/kubeproxy/agents/edge/api/v1/namespaces/shop/pods';
const authorization = () => `Basic ${Buffer.from(`token:${tokenOf(file)}`).toString('base64')}`;
const statusOf = async () =>
  (await fetch(`${server.url}${PODS}`, { headers: { authorization: authorization() } })).status;

beforeAll(async () => {
  certificate = await makeTestCertificate(10);
  cluster = await startCluster(certificate, account);
  root = await mkdtemp(join(tmpdir(), 'holdfast-pod-'));
  await mkdir(join(root, ACCOUNT), { recursive: true });
  await writeFile(join(root, ACCOUNT, 'ca.crt'), certificate.ca);
  await writeFile(join(root, ACCOUNT, 'namespace'), 'shop');
  await writeAccount(account.token);
  const [host = '', clusterPort = ''] = cluster.address.split(':');
  vi.stubEnv('KUBERNETES_SERVICE_HOST', host);
  vi.stubEnv('KUBERNETES_SERVICE_PORT', clusterPort);
  const port = await freePort();
  front = await startFront(certificate, port);
  const logger = pino({ level: 'warn' }, { write: (text: string) => logged.push(text) });
  server = await startTestServer(await openMigratedDatabase('postgres'), {
    port,
    logger,
    settings: { publicUrl: front.url },
  });
  const admin = await signInAs(server, 'admin');
  const made = await admin.browser.post('/api/agent/generate', { name: 'edge' });
  token = z.object({ access_token: z.string() }).parse(await made.json()).access_token;
  editor = await signInAs(server, 'editor');
  file = await download(editor, certificate);
  await startAgent('first');
  await vi.waitFor(async () => expect(await statusOf()).toBe(200), soon);
  file = await download(editor, certificate);
  await writeFile(join(root, 'downloaded'), file, { mode: 0o600 });
});
afterAll(async () => {
  for (const { stop } of agents) await stop();
  vi.unstubAllEnvs();
  await front.close();
  await server.stop();
  await cluster.close();
  await rm(root, { recursive: true, force: true });
});

describe('the account of a pod', () => {
  it('signs in at the cluster whose authority lies beside it, with the token as it is now', async () => {
    expect(cluster.heard.at(-1)?.headers.authorization).toBe('Bearer the-first-token-of-the-pod');
    await writeAccount('the-token-after-an-hour');
    expect(await statusOf()).toBe(200);
    expect(cluster.heard.at(-1)?.headers.authorization).toBe('Bearer the-token-after-an-hour');
  });

  it('trusts no cluster of another authority, and one that refuses the token is told', async () => {
    const other = await makeTestCertificate(10);
    await writeFile(join(root, ACCOUNT, 'ca.crt'), other.ca);
    expect(await statusOf()).toBe(502);
    await writeFile(join(root, ACCOUNT, 'ca.crt'), certificate.ca);
    account.token = 'another one';
    expect(await statusOf()).toBe(502);
    await writeAccount('the-last-token');
    expect(await statusOf()).toBe(200);
  });
});

/** A connection that asked to speak SPDY, and the head of the answer. */
async function askSpdy(
  path: string,
  protocols: readonly string[],
): Promise<{ socket: Socket; head: string }> {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  const lines = [
    `POST ${PODS}/${path} HTTP/1.1`,
    'Host: localhost',
    `Authorization: ${authorization()}`,
    'Connection: Upgrade',
    'Upgrade: SPDY/3.1',
    ...protocols.map((one) => `X-Stream-Protocol-Version: ${one}`),
    'Content-Length: 0',
  ];
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  let head = Buffer.alloc(0);
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.on('data', function read(chunk: Buffer) {
      head = Buffer.concat([head, chunk]);
      if (!head.includes('\r\n\r\n')) return;
      socket.off('data', read);
      resolve();
    });
  });
  return { socket, head: head.toString() };
}

describe('SPDY', () => {
  const PROTOCOLS = ['v4.channel.k8s.io', 'v3.channel.k8s.io', 'channel.k8s.io'];

  it('is agreed on with the cluster, whose bytes come and go as they are', async () => {
    const { socket, head } = await askSpdy('a/portforward', PROTOCOLS);
    expect(head).toMatch(/^HTTP\/1\.1 101 /);
    expect(head.toLowerCase()).toContain('upgrade: spdy/3.1');
    expect(head.toLowerCase()).toContain('x-stream-protocol-version: v4.channel.k8s.io');
    const asked = cluster.heard.at(-1);
    expect(asked?.method).toBe('POST');
    expect(asked?.headers['impersonate-user']).toBe(`holdfast:${editor.id}`);
    // As they were offered: in lines of their own.
    const raw = asked?.raw ?? [];
    const offered = raw.filter((_, index) => raw[index - 1]?.toLowerCase() === 'x-stream-protocol-version');
    expect(offered).toEqual(PROTOCOLS);

    // Data frames of streams: the cluster sends each back.
    const frames = Array.from({ length: 40 }, (_, index) => {
      const payload = randomBytes(10_000 + index);
      const frame = Buffer.alloc(8 + payload.length);
      frame.writeUInt32BE(1 + 2 * index, 0);
      frame.writeUIntBE(payload.length, 5, 3);
      payload.copy(frame, 8);
      return frame;
    });
    const sent = Buffer.concat(frames);
    let back = Buffer.alloc(0);
    socket.on('data', (chunk: Buffer) => {
      back = Buffer.concat([back, chunk]);
    });
    socket.write(sent);
    await expect.poll(() => back.length, soon).toBe(sent.length);
    expect(back.equals(sent)).toBe(true);
    socket.destroy();
    await expect.poll(() => cluster.open(), soon).toBe(0);
  });

  const env = {
    HOME: '/nonexistent',
    KUBECTL_REMOTE_COMMAND_WEBSOCKETS: 'false',
    KUBECTL_PORT_FORWARD_WEBSOCKETS: 'false',
  };
  const argsOf = (...args: string[]) => ['--kubeconfig', join(root, 'downloaded'), '-n', 'shop', ...args];

  it.runIf(existsSync(KUBECTL))('kubectl runs commands by it', async () => {
    const { stdout } = await run(KUBECTL, argsOf('exec', 'a', '-c', 'main', '--', 'ls', '/'), { env });
    expect(stdout).toBe('ran ls / by SPDY');
    expect(cluster.heard.at(-1)).toMatchObject({ method: 'POST', headers: { upgrade: 'SPDY/3.1' } });
  });

  it.runIf(existsSync(KUBECTL))('kubectl forwards ports by it', async () => {
    const port = await freePort();
    const forwarding = spawn(KUBECTL, argsOf('port-forward', 'pod/a', `${port}:80`), { env });
    try {
      let said = '';
      for (const stream of [forwarding.stdout, forwarding.stderr])
        stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
      await expect.poll(() => said, soon).toContain('Forwarding from');
      const socket = connect(port, '127.0.0.1');
      let back = '';
      socket.on('data', (chunk: Buffer) => (back += chunk.toString()));
      socket.on('error', () => socket.destroy());
      socket.write('hello over there');
      await expect.poll(() => back, soon).toBe('hello over there');
      socket.destroy();
    } finally {
      forwarding.kill();
    }
  });
});

describe('two agents with one token', () => {
  const row = z.object({ program_host: z.string(), second_host: z.string().nullable() });
  const told = async () => {
    const rows = await server.db.rows(
      z.looseObject({ program_host: z.string().nullable(), second_host: z.string().nullable() }),
      "select program_host, second_host, second_since from agents_summary where name = 'edge'",
    );
    return rows[0];
  };
  const lineOf = () => server.db.text("select cluster_token::text from agents where name = 'edge'");

  it('the first keeps its line and goes on, the second stands back, and all are told', async () => {
    const line = await lineOf();
    const [first] = agents as [Awaited<ReturnType<typeof startAgent>>];
    const second = await startAgent('second');
    await expect.poll(() => second.said.join(''), soon).toContain('this agent stands back');
    expect(second.said.join('')).toMatch(
      /Another program answers the name of agent edge already, on .+ since /,
    );
    await expect.poll(() => first.said.join(''), soon).toContain('Another program calls with the token');
    expect(logged.join('')).toContain('two programs call with the token of one agent');
    const seen = row.parse(await told());
    expect(seen.second_host).toBe(seen.program_host);
    // For as long as both are there: no line changes hands.
    for (let look = 0; look < 10; look += 1) {
      expect([await lineOf(), await statusOf()]).toEqual([line, 200]);
      await nodePlatform.sleep(300);
    }
    expect(second.said.join('').match(/stands back"/g)?.length).toBe(1);
  });

  it('the second takes over once the first is gone', async () => {
    await agents[0]?.stop();
    await vi.waitFor(async () => expect(await statusOf()).toBe(503), soon);
    // Not heard for longer than an agent is online.
    server.advance(62_000);
    await vi.waitFor(async () => expect(await statusOf()).toBe(200), soon);
    expect((await told())?.second_host).toBeNull();
  });
});
