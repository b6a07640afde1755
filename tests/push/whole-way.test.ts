/**
 * The whole way, with the server as a process of its own: a service on loopback stops, and what its rules name hears of
 * it once, by mail, on a browser and by webhook, also when the server is killed while it tells.
 */
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeTestCertificate } from '../../server/health/testing/test-certificate.ts';
import { startLocalSmtp } from '../../server/notifications/testing/local-smtp.ts';
import { preparedDatabases } from '../prepared-databases.ts';
import { startProcess, type ServerProcess } from '../security/support/server-process.ts';
import { openTestBrowser, type TestBrowser } from '../security/support/test-browser.ts';
import { PushedBrowser, startPushStandIn, type PushStandIn } from './push-service-stand-in.ts';

const PASSWORD = 'correct horse battery staple';
const SOON = { timeout: 120_000, interval: 100 };

interface Called {
  headers: IncomingHttpHeaders;
  body: { title: string; message: string; links: { url: string }[] };
}

let folder: string;
let smtp: Awaited<ReturnType<typeof startLocalSmtp>>;
let push: PushStandIn;
let hook: Server;
let target: Server;
let server: ServerProcess;
let env: Record<string, string>;
const called: Called[] = [];
/** The webhook keeps whoever calls it waiting. */
let isHanging = false;

const portOf = (listening: Server) => (listening.address() as AddressInfo).port;
const listen = (listening: Server, port = 0) =>
  new Promise<void>((resolve) => listening.listen(port, '127.0.0.1', resolve));
const close = (listening: Server) =>
  new Promise<void>((resolve) => {
    listening.close(() => resolve());
    listening.closeAllConnections();
  });

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'holdfast-whole-way-'));
  cpSync((await preparedDatabases()).postgresData, join(folder, 'data'), { recursive: true });
  const certificate = await makeTestCertificate(30);
  writeFileSync(join(folder, 'ca.pem'), certificate.ca);
  push = await startPushStandIn(certificate);
  smtp = await startLocalSmtp();
  hook = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Called['body'];
      called.push({ headers: request.headers, body });
      if (!isHanging) response.end('ok');
    });
  });
  target = createServer((_request, response) => response.end('hello'));
  await Promise.all([listen(hook), listen(target)]);
  writeFileSync(
    join(folder, 'shop.yaml'),
    `kind: Canary\nmetadata:\n  name: shop\nspec:\n  schedule: "@every 1s"\n  tcp:\n    - name: till\n      endpoint: 127.0.0.1:${portOf(target)}\n`,
  );
  env = {
    DATA_DIR: join(folder, 'data'),
    CANARIES_DIR: folder,
    ADMIN_PASSWORD: PASSWORD,
    SMTP_URL: smtp.url,
    EGRESS_ALLOW: '127.0.0.1',
    PUBLIC_URL: 'http://holdfast.example',
    NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem'),
  };
});
afterAll(async () => {
  await server.end('SIGKILL');
  await Promise.all([close(hook), close(target), push.stop(), smtp.close()]);
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
});

async function start(): Promise<TestBrowser> {
  server = startProcess(env);
  const browser = openTestBrowser(await server.ready());
  expect((await browser.signIn('admin@local', PASSWORD)).status).toBe(200);
  return browser;
}
async function rowsOf<Row>(browser: TestBrowser, path: string): Promise<Row[]> {
  const answer = await browser.get(`/api/db/${path}`);
  expect(answer.status).toBe(200);
  return (await answer.json()) as Row[];
}
const states = async (browser: TestBrowser) =>
  (await rowsOf<{ status: string }>(browser, 'notification_send_history?select=status'))
    .map(({ status }) => status)
    .toSorted();

test('a service that stops is told of once by each way, and by the next server where one was killed over it', async () => {
  let browser = await start();
  const [person] = await rowsOf<{ id: string }>(browser, 'people?email=eq.admin@local&select=id');
  const phone = new PushedBrowser(push);
  expect((await browser.post('/api/push/subscriptions', phone.subscription)).status).toBe(201);
  const settings = { push: true, mail: 'always', quiet: null, urgentPasses: true };
  expect((await browser.post('/api/notifications/reach/settings', settings)).status).toBe(204);
  const url = `http://127.0.0.1:${portOf(hook)}/in`;
  const events = ['check.failed'];
  for (const to of [{ person_id: person?.id }, { custom_services: [{ name: 'hook', url }] }]) {
    const made = await browser.post('/api/db/notifications', { events, source: 'UI', ...to });
    expect(made.status, await made.text()).toBe(201);
  }
  const status = async () =>
    (await rowsOf<{ status: string | null }>(browser, 'checks?name=eq.till&select=status'))[0]?.status;
  await expect.poll(status, SOON).toBe('healthy');

  isHanging = true;
  const port = portOf(target);
  await close(target);
  await expect
    .poll(() => [smtp.mails.length, phone.messages().length, called.length], SOON)
    .toEqual([1, 1, 1]);
  await expect.poll(() => states(browser), SOON).toEqual(['sending', 'sent', 'sent']);
  // The webhook has it and nobody knows: the next server tells it again, by the same key.
  await server.end('SIGKILL');
  isHanging = false;
  browser = await start();
  await expect.poll(() => states(browser), SOON).toEqual(['sent', 'sent', 'sent']);
  expect(called.map(({ headers }) => headers['idempotency-key'])).toHaveLength(2);
  expect(new Set(called.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
  expect([smtp.mails.length, phone.messages().length]).toEqual([1, 1]);

  const [check] = await rowsOf<{ id: string }>(browser, 'checks?name=eq.till&select=id');
  const page = `/health?layout=table&checkId=${check?.id}&timeRange=1h`;
  expect(called[0]?.body.title).toBe('Check till has failed');
  expect(called[0]?.body.links[0]?.url).toBe(`http://holdfast.example${page}`);
  expect(phone.messages()).toMatchObject([
    { title: 'Check till has failed', url: page, about: { kind: 'check', id: check?.id } },
  ]);
  const mail = await PostalMime.parse(smtp.mails[0]?.raw ?? '');
  expect(mail.subject).toBe('Check till has failed');
  expect(mail.text).toContain(`http://holdfast.example${page}`);
  await listen(target, port);
  await expect.poll(status, SOON).toBe('healthy');
}, 400_000);
