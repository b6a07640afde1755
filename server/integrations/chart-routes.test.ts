/** Charts over real HTTP: read through the guard from a registry on this machine, kept, and given without it. */
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { integrationChartSchema, type IntegrationChart } from '../../src/contract/http/integration-chart.ts';
import { freePort } from '../../tests/security/support/free-port.ts';
import { openTestBrowser, type TestBrowser } from '../../tests/security/support/test-browser.ts';
import { PASSWORD, startTestServer, type TestServer } from '../../tests/security/support/test-server.ts';
import { openMigratedDatabase } from '../platform/db/test-databases.ts';

const FIXTURES = '../shared/fixtures/charts';
const HOUR_MS = 3_600_000;

let registry: Server;
let server: TestServer;
let editor: TestBrowser;
let asked: string[] = [];
let answer: (path: string) => Promise<string | null>;
const published = (path: string) => readFile(`${FIXTURES}${path}`, 'utf8');

async function signedIn(role: string): Promise<TestBrowser> {
  const browser = openTestBrowser(server.url);
  const { email } = await server.account(role);
  await browser.signIn(email, PASSWORD);
  return browser;
}

async function read(chart: string): Promise<IntegrationChart> {
  const response = await editor.get(`/api/integrations/charts/${chart}`);
  expect(response.status).toBe(200);
  return integrationChartSchema.parse(await response.json());
}

beforeAll(async () => {
  const port = await freePort();
  registry = createServer((request, response) => {
    const path = request.url ?? '';
    asked.push(path);
    answer(path).then(
      (text) => response.writeHead(text === null ? 503 : 200).end(text ?? ''),
      () => response.writeHead(404).end(),
    );
  }).listen(port, '127.0.0.1');
  await once(registry, 'listening');
  server = await startTestServer(await openMigratedDatabase('postgres'), {
    chartsUrl: `http://127.0.0.1:${port}`,
  });
  editor = await signedIn('editor');
});
beforeEach(() => {
  asked = [];
  answer = published;
});
afterAll(async () => {
  await server.stop();
  registry.close();
});

it('is read once, and from then on kept', async () => {
  const first = await read('kubernetes');
  expect(first).toMatchObject({ name: 'mission-control-kubernetes', version: '0.1.80', problem: null });
  expect(first.schema).toHaveProperty('properties.clusterName');
  expect(asked).toHaveLength(2);
  expect(await read('kubernetes')).toEqual(first);
  expect(asked).toHaveLength(2);
});

it('is asked for again after a day; a registry that is away changes nothing but says so', async () => {
  await read('flux');
  server.advance(25 * HOUR_MS);
  // Nobody's session is as old.
  editor = await signedIn('editor');
  answer = () => Promise.resolve(null);
  const old = await read('flux');
  expect(old.schema).toHaveProperty('properties.topologyName');
  expect(old.problem).toMatch(/HTTP 503/);
  // Nobody who opens the form a moment later waits for it again.
  const before = asked.length;
  await read('flux');
  expect(asked).toHaveLength(before);
  answer = published;
  server.advance(HOUR_MS);
  expect((await read('flux')).problem).toBeNull();
});

it('that was never read is answered without fields, with the reason', async () => {
  answer = () => Promise.resolve('<html>a proxy</html>');
  expect(await read('aws')).toMatchObject({
    name: null,
    schema: null,
    problem: expect.stringMatching(/no chart/) as string,
  });
});

it('is for whoever may add integrations, and only one of those there are', async () => {
  const viewer = await signedIn('viewer');
  expect((await viewer.get('/api/integrations/charts/aws')).status).toBe(403);
  expect((await editor.get('/api/integrations/charts/..%2f..%2fsecret')).status).toBe(400);
  expect(asked).toEqual([]);
});
