/** What another site can make a browser send changes nothing: every way to write, every way to hide a call. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Database } from '../../../server/platform/db/database.ts';
import { openMigratedDatabase } from '../../../server/platform/db/test-databases.ts';
import { openForm } from '../support/identity-client.ts';
import { rawRequest } from '../support/raw-request.ts';
import { signInAs } from '../support/signed-in.ts';
import type { SignedIn } from '../support/signed-in.ts';
import { csrfTokenIn, openTestBrowser } from '../support/test-browser.ts';
import { PASSWORD, startTestServer } from '../support/test-server.ts';
import type { TestServer } from '../support/test-server.ts';

const EVIL = 'https://evil.example';
const CHECK = '20000000-0000-4000-8000-000000000001';
const RUN = `/api/canary/run/check/${CHECK}`;
const SELF_SERVICE = '/api/.ory/self-service';

describe('another site', () => {
  let db: Database;
  let server: TestServer;
  let admin: SignedIn;
  const runs: string[] = [];

  beforeAll(async () => {
    db = await openMigratedDatabase('postgres');
    server = await startTestServer(db, {
      runs: new Map([[CHECK, null]]),
      onRun: (id) => void runs.push(id),
    });
    admin = await signInAs(server, 'admin');
  });
  afterAll(async () => {
    await server.stop();
    await db.close();
  });

  const cookie = () => [...admin.browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');

  const WRITES = [
    ['POST', '/api/db/teams'],
    ['PATCH', '/api/db/teams?name=eq.x'],
    ['PUT', '/api/db/teams?id=eq.x'],
    ['DELETE', '/api/db/teams?name=eq.x'],
    ['POST', '/api/db/rpc/uuid_to_ulid'],
    ['POST', '/api/sync/commands'],
    ['POST', '/api/sync/commands/known'],
    ['POST', RUN],
    ['POST', '/api/auth/invite_user'],
    ['POST', '/api/people/update'],
    ['DELETE', `/api/people/${CHECK}`],
    ['POST', `/api/rbac/${CHECK}/update_role`],
    ['POST', `/api/auth/${CHECK}/update_state`],
    ['POST', `/api/auth/${CHECK}/properties`],
    ['POST', '/api/agent/generate'],
    ['POST', '/api/notification/silence'],
    ['POST', `/api/connection/test/${CHECK}`],
    ['POST', `/api/playbook/run`],
    ['POST', '/api/catalog/changes'],
    ['POST', '/api/resources/search'],
    ['POST', '/api/canary/api/summary'],
    ['POST', '/api/logs'],
    ['POST', '/api/push/topology'],
    ['DELETE', '/api/.ory/sessions'],
    ['DELETE', `/api/.ory/sessions/${CHECK}`],
    ...['login', 'registration', 'recovery', 'verification', 'settings'].map(
      (kind) => ['POST', `${SELF_SERVICE}/${kind}?flow=${CHECK}`] as const,
    ),
  ] as const;

  it.each(WRITES)('is refused at %s %s, whatever it says of itself', async (method, path) => {
    const said = [
      { origin: EVIL },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site', origin: 'http://other.localhost' },
      { origin: EVIL, 'x-http-method-override': 'GET', 'x-http-method': 'GET', 'x-method-override': 'GET' },
      { origin: EVIL, referer: `${server.url}/` },
    ];
    for (const headers of said) {
      const answer = await rawRequest(server.url, {
        method,
        path,
        headers: { cookie: cookie(), 'content-type': 'application/json', ...headers },
        body: '{}',
      });
      expect([headers, answer.status]).toEqual([headers, 403]);
    }
  });

  it.each(WRITES)(
    'has only forms and plain text without asking first, and %s %s takes neither',
    async (method, path) => {
      for (const type of [
        'application/x-www-form-urlencoded',
        'text/plain',
        'text/plain; application/json',
        'multipart/form-data; boundary=x',
        'application/csp-report',
        'APPLICATION/JSONP',
      ]) {
        const headers = { cookie: cookie(), 'content-type': type };
        const answer = await rawRequest(server.url, { method, path, headers, body: '{"a":"="}' });
        expect([type, answer.status]).toEqual([type, 415]);
      }
    },
  );

  it('gains nothing by writing our paths in another way', async () => {
    const headers = { cookie: cookie(), origin: EVIL, 'content-type': 'application/json' };
    const ways = [
      RUN.replace('/api', '/%61pi'),
      RUN.replace('/api', '/%61%70%69'),
      RUN.replace('/api', '//api'),
      RUN.replace('/api', ''),
      RUN.replace('/api', '/api/'),
      RUN.replace('/canary', '/%63anary'),
      `${server.url}${RUN}`,
      `http://evil.example${RUN}`,
      `${RUN}?x=/health`,
      `${RUN}#x`,
      `${RUN};x`,
    ];
    for (const path of ways) {
      const answer = await rawRequest(server.url, { method: 'POST', path, headers, body: '{}' });
      expect([path, [400, 403, 404].includes(answer.status)]).toEqual([path, true]);
    }
    expect(runs).toEqual([]);
    const own = { cookie: cookie(), origin: server.url, 'content-type': 'application/json' };
    expect((await rawRequest(server.url, { method: 'POST', path: RUN, headers: own })).status).toBe(200);
    expect(runs).toEqual([CHECK]);
  });

  it('answers of the API are kept by nobody, however their path is written', async () => {
    for (const path of ['/api/auth/whoami', '/%61pi/auth/whoami', '//api//auth/whoami', '/auth/whoami']) {
      const { status, headers } = await rawRequest(server.url, { path, headers: { cookie: cookie() } });
      expect([path, status, headers['cache-control']]).toEqual([path, 200, 'no-store']);
    }
  });

  it('cannot change anything by a link: reads leave the database as it is', async () => {
    const before = await db.rows(z.unknown(), 'select name from teams');
    for (const [, path] of WRITES) await admin.browser.get(path);
    for (const override of ['x-http-method-override', 'x-http-method', 'x-method-override']) {
      await admin.browser.get('/api/db/teams?id=not.is.null', { [override]: 'DELETE' });
      await admin.browser.get(`${RUN}?_method=POST`, { [override]: 'POST' });
    }
    expect(await db.rows(z.unknown(), 'select name from teams')).toEqual(before);
    expect(runs).toEqual([CHECK]);
    expect((await admin.browser.get('/api/auth/whoami')).status).toBe(200);
  });

  it('cannot sign anybody out, end a kubeconfig or read an answer by a link', async () => {
    const cross = { 'sec-fetch-site': 'cross-site' };
    const logout = await admin.browser.get(`${SELF_SERVICE}/logout?token=x`, cross);
    expect(logout.status).toBe(403);
    expect((await admin.browser.post('/api/kubeconfig', undefined, cross)).status).toBe(403);
    const form = { 'content-type': 'application/x-www-form-urlencoded', origin: EVIL };
    expect((await admin.browser.send('POST', '/api/kubeconfig', { headers: form })).status).toBe(403);
    const whoami = await admin.browser.get('/api/auth/whoami', { origin: EVIL });
    expect(whoami.headers.get('access-control-allow-origin')).toBeNull();
    expect(whoami.headers.get('cross-origin-resource-policy')).toBe('same-origin');
    const preflight = await admin.browser.send('OPTIONS', RUN, {
      headers: { origin: EVIL, 'access-control-request-method': 'POST' },
    });
    expect(preflight.headers.get('access-control-allow-origin')).toBeNull();
  });

  it.each(['login', 'recovery', 'registration', 'verification', 'settings'] as const)(
    'a form of %s is taken with the token of this browser only',
    async (kind) => {
      const isInside = kind === 'settings';
      const mine = isInside ? (await signInAs(server, 'viewer')).browser : openTestBrowser(server.url);
      const theirs = isInside ? (await signInAs(server, 'viewer')).browser : openTestBrowser(server.url);
      if (kind === 'registration') return expectClosed(mine);
      const form = await openForm(mine, kind);
      const other = await openForm(theirs, kind);
      const fields = {
        method: kind === 'login' ? 'password' : 'code',
        identifier: admin.email,
        email: admin.email,
      };
      const path = `${SELF_SERVICE}/${kind}?flow=${form.id}`;
      for (const token of [undefined, '', 'x', null, csrfTokenIn(other), true]) {
        const answer = await mine.post(path, { ...fields, password: PASSWORD, csrf_token: token });
        expect([token, answer.status]).toEqual([token, 403]);
      }
      // Another browser may know the form's address and token, but not the cookie.
      const stolen = { ...fields, password: PASSWORD, csrf_token: csrfTokenIn(form) };
      expect((await theirs.post(path, stolen)).status).toBe(403);
    },
  );

  async function expectClosed(browser: ReturnType<typeof openTestBrowser>): Promise<void> {
    const answer = await browser.get(`${SELF_SERVICE}/registration/browser`);
    expect(answer.status).toBeGreaterThanOrEqual(400);
  }
});
