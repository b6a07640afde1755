import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestBrowser, type TestBrowser } from '../../tests/security/support/test-browser.ts';
import { PASSWORD, startTestServer, type TestServer } from '../../tests/security/support/test-server.ts';
import { forEachDatabase } from '../platform/db/test-databases.ts';

const NO_TABLET = '/api/tablets/0190a1b2-0000-7000-8000-000000000001';

forEachDatabase((name, openDatabase) => {
  describe(`shared tablets on ${name}`, () => {
    let server: TestServer;
    beforeAll(async () => {
      server = await startTestServer(await openDatabase());
    });
    afterAll(() => server.stop());

    async function signIn(browser: TestBrowser, ...roles: string[]): Promise<TestBrowser> {
      await browser.signIn((await server.account(...roles)).email, PASSWORD);
      return browser;
    }
    const signedIn = (...roles: string[]) => signIn(openTestBrowser(server.url), ...roles);
    const here = async (browser: TestBrowser) =>
      (await (await browser.get('/api/tablets/here')).json()) as { tablet: { name: string } | null };

    async function shared() {
      const browser = await signedIn('admin');
      const answer = await browser.post('/api/tablets', { name: 'Control room' });
      expect(answer.status).toBe(200);
      return { browser, id: ((await answer.json()) as { id: string }).id };
    }

    it('only administrators share, see and revoke them', async () => {
      for (const role of ['viewer', 'editor', 'responder']) {
        const browser = await signedIn(role);
        expect((await browser.post('/api/tablets', { name: 'x' })).status, role).toBe(403);
        expect((await browser.get('/api/tablets')).status, role).toBe(403);
        expect((await browser.send('DELETE', NO_TABLET)).status, role).toBe(403);
      }
      expect((await openTestBrowser(server.url).post('/api/tablets', { name: 'x' })).status).toBe(401);
    });

    it('a session on one gets a token that the page can read; elsewhere there is none to get', async () => {
      const stranger = await signedIn('viewer');
      expect(await here(stranger)).toEqual({ tablet: null });
      expect((await stranger.post('/api/tablets/here/session', {})).status).toBe(404);
      const { browser } = await shared();
      expect((await here(browser)).tablet?.name).toBe('Control room');
      const bound = await browser.post('/api/tablets/here/session', {});
      expect(bound.status).toBe(204);
      const cookie = bound.headers.getSetCookie().find((one) => one.startsWith('ory_kratos_session=')) ?? '';
      expect(cookie).toMatch(/SameSite=Lax/i);
      expect(cookie).not.toMatch(/HttpOnly|Max-Age|Expires/i);
      expect((await browser.get('/api/auth/whoami')).status).toBe(200);
    });

    it('revoking one ends the sessions on it, and no others', async () => {
      const admin = await signedIn('admin');
      const { browser, id } = await shared();
      await browser.post('/api/tablets/here/session', {});
      const rows = (await (await admin.get('/api/tablets')).json()) as { id: string; sessions: number }[];
      expect(rows.find((row) => row.id === id)?.sessions).toBe(1);
      expect((await admin.send('DELETE', `/api/tablets/${id}`)).status).toBe(204);
      expect((await browser.get('/api/auth/whoami')).status).toBe(401);
      expect((await admin.get('/api/auth/whoami')).status).toBe(200);
      expect(await here(browser)).toEqual({ tablet: null });
      expect((await admin.send('DELETE', `/api/tablets/${id}`)).status).toBe(404);
    });

    it('whoever stands before it can end the session that is left in it', async () => {
      const { browser } = await shared();
      expect((await browser.post('/api/tablets/here/leave', {})).status).toBe(204);
      expect((await browser.get('/api/auth/whoami')).status).toBe(401);
    });
  });
});
