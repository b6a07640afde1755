/** Behind other servers: whom the server believes about who asked and how, and where its links lead. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../server/platform/db/database.ts';
import { openMigratedDatabase } from '../../../server/platform/db/test-databases.ts';
import { rawRequest } from '../support/raw-request.ts';
import { openTestBrowser } from '../support/test-browser.ts';
import { PASSWORD, startTestServer } from '../support/test-server.ts';
import type { TestServer, TestServerOptions } from '../support/test-server.ts';

/** As a front on another host sends on what a browser asked it. */
const FORWARDED = {
  origin: 'https://ops.example.com',
  'x-forwarded-host': 'ops.example.com',
  'x-forwarded-proto': 'https',
};

describe('behind a proxy', () => {
  let db: Database;
  const servers: TestServer[] = [];
  beforeAll(async () => {
    db = await openMigratedDatabase('postgres');
  });
  afterAll(async () => {
    for (const server of servers) await server.stop();
    await db.close();
  });
  async function start(options: TestServerOptions): Promise<TestServer> {
    const server = await startTestServer(db, options);
    servers.push(server);
    return server;
  }
  async function signInBehind(server: TestServer, headers: Record<string, string>) {
    const browser = openTestBrowser(server.url);
    const { id, csrfToken } = await browser.form();
    const { email } = await server.account('admin');
    const fields = { method: 'password', identifier: email, password: PASSWORD, csrf_token: csrfToken };
    const answer = await browser.post(`/api/.ory/self-service/login?flow=${id}`, fields, headers);
    expect(answer.status).toBe(200);
    return { browser, answer };
  }
  const isSecure = (answer: Response) => answer.headers.getSetCookie().every((one) => /;\s*Secure/.test(one));

  it('with PUBLIC_URL on https, cookies are Secure and browsers stay with https whatever a proxy says', async () => {
    const server = await start({
      settings: { publicUrl: 'https://ops.example.com', trustedProxies: [] },
    });
    const { answer } = await signInBehind(server, {});
    expect(isSecure(answer)).toBe(true);
    for (const path of ['/', '/api/healthz', '/api/none', '/%']) {
      const { headers } = await rawRequest(server.url, { path });
      expect([path, headers['strict-transport-security']]).toEqual([
        path,
        expect.stringContaining('max-age='),
      ]);
    }
    const started = await rawRequest(server.url, {
      path: '/api/.ory/self-service/login/browser?return_to=https://ops.example.com/health',
      headers: { host: 'ops.example.com', accept: 'application/json' },
    });
    expect(JSON.parse(started.body)).toMatchObject({
      return_to: '/health',
      ui: { action: expect.stringMatching(/^https:\/\/ops\.example\.com\//) as string },
    });
  });

  it('only those that TRUSTED_PROXIES names are believed', async () => {
    const [trusting, distrusting] = [
      await start({ settings: { trustedProxies: ['127.0.0.0/8', '::1'] } }),
      await start({ settings: { trustedProxies: ['10.0.0.0/8'] } }),
    ];
    expect(isSecure((await signInBehind(trusting, FORWARDED)).answer)).toBe(true);
    expect(isSecure((await signInBehind(distrusting, { 'x-forwarded-proto': 'https' })).answer)).toBe(false);
    // Each caller of the proxy is a place of its own; without trust all are one.
    const tries = async (server: TestServer) => {
      const { email } = await server.account('viewer');
      const statuses: number[] = [];
      for (let host = 1; host <= 12; host += 1) {
        const authorization = `Basic ${Buffer.from(`${email}:wrong`).toString('base64')}`;
        const headers = { authorization, 'x-forwarded-for': `192.0.2.${host}` };
        statuses.push((await fetch(`${server.url}/api/auth/whoami`, { headers })).status);
      }
      return statuses.filter((status) => status === 429).length;
    };
    expect([await tries(trusting), await tries(distrusting)]).toEqual([0, 2]);
  });

  it('links in mails lead where administrators reach the server, never where a stranger says', async () => {
    const server = await start({});
    const viewer = openTestBrowser(server.url);
    const { email } = await server.account('viewer');
    await viewer.signIn(email, PASSWORD);
    const evil = {
      origin: 'https://evil.example',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
    };
    const recovery = async () => {
      const stranger = openTestBrowser(server.url);
      const asked = await stranger.get('/api/.ory/self-service/recovery/browser', evil);
      const form = (await asked.json()) as {
        id: string;
        ui: { nodes: { attributes: { name: string; value?: string } }[] };
      };
      const csrf = form.ui.nodes.find(({ attributes }) => attributes.name === 'csrf_token')?.attributes.value;
      const fields = { method: 'code', email, csrf_token: csrf };
      await stranger.post(`/api/.ory/self-service/recovery?flow=${form.id}`, fields, evil);
      return (await server.mails(email))[0]?.text ?? '';
    };
    const { browser } = await signInBehind(server, FORWARDED);
    await viewer.get('/api/auth/whoami', evil);
    await browser.get('/api/auth/whoami', FORWARDED);
    await viewer.get('/api/auth/whoami', evil);
    await openTestBrowser(server.url).get('/api/auth/whoami', evil);
    const names = { firstName: 'Ada', lastName: 'B', role: 'viewer' };
    const invited = { ...names, email: `ada-${Date.now()}@example.com` };
    const answer = await browser.post('/api/auth/invite_user', invited, FORWARDED);
    const { link } = (await answer.json()) as { link: string };
    expect(link).toMatch(/^https:\/\/ops\.example\.com\/api\/\.ory\//);
    const mail = await recovery();
    expect(mail).toContain('https://ops.example.com/api/.ory/');
    expect(mail).not.toContain('evil');
  });
});
