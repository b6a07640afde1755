/** The hosted mode against a real OpenID Connect provider: sign-in, organisations, their backends, direct mode. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { forEachDatabase } from '../../server/platform/db/test-databases.ts';
import type { HostedSettings } from '../../server/platform/settings/hosted-settings.ts';
import { freePort } from '../security/support/free-port.ts';
import { openTestBrowser, type TestBrowser } from '../security/support/test-browser.ts';
import { startTestServer, type TestServer } from '../security/support/test-server.ts';
import { CLIENT, passProvider, startOidcServer, type OidcServer } from './oidc-server.ts';

const EVIL_ORIGIN = 'https://evil.example';
const folder = () => mkdtempSync(join(tmpdir(), 'holdfast-hosted-'));

interface Organization {
  id: string;
  slug: string;
  role: string;
  public_metadata: { backend_url: string | null; direct: boolean };
}

forEachDatabase((_kind, open) => {
  describe('the hosted mode', () => {
    let provider: OidcServer;
    let front: TestServer;
    let backend: TestServer;

    beforeAll(async () => {
      const [frontPort, backendPort] = [await freePort(), await freePort()];
      const publicUrl = `http://localhost:${frontPort}`;
      provider = await startOidcServer(`${publicUrl}/api/auth/oidc/callback`);
      provider.people.set('ada', {
        name: 'Ada Lovelace',
        email: 'ada@example.com',
        organizations: [
          { slug: 'engines', role: 'admin' },
          { slug: 'directly', role: 'org:admin' },
          { slug: 'nowhere', role: 'member' },
        ],
      });
      provider.people.set('bob', {
        name: 'Bob',
        email: 'bob@example.com',
        organizations: [{ slug: 'engines', role: 'member' }],
      });
      provider.people.set('eve', { name: 'Eve', email: 'eve@example.com' });
      const backendUrl = `http://localhost:${backendPort}/api`;
      const hosted: HostedSettings = {
        provider: { issuer: provider.issuer, clientId: CLIENT.id, clientSecret: CLIENT.secret, publicUrl },
        organizations: [
          { slug: 'engines', name: 'Engines', backendUrl, isDirect: false },
          { slug: 'directly', name: 'Directly', backendUrl, isDirect: true },
          { slug: 'nowhere', name: 'Nowhere', backendUrl: null, isDirect: false },
        ],
        ownOrganization: null,
        tokens: null,
      };
      front = await startTestServer(await open(), {
        settings: { hosted },
        port: frontPort,
        dataDir: folder(),
      });
      const tokens = { issuer: publicUrl, jwksUrl: `${publicUrl}/api/auth/jwks.json` };
      backend = await startTestServer(await open(), {
        settings: {
          hosted: { provider: null, organizations: [], ownOrganization: 'engines', tokens },
          corsOrigins: [publicUrl],
        },
        port: backendPort,
      });
    });

    afterAll(async () => {
      await front.stop();
      await backend.stop();
      await provider.close();
    });

    async function signIn(login: string, path = '/api/auth/oidc/start'): Promise<[TestBrowser, Response]> {
      const browser = openTestBrowser(front.url);
      const start = await browser.get(path);
      const back = await passProvider(start.headers.get('location') ?? '', login);
      return [browser, await browser.get(back.slice(front.url.length))];
    }

    async function organizationsOf(browser: TestBrowser) {
      const answer = await browser.get('/api/auth/organizations');
      return (await answer.json()) as { organizations: Organization[]; active: string | null };
    }

    async function choose(browser: TestBrowser, slug: string): Promise<Response> {
      const { organizations } = await organizationsOf(browser);
      const id = organizations.find((one) => one.slug === slug)?.id ?? '';
      return browser.post(`/api/auth/organizations/${id}/select`);
    }

    it('signs in with the provider and comes back to where one was', async () => {
      const [browser, landed] = await signIn('ada', '/api/auth/oidc/start?return_to=/health%3Fquery=a');
      expect([landed.status, landed.headers.get('location')]).toEqual([303, '/health?query=a']);
      expect(browser.cookies.get('ory_kratos_session')).toMatch(/^[\da-f]{64}$/);
      const { organizations, active } = await organizationsOf(browser);
      expect(active).toBeNull();
      expect(organizations.map((one) => [one.slug, one.role])).toEqual([
        ['directly', 'admin'],
        ['engines', 'admin'],
        ['nowhere', 'member'],
      ]);
    });

    it('asks for an organisation before anything else, and sends calls to its backend then', async () => {
      const [browser] = await signIn('ada');
      const before = await browser.get('/api/auth/whoami');
      expect(before.status).toBe(403);
      expect(await before.json()).toMatchObject({ code: 'no_organization' });
      expect((await choose(browser, 'engines')).status).toBe(204);
      const me = await browser.get('/api/auth/whoami');
      expect(me.status).toBe(200);
      expect(await me.json()).toMatchObject({
        payload: { user: { name: 'Ada Lovelace' }, roles: ['admin'] },
      });
      const { payload } = (await (await browser.get('/api/auth/whoami')).json()) as {
        payload: { user: { id: string } };
      };
      const made = await browser.post(
        '/api/db/teams?select=name',
        { name: `team ${front.url}`, created_by: payload.user.id },
        { prefer: 'return=representation' },
      );
      expect([made.status, await made.json()]).toEqual([201, [{ name: `team ${front.url}` }]]);
      const rows = await backend.db.rows(z.custom<{ name: string }>(), 'select name from teams');
      expect(rows.map((row) => row.name)).toContain(`team ${front.url}`);
      expect(await front.db.rows(z.unknown(), 'select name from teams')).toEqual([]);
    });

    it('who belongs to one organisation needn’t choose; a member may look and not write', async () => {
      const [browser] = await signIn('bob');
      expect((await organizationsOf(browser)).active).not.toBeNull();
      const me = await browser.get('/api/auth/whoami');
      expect(await me.json()).toMatchObject({ payload: { user: { name: 'Bob' }, roles: [] } });
      expect((await browser.get('/api/db/teams')).status).toBe(200);
      expect((await browser.post('/api/db/teams', { name: 'x' })).status).toBe(403);
    });

    it('an organisation without a backend says so', async () => {
      const [browser] = await signIn('ada');
      await choose(browser, 'nowhere');
      const answer = await browser.get('/api/auth/whoami');
      expect([answer.status, await answer.json()]).toEqual([500, { error: 'Missing target' }]);
    });

    it('makes an organisation whose maker is its admin, and refuses those of others', async () => {
      const [browser] = await signIn('eve');
      expect((await organizationsOf(browser)).organizations).toEqual([]);
      const missing = await browser.post('/api/auth/organizations', { name: ' ' });
      expect([missing.status, await missing.json()]).toMatchObject([
        400,
        { error: 'name: This field is required' },
      ]);
      const made = await browser.post('/api/auth/organizations', { name: 'Éve & Söhne' });
      expect(made.status).toBe(201);
      expect(await made.json()).toMatchObject({ slug: 'e-ve-so-hne', role: 'admin' });
      const [ada] = await signIn('ada');
      const engines = (await organizationsOf(ada)).organizations.find((one) => one.slug === 'engines');
      const foreign = await browser.post(`/api/auth/organizations/${engines?.id ?? ''}/select`);
      expect(foreign.status).toBe(404);
    });

    it('who the provider says belongs nowhere any more is out at once; what was made here stays', async () => {
      const slugs = async (browser: TestBrowser) =>
        (await organizationsOf(browser)).organizations.map(({ slug }) => slug);
      const member = [
        { slug: 'engines', role: 'admin' },
        { slug: 'directly', role: 'member' },
      ];
      provider.people.set('mia', { name: 'Mia', organizations: member });
      const [working] = await signIn('mia');
      await working.post('/api/auth/organizations', { name: 'Mias own' });
      await choose(working, 'engines');
      expect((await working.get('/api/auth/whoami')).status).toBe(200);
      provider.people.set('mia', { name: 'Mia', organizations: member.slice(1) });
      const [again] = await signIn('mia');
      expect(await slugs(again)).toEqual(['directly', 'mias-own']);
      // Also in a session that began before.
      expect((await working.get('/api/auth/whoami')).status).toBe(403);
      provider.people.set('mia', { name: 'Mia' });
      expect(await slugs((await signIn('mia'))[0])).toEqual(['mias-own']);
      // Named by the provider for a while: still its maker's.
      provider.people.set('mia', { name: 'Mia', organizations: [{ slug: 'mias-own', role: 'member' }] });
      await signIn('mia');
      provider.people.set('mia', { name: 'Mia' });
      expect(await slugs((await signIn('mia'))[0])).toEqual(['mias-own']);
    });

    it('direct mode: a short-lived token, good at the backend it was made for and at no other', async () => {
      const [browser] = await signIn('ada');
      await choose(browser, 'engines');
      expect((await browser.get('/api/auth/backend-token')).status).toBe(404);
      await choose(browser, 'directly');
      const given = (await (await browser.get('/api/auth/backend-token')).json()) as {
        token: string;
        backend_url: string;
      };
      expect(given.backend_url).toBe(`${backend.url}/api`);
      const refused = await fetch(`${backend.url}/api/auth/whoami`, {
        headers: { authorization: `Bearer ${given.token}` },
      });
      // Signed by the right front, but for another organisation than the backend's own.
      expect(refused.status).toBe(401);
      const tampered = await fetch(`${backend.url}/api/auth/whoami`, {
        headers: { authorization: `Bearer ${given.token.slice(0, -4)}AAAA` },
      });
      expect(tampered.status).toBe(401);
    });

    it('a backend lets pages of its fronts call it, and no others', async () => {
      const ask = (origin: string) =>
        fetch(`${backend.url}/api/auth/whoami`, {
          method: 'OPTIONS',
          headers: { origin, 'access-control-request-method': 'GET' },
        });
      const allowed = await ask(front.url);
      expect([allowed.status, allowed.headers.get('access-control-allow-origin')]).toEqual([204, front.url]);
      expect((await ask(EVIL_ORIGIN)).headers.get('access-control-allow-origin')).toBeNull();
    });

    it('a sign-in that another browser began, or that was used, is none', async () => {
      const mine = openTestBrowser(front.url);
      const start = await mine.get('/api/auth/oidc/start');
      const back = (await passProvider(start.headers.get('location') ?? '', 'ada')).slice(front.url.length);
      const other = openTestBrowser(front.url);
      const stolen = await other.get(back);
      expect(stolen.headers.get('location')).toBe('/error?error_code=BAD_SESSION');
      expect(other.cookies.has('ory_kratos_session')).toBe(false);
      // The state was taken by the attempt: nobody gets in with it any more.
      expect((await mine.get(back)).headers.get('location')).toBe('/error?error_code=BAD_SESSION');
      expect((await mine.get('/api/auth/oidc/callback?code=x&state=y')).headers.get('location')).toBe(
        '/error?error_code=BAD_SESSION',
      );
    });

    it('never leads to a foreign page, and a person switched off here stays out', async () => {
      const browser = openTestBrowser(front.url);
      expect((await browser.get(`/api/auth/oidc/start?return_to=${EVIL_ORIGIN}`)).status).toBe(400);
      await signIn('eve');
      await front.db.run(
        `update identities set state = 'inactive' where traits ->> 'email' = 'eve@example.com'`,
      );
      const [, landed] = await signIn('eve');
      expect(landed.headers.get('location')).toBe('/error?error_code=BAD_SESSION');
    });
  });
});
