/** The two reduced deployments: the app in front of another backend, and health without sign-in. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, Server } from 'node:http';
import { tmpdir } from 'node:os';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { forEachDatabase } from '../../server/platform/db/test-databases.ts';
import { nodePlatform } from '../../server/platform/platform.ts';
import { createApp } from '../../server/app/create-app.ts';
import { openTestBrowser } from './support/test-browser.ts';
import { startTestServer } from './support/test-server.ts';
import type { TestServer } from './support/test-server.ts';

interface Seen {
  method: string | undefined;
  url: string | undefined;
  cookie: string | undefined;
  body: string;
}

async function read(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  return body;
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

describe('in front of an existing backend', () => {
  let backend: Server;
  const seen: Seen[] = [];
  const closers: (() => Promise<void>)[] = [];

  async function front(backendUrl: string, isChecksOnly: boolean): Promise<string> {
    const app = await createApp({
      localProperties: new Map(),
      settings: { backendUrl, isChecksOnly, publicUrl: null },
      platform: nodePlatform,
      logger: pino({ level: 'silent' }),
      appDir: `${tmpdir()}/holdfast-no-app`,
      hostname: 'front',
      backend: () => null,
    });
    await app.listen({ port: 0, host: '127.0.0.1' });
    closers.push(() => app.close());
    return `http://localhost:${portOf(app.server)}`;
  }

  beforeAll(async () => {
    backend = createServer((request, response) => {
      void read(request).then((body) => {
        seen.push({ method: request.method, url: request.url, cookie: request.headers.cookie, body });
        const isMissing = request.url === '/capabilities';
        response.writeHead(isMissing ? 404 : 200, {
          'content-type': 'application/json',
          'content-security-policy': `script-src *`,
          'set-cookie': 'from=backend; Path=/',
        });
        response.end(isMissing ? '' : '[]');
      });
    }).listen(0, '127.0.0.1');
    await once(backend, 'listening');
  });
  afterAll(async () => {
    await Promise.all(closers.map((close) => close()));
    backend.closeAllConnections();
    backend.close();
  });

  it.each([
    [false, '/api/canary/api/summary', '/canary/api/summary'],
    [false, '/api/.ory/sessions/whoami', '/kratos/sessions/whoami'],
    [false, '/api/db/checks?id=eq.1&select=*,a(b)', '/db/checks?id=eq.1&select=*,a(b)'],
    [false, '/api/auth/whoami', '/auth/whoami'],
    [true, '/api/canary/api/summary?a=1', '/api/summary?a=1'],
  ])('(health only: %s) %s goes to %s, with cookies both ways', async (isChecksOnly, path, expected) => {
    const browser = openTestBrowser(await front(`http://127.0.0.1:${portOf(backend)}`, isChecksOnly));
    browser.cookies.set('ory_kratos_session', 'x');
    const answer = await browser.get(path);
    expect([answer.status, await answer.text()]).toEqual([200, '[]']);
    expect(seen.at(-1)).toMatchObject({ method: 'GET', url: expected, cookie: 'ory_kratos_session=x' });
    expect(answer.headers.getSetCookie()).toEqual(['from=backend; Path=/']);
    expect(answer.headers.get('content-security-policy')).toContain(`default-src 'none'`);
  });

  it('passes bodies of any kind, keeps statuses, honours a path in the backend address', async () => {
    const browser = openTestBrowser(await front(`http://127.0.0.1:${portOf(backend)}/sub/`, false));
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const posted = await browser.send('POST', '/api/.ory/x', { body: 'a=b', headers: form });
    expect(posted.status).toBe(200);
    expect(seen.at(-1)).toMatchObject({ method: 'POST', url: '/sub/kratos/x', body: 'a=b' });
    const plain = openTestBrowser(await front(`http://127.0.0.1:${portOf(backend)}`, false));
    expect((await plain.get('/api/capabilities')).status).toBe(404);
  });

  it('refuses other sites, answers its own health, and says so when the backend is away', async () => {
    const url = await front('http://127.0.0.1:9', false);
    const browser = openTestBrowser(url);
    const foreign = await browser.post('/api/db/checks', {}, { origin: 'https://evil.example' });
    expect(foreign.status).toBe(403);
    expect(await (await browser.get('/api/_health')).json()).toEqual({ health: 'ok' });
    expect((await browser.get('/api/readyz')).status).toBe(200);
    const away = await browser.get('/api/auth/whoami');
    expect(away.status).toBe(502);
    expect(await away.json()).toMatchObject({ error: 'The backend does not answer' });
  });
});

describe('while it is starting', () => {
  it('the door is open: alive, not ready, 503 with a time to come back', async () => {
    const app = await createApp({
      localProperties: new Map(),
      settings: { backendUrl: null, isChecksOnly: false, publicUrl: null },
      platform: nodePlatform,
      logger: pino({ level: 'silent' }),
      appDir: `${tmpdir()}/holdfast-no-app`,
      hostname: 'starting',
      backend: () => null,
    });
    expect((await app.inject('/api/healthz')).statusCode).toBe(200);
    for (const path of ['/api/readyz', '/api/auth/whoami', '/api/canary/api/summary', '/api/events']) {
      const answer = await app.inject(path);
      expect([path, answer.statusCode]).toEqual([path, 503]);
      expect(answer.headers['retry-after']).toBe('1');
      expect(answer.json()).toMatchObject({ error: 'The server is starting' });
    }
    await app.close();
  });
});

forEachDatabase((_name, openDatabase) => {
  describe('health only', () => {
    let server: TestServer;
    beforeAll(async () => {
      server = await startTestServer(await openDatabase(), { settings: { isChecksOnly: true } });
    });
    afterAll(() => server.stop());

    it('shows health to everyone and has nothing else', async () => {
      const browser = openTestBrowser(server.url);
      const check = '20000000-0000-4000-8000-000000000001';
      for (const path of ['/api/canary/api/summary', `/api/canary/api/graph?check=${check}`]) {
        expect([path, (await browser.get(path)).status]).toEqual([path, 200]);
      }
      const me = await (await browser.get('/api/auth/whoami')).json();
      expect(me).toMatchObject({ payload: { roles: ['viewer'] } });
      for (const path of ['/api/db/people', '/api/db/checks', '/api/.ory/self-service/login/browser']) {
        expect([path, (await browser.get(path)).status]).toEqual([path, 404]);
      }
      expect((await browser.post(`/api/canary/run/check/${check}`)).status).toBe(404);
    });
  });
});
