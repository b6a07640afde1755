/** What every answer of the HTTP surface has to hold, whoever asks and whatever is asked. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { forEachDatabase } from '../../server/platform/db/test-databases.ts';
import { openTestBrowser } from './support/test-browser.ts';
import type { TestBrowser } from './support/test-browser.ts';
import { PASSWORD, startTestServer } from './support/test-server.ts';
import type { TestServer } from './support/test-server.ts';

const CHECK = '20000000-0000-4000-8000-000000000001';
const PAGE =
  '<!doctype html><html><head><script nonce="__CSP_NONCE__" src="/assets/a-1.js"></script></head></html>';

/** A built app as the bundler leaves it. */
function makeApp(): string {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-app-'));
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), PAGE);
  writeFileSync(join(folder, 'sw.js'), 'self.x = 1;');
  writeFileSync(join(folder, 'assets', 'a-1.js'), 'export {};');
  writeFileSync(join(folder, '.secret'), 'x');
  return folder;
}

/** A request as written, without the tidying that fetch does; answers status and body. */
function raw(
  url: string,
  path: string,
): Promise<{ status: number; headers: Record<string, unknown>; body: string }> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, path, headers: { accept: '*/*' } }, (answer) => {
      let body = '';
      answer.on('data', (chunk: Buffer) => (body += chunk.toString()));
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body }));
    });
    sent.on('error', reject);
    sent.end();
  });
}

forEachDatabase((_name, openDatabase) => {
  let server: TestServer;
  let appDir: string;
  const browsers = new Map<string, TestBrowser>();

  beforeAll(async () => {
    appDir = makeApp();
    server = await startTestServer(await openDatabase(), { appDir, runs: new Map([[CHECK, null]]) });
    browsers.set('nobody', openTestBrowser(server.url));
    for (const role of ['admin', 'editor', 'viewer', 'commander', 'responder', 'without role']) {
      const { email } = await (role === 'without role' ? server.account() : server.account(role));
      const browser = openTestBrowser(server.url);
      await browser.signIn(email, PASSWORD);
      browsers.set(role, browser);
    }
  });
  afterAll(async () => {
    await server.stop();
    rmSync(appDir, { recursive: true, force: true });
  });
  const as = (role: string): TestBrowser => {
    const browser = browsers.get(role);
    if (browser === undefined) throw new Error(`no ${role}`);
    return browser;
  };

  describe('every answer', () => {
    const paths = [
      '/',
      '/health',
      '/sw.js',
      '/assets/a-1.js',
      '/missing.js',
      '/api/nonsense',
      '/api/auth/whoami',
      '/api/healthz',
      '/api/readyz',
      '/api/_health',
      '/api/canary/api/summary',
      '/api/canary/api/graph',
      '/api/.ory/self-service/login/browser',
      '/api/.ory/self-service/login/flows?id=x',
      '/api/.ory/self-service/errors?id=x',
      '/api/db/checks',
      '/api/%zz',
    ];

    it.each(paths)('to GET %s carries the security headers', async (path) => {
      const { headers } = await raw(server.url, path);
      const policy = String(headers['content-security-policy']);
      for (const part of [
        `default-src 'none'`,
        `script-src 'self'`,
        `style-src-attr 'unsafe-inline'`,
        `object-src 'none'`,
        `base-uri 'none'`,
        `form-action 'self'`,
        `frame-ancestors 'none'`,
      ]) {
        expect(policy).toContain(part);
      }
      expect(policy).not.toMatch(/script-src[^;]*unsafe/);
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['referrer-policy']).toBe('same-origin');
      expect(headers['permissions-policy']).toContain('camera=()');
      expect(headers['strict-transport-security']).toBeUndefined();
      if (path.startsWith('/api')) expect(headers['cache-control']).toBe('no-store');
      expect(headers['x-powered-by']).toBeUndefined();
    });
  });

  describe('roles', () => {
    const signedIn = ['admin', 'editor', 'viewer', 'commander', 'responder', 'without role'];
    const open = ['/api/auth/whoami', '/api/properties', '/api/capabilities', '/api/canary/about'];
    const health = [
      '/api/canary/api/summary',
      `/api/canary/api/graph?check=${CHECK}`,
      `/api/canary/api?check=${CHECK}`,
    ];

    it.each([...open, ...health, '/api/events', '/api/db/checks'])(
      'GET %s answers 401 in JSON to nobody',
      async (path) => {
        const answer = await as('nobody').get(path);
        expect(answer.status).toBe(401);
        expect(answer.headers.get('content-type')).toMatch(/json/);
      },
    );

    it.each([...open, ...health])('GET %s answers everyone who is signed in', async (path) => {
      for (const role of signedIn) expect([role, (await as(role).get(path)).status]).toEqual([role, 200]);
    });

    it('a check is run by everyone but viewers', async () => {
      for (const role of [...signedIn, 'nobody']) {
        const { status } = await as(role).post(`/api/canary/run/check/${CHECK}`);
        const expected = role === 'nobody' ? 401 : role === 'viewer' || role === 'without role' ? 403 : 200;
        expect([role, status]).toEqual([role, expected]);
      }
    });

    it('metrics are for this machine and for administrators', async () => {
      const local = await as('nobody').get('/api/metrics');
      expect(local.status).toBe(200);
      expect(await local.text()).toContain('holdfast_event_streams');
      const forwarded = { 'x-forwarded-for': '203.0.113.9' };
      expect((await as('nobody').get('/api/metrics', forwarded)).status).toBe(401);
      expect((await as('editor').get('/api/metrics', forwarded)).status).toBe(403);
      expect((await as('admin').get('/api/metrics', forwarded)).status).toBe(200);
    });
  });

  describe('calls from other sites', () => {
    const run = `/api/canary/run/check/${CHECK}`;
    it.each([
      ['a foreign origin', { origin: 'https://evil.example' }, 403],
      ['an origin that hides', { origin: 'null' }, 403],
      ['the same host on another port', { origin: 'http://localhost:1' }, 403],
      ['a browser that says cross-site', { 'sec-fetch-site': 'cross-site' }, 403],
      ['a sibling domain', { 'sec-fetch-site': 'same-site' }, 403],
      ['a form', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
      ['text/plain', { 'content-type': 'text/plain' }, 415],
      ['multipart', { 'content-type': 'multipart/form-data; boundary=x' }, 415],
      ['a method in disguise', { 'x-http-method-override': 'GET', origin: 'https://evil.example' }, 403],
      ['our own page', {}, 200],
    ] as const)('%s', async (_what, headers, status) => {
      const answer = await as('admin').send('POST', run, { headers });
      expect(answer.status).toBe(status);
      if (status !== 200) expect(await answer.json()).toHaveProperty('error');
    });

    it('and no state changes by GET', async () => {
      expect((await as('admin').get(run)).status).toBe(404);
    });
  });

  describe('malformed input', () => {
    const login = '/api/.ory/self-service/login?flow=x';
    it.each([
      ['broken JSON', '{"a":', 400],
      ['no JSON at all', 'hello', 400],
      ['a prototype in disguise', '{"__proto__":{"x":1}}', 400],
      ['the wrong shape', '[1,2,3]', 400],
      ['a wrong method', '{"method":"oidc"}', 400],
      ['an endless name', JSON.stringify({ method: 'password', identifier: 'x'.repeat(10_000) }), 400],
      ['too large a body', JSON.stringify({ password: 'x'.repeat(1_100_000) }), 413],
    ])('%s is answered with JSON, not with a crash', async (_what, body, status) => {
      const answer = await as('nobody').send('POST', login, { body });
      expect(answer.status).toBe(status);
      expect(await answer.json()).toHaveProperty('error');
    });

    it.each(['/api', '/api/', '/api/nonsense', '/api/auth/whoami/x', '/api/canary', '/api/%zz', '/api/db'])(
      'an unknown path %s is refused in JSON',
      async (path) => {
        const answer = await raw(server.url, path);
        expect([400, 404]).toContain(answer.status);
        expect(JSON.parse(answer.body)).toHaveProperty('error');
      },
    );
  });

  describe('the app', () => {
    const html = { accept: 'text/html' };

    it('is the same page on every path, with a nonce of its own in page and policy each time', async () => {
      const nonces = new Set<string>();
      for (const path of ['/', '/health', '/settings/jobs?x=1', '/index.html']) {
        const answer = await as('nobody').get(path, html);
        expect(answer.status).toBe(200);
        expect(answer.headers.get('cache-control')).toBe('no-cache');
        const nonce = /nonce="([\da-f]{32})"/.exec(await answer.text())?.[1] ?? '';
        expect(answer.headers.get('content-security-policy')).toContain(`script-src 'self' 'nonce-${nonce}'`);
        nonces.add(nonce);
      }
      expect(nonces.size).toBe(4);
    });

    it('keeps hashed files for ever, asks for the service worker anew, and hides what is hidden', async () => {
      const asset = await as('nobody').get('/assets/a-1.js');
      expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      const worker = await as('nobody').get('/sw.js');
      expect(worker.headers.get('cache-control')).toBe('no-cache');
      expect(worker.headers.get('content-type')).toMatch(/javascript/);
      expect((await as('nobody').get('/assets/missing.js')).status).toBe(404);
      for (const path of ['/.secret', '/../package.json', '/%2e%2e/package.json', '/assets/..%2f..%2fx']) {
        const { status } = await raw(server.url, path);
        expect([path, [400, 403, 404].includes(status)]).toEqual([path, true]);
      }
    });

    it('API answers are compressed where the client can, event streams never', async () => {
      const answer = await as('admin').get('/api/metrics', { 'accept-encoding': 'br' });
      expect(answer.headers.get('content-encoding')).toBe('br');
    });
  });
});
