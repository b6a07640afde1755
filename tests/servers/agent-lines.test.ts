/**
 * The cluster of an agent through any of several servers on one PostgreSQL, all processes of their own: the one that the
 * agent's line leads to, and the others, which pass calls on to it. It is frozen and killed: whoever calls is told in
 * bounded time, and the agent is reached again at another one.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { CoreV1Api, Exec, KubeConfig, Watch } from '@kubernetes/client-node';
import { pino } from 'pino';
import { parse } from 'yaml';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { PEER_CALL, sealPeerCall } from '../../server/agents/cluster-proxy/peer-call.ts';
import { CLUSTER_TOKEN, pod, startCluster } from '../../server/agents/testing/played-cluster.ts';
import { makeTestCertificate } from '../../server/health/testing/test-certificate.ts';
import { createSealer } from '../../server/platform/crypto/sealing.ts';
import type { Database } from '../../server/platform/db/database.ts';
import { openPostgresDatabase } from '../../server/platform/db/postgres-database.ts';
import { createMigratedPostgres } from '../../server/platform/db/test-databases.ts';
import { nodePlatform } from '../../server/platform/platform.ts';
import { freePort } from '../security/support/free-port.ts';
import { startProcess, type ServerProcess } from '../security/support/server-process.ts';
import { openTestBrowser } from '../security/support/test-browser.ts';
import { openWeakLine, type WeakLine } from './weak-line.ts';

const KEY = Buffer.alloc(32, 7);
const ADMIN = { email: 'admin@local', password: 'a password for lines' };
const WAIT = { timeout: 120_000, interval: 250 };
/** A server that is gone is missed after 12 s, which is looked at every 2 s. */
const TOLD_WITHIN_MS = 20_000;
vi.setConfig({ testTimeout: 3 * WAIT.timeout, hookTimeout: 3 * WAIT.timeout });

interface Member {
  url: string;
  env: Record<string, string>;
  process: ServerProcess;
}

let root = '';
let db: Database;
let cluster: Awaited<ReturnType<typeof startCluster>>;
let members: [Member, Member];
let line: WeakLine;
let agent: ServerProcess;
let token = '';

const PODS = '/api/kubeproxy/agents/edge/api/v1/namespaces/shop/pods';
const at = (index: 0 | 1): string => members[index].url;
const authorization = () => `Basic ${Buffer.from(`token:${token}`).toString('base64')}`;
const ask = (index: 0 | 1, path = PODS, init: RequestInit = {}) =>
  fetch(`${at(index)}${path}`, {
    redirect: 'manual',
    ...init,
    headers: { authorization: authorization(), ...(init.headers as Record<string, string> | undefined) },
  });
const statusAt = async (index: 0 | 1) => (await ask(index)).status;

function configAt(index: 0 | 1): KubeConfig {
  const config = new KubeConfig();
  config.loadFromClusterAndUser(
    { name: 'edge', server: `${at(index)}/api/kubeproxy/agents/edge`, skipTLSVerify: true },
    { name: 'editor', username: 'token', password: token },
  );
  return config;
}

const folderOf = (name: string) => {
  mkdirSync(join(root, name));
  return join(root, name);
};

async function startMember(name: string, database: string): Promise<Member> {
  const folder = folderOf(name);
  writeFileSync(join(folder, 'identity.key'), `${KEY.toString('hex')}\n`);
  const port = await freePort();
  const env = {
    DATABASE_URL: database,
    DATA_DIR: folder,
    PORT: String(port),
    ADVERTISE_URL: `http://127.0.0.1:${port}`,
    ADMIN_EMAIL: ADMIN.email,
    ADMIN_PASSWORD: ADMIN.password,
    LOG_LEVEL: 'fatal',
  };
  const started = startProcess(env);
  await started.ready();
  return { url: env.ADVERTISE_URL, env, process: started };
}

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'holdfast-lines-'));
  cluster = await startCluster(await makeTestCertificate(10));
  const database = await createMigratedPostgres();
  db = await openPostgresDatabase({ url: database, logger: pino({ level: 'silent' }) });
  const first = await startMember('first', database);
  members = [first, await startMember('second', database)];
  const admin = openTestBrowser(first.url);
  await admin.signIn(ADMIN.email, ADMIN.password);
  const made = await admin.post('/api/agent/generate', { name: 'edge' });
  const secret = z.object({ access_token: z.string() }).parse(await made.json()).access_token;
  const downloaded = parse(await (await admin.post('/api/kubeconfig')).text());
  const usersSchema = z.object({ users: z.array(z.object({ user: z.object({ password: z.string() }) })) });
  token = usersSchema.parse(downloaded).users[0]?.user.password ?? '';
  line = await openWeakLine(first.url);
  writeFileSync(join(root, 'config'), cluster.kubeconfig(CLUSTER_TOKEN), { mode: 0o600 });
  agent = startProcess({
    DATABASE_URL: await createMigratedPostgres(),
    DATA_DIR: folderOf('agent'),
    UPSTREAM_URL: line.url,
    UPSTREAM_PASSWORD: secret,
    AGENT_NAME: 'edge',
    KUBECONFIG: join(root, 'config'),
    LOG_LEVEL: 'fatal',
  });
  await agent.ready();
  await vi.waitFor(async () => expect(await statusAt(0)).toBe(200), WAIT);
});
afterAll(async () => {
  for (const { process } of members) process.child.kill('SIGCONT');
  await Promise.all([agent, ...members.map(({ process }) => process)].map((each) => each.end('SIGKILL')));
  await line.close();
  await cluster.close();
  await db.close();
  rmSync(root, { recursive: true, force: true, maxRetries: 3 });
});

it('a server that has no line answers as the one that has it, in the name of the person', async () => {
  const core = configAt(1).makeApiClient(CoreV1Api);
  const { items } = await core.listNamespacedPod({ namespace: 'shop' });
  expect(items.map(({ metadata }) => metadata?.name)).toEqual(['a', 'b']);
  const [here, there] = await Promise.all([ask(0), ask(1)]);
  expect([there.status, await there.text()]).toEqual([here.status, await here.text()]);
  const names = cluster.heard.map(({ headers }) => headers['impersonate-user']);
  expect(new Set(names).size).toBe(1);
  expect(names[0]).toMatch(/^holdfast:[\da-f-]{36}$/);
});

it('bodies, redirects, empty answers and refusals go through as they are', async () => {
  const body = JSON.stringify({ value: 'x'.repeat(3_000_000) });
  const headers = { 'content-type': 'application/json-patch+json', 'impersonate-user': 'system:admin' };
  const changed = await ask(1, `${PODS}/a`, { method: 'PATCH', body, headers });
  expect(await changed.json()).toMatchObject({ metadata: { annotations: { sent: body } } });
  expect(cluster.heard.at(-1)?.headers['impersonate-user']).toMatch(/^holdfast:/);
  const moved = await ask(1, '/api/kubeproxy/agents/edge/moved');
  expect([moved.status, moved.headers.get('location')]).toEqual([
    302,
    '/api/kubeproxy/agents/edge/api/v1/pods',
  ]);
  expect((await ask(1, PODS, { method: 'HEAD' })).status).toBe(200);
  const missing = await ask(1, `${PODS}/nowhere?fieldSelector=a%3Db%20c`);
  expect([missing.status, await missing.json()]).toMatchObject([
    404,
    { kind: 'Status', message: 'not there' },
  ]);
  expect(cluster.heard.at(-1)?.url).toContain('fieldSelector=a%3Db%20c');
  expect((await ask(1, PODS, { headers: { authorization: 'Basic bm86bm8=' } })).status).toBe(401);
});

it('watches come piece by piece and end with whoever asked; commands run', async () => {
  const seen: string[] = [];
  const path = '/api/v1/namespaces/shop/pods';
  const watch = await new Watch(configAt(1)).watch(
    path,
    {},
    (type) => seen.push(type),
    () => {},
  );
  await expect.poll(() => cluster.watches.size, WAIT).toBe(1);
  for (const response of cluster.watches)
    response.write(`${JSON.stringify({ type: 'ADDED', object: pod('c') })}\n`);
  await expect.poll(() => seen, WAIT).toEqual(['ADDED']);
  watch.abort();
  await expect.poll(() => cluster.watches.size, WAIT).toBe(0);

  const out = new PassThrough();
  const parts: string[] = [];
  out.on('data', (part: Buffer) => parts.push(part.toString()));
  const status = await new Promise<string | undefined>((resolve, reject) => {
    new Exec(configAt(1))
      .exec('shop', 'a', 'main', ['ls', '/'], out, null, null, false, (said) => resolve(said.status))
      .catch(reject);
  });
  expect([status, parts.join('')]).toEqual(['Success', 'ran ls /']);
  const held = await new Exec(configAt(1)).exec('shop', 'a', 'main', ['hold'], out, null, null, false);
  await expect.poll(() => cluster.open(), WAIT).toBe(1);
  held.terminate();
  await expect.poll(() => cluster.open(), WAIT).toBe(0);
});

it('what one server says to another counts once, there, for that call, and the person is judged anew', async () => {
  const server = (await db.text("select cluster_server from agents where name = 'edge'")) ?? '';
  const parts = { sealer: createSealer(KEY, nodePlatform), platform: nodePlatform };
  const sealed = (changed: Partial<Parameters<typeof sealPeerCall>[1]> = {}) =>
    sealPeerCall(parts, { server, method: 'GET', url: PODS, authorization: authorization(), ...changed });
  const said = async (header: string, index: 0 | 1 = 0) => {
    const answered = await fetch(`${at(index)}${PODS}`, { headers: { [PEER_CALL]: header } });
    return answered.status;
  };
  const once = sealed();
  expect([await said(once), await said(once)]).toEqual([200, 403]);
  expect(await said('nonsense')).toBe(403);
  expect(await said(sealed({ url: `${PODS}/a` }))).toBe(403);
  expect(await said(sealed({ method: 'DELETE' }))).toBe(403);
  expect(await said(sealed({ server: 'another#1' }))).toBe(403);
  expect(await said(sealed(), 1)).toBe(403);
  expect(await said(sealed({ authorization: 'Basic bm86bm8=' }))).toBe(401);
  const early = { ...nodePlatform, now: () => Date.now() - 40_000 };
  const late = { server, method: 'GET', url: PODS, authorization: authorization() };
  expect(await said(sealPeerCall({ ...parts, platform: early }, late))).toBe(403);
});

/** Calls through the other server while the one with the line is gone: told soon, and as Kubernetes tells. */
async function expectTold(index: 0 | 1): Promise<void> {
  const startedMs = Date.now();
  const answered = await ask(index);
  expect(Date.now() - startedMs).toBeLessThan(TOLD_WITHIN_MS);
  expect([answered.status, await answered.json()]).toMatchObject([
    503,
    { kind: 'Status', message: expect.stringContaining('gent edge') },
  ]);
}

it('one that lost its lease, as while the database is away, is found again without a new line', async () => {
  expect(await statusAt(1)).toBe(200);
  await db.run("delete from leases where name like 'cluster-server/%'");
  expect(await statusAt(1)).toBe(503);
  await expect.poll(() => statusAt(1), WAIT).toBe(200);
});

it('one that is frozen is told in bounded time, a watch through it is cut, and it is passed by', async () => {
  const watch = await ask(1, `${PODS}?watch=true`);
  await expect.poll(() => cluster.watches.size, WAIT).toBe(1);
  members[0].process.child.kill('SIGSTOP');
  const startedMs = Date.now();
  const cut = expect(watch.text()).rejects.toThrow();
  await expectTold(1);
  await cut;
  expect(Date.now() - startedMs).toBeLessThan(TOLD_WITHIN_MS);
  line.leadTo(at(1));
  await expect.poll(() => statusAt(1), WAIT).toBe(200);
  members[0].process.child.kill('SIGCONT');
  // Whatever the first one writes when it goes on, the line is at the second.
  await expect.poll(() => statusAt(0), WAIT).toBe(200);
  await new Promise((resolve) => setTimeout(resolve, 3000));
  expect([await statusAt(0), await statusAt(1)]).toEqual([200, 200]);
});

it('one that is killed is told at once, and the agent is reached at another', async () => {
  await members[1].process.end('SIGKILL');
  await expectTold(0);
  line.leadTo(at(0));
  await expect.poll(() => statusAt(0), WAIT).toBe(200);
  const restarted = startProcess(members[1].env);
  members[1] = { ...members[1], process: restarted };
  await restarted.ready();
  await expect.poll(() => statusAt(1), WAIT).toBe(200);
});
