import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { identityFlowSchema as flowSchema } from '../../../../src/contract/http/identity/identity-flow.ts';
import { whoamiSchema } from '../../../../src/contract/http/identity/identity.ts';
import { forEachDatabase } from '../../../platform/db/test-databases.ts';
import { updatePassword } from '../queries/identity-query.ts';
import { hashPassword } from '../accounts/passwords.ts';
import { openTestBrowser } from '../../../../tests/security/support/test-browser.ts';
import { PASSWORD, startTestServer } from '../../../../tests/security/support/test-server.ts';
import type { TestBrowser } from '../../../../tests/security/support/test-browser.ts';
import type { TestServer } from '../../../../tests/security/support/test-server.ts';

const SUBMIT = '/api/.ory/self-service/login?flow=';
const START = '/api/.ory/self-service/login/browser';
const HOUR_MS = 3_600_000;

forEachDatabase((_name, openDatabase) => {
  let server: TestServer;
  let browser: TestBrowser;
  let user: { email: string; id: string };

  beforeAll(async () => {
    server = await startTestServer(await openDatabase());
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    browser = openTestBrowser(server.url);
    user = await server.account('viewer');
  });

  const whoami = () => browser.get('/api/auth/whoami');

  describe('signing in', () => {
    it('the right password opens a session whose cookie no script can read', async () => {
      const answer = await browser.signIn(user.email.toUpperCase(), PASSWORD);
      expect(answer.status).toBe(200);
      const body = (await answer.json()) as { session: { active: boolean; identity: { id: string } } };
      expect(body.session).toMatchObject({ active: true, identity: { id: user.id } });
      const cookie = answer.headers.getSetCookie().find((line) => line.startsWith('ory_kratos_session='));
      expect(cookie).toMatch(/HttpOnly/);
      expect(cookie).toMatch(/SameSite=Lax/);
      expect(cookie).not.toMatch(/Secure/);
      const me = whoamiSchema.parse(await (await whoami()).json());
      expect(me.payload).toMatchObject({ user: { id: user.id, email: user.email }, roles: ['viewer'] });
      const session = await browser.get('/api/.ory/sessions/whoami');
      expect(await session.json()).toMatchObject({
        active: true,
        identity: { traits: { email: user.email } },
      });
    });

    it('over https the session cookie is Secure', async () => {
      const { id, csrfToken } = await browser.form();
      const answer = await browser.post(
        SUBMIT + id,
        { method: 'password', identifier: user.email, password: PASSWORD, csrf_token: csrfToken },
        { 'x-forwarded-proto': 'https' },
      );
      expect(answer.status).toBe(200);
      for (const cookie of answer.headers.getSetCookie()) expect(cookie).toMatch(/Secure/);
      expect(answer.headers.get('strict-transport-security')).toMatch(/max-age=31536000/);
    });

    it('a wrong password, an unknown user and a disabled account get the same answer', async () => {
      const disabled = await server.account('viewer');
      await server.db.run(`update identities set state = 'inactive' where id = $1`, [disabled.id]);
      const bodies: unknown[] = [];
      for (const [email, password] of [
        [user.email, 'wrong'],
        ['nobody@example.com', PASSWORD],
        [disabled.email, PASSWORD],
      ] as const) {
        const answer = await browser.signIn(email, password);
        expect(answer.status).toBe(400);
        const flow = flowSchema.parse(await answer.json());
        bodies.push(flow.ui.messages);
        expect(answer.headers.getSetCookie()).toEqual([]);
      }
      expect(bodies[0]).toMatchObject([{ id: 4_000_006, type: 'error' }]);
      expect(bodies[1]).toEqual(bodies[0]);
      expect(bodies[2]).toEqual(bodies[0]);
      expect((await whoami()).status).toBe(401);
    });

    it('an empty field is named in the form', async () => {
      const { id, csrfToken } = await browser.form();
      const answer = await browser.post(SUBMIT + id, { method: 'password', csrf_token: csrfToken });
      expect(answer.status).toBe(400);
      const flow = flowSchema.parse(await answer.json());
      const texts = flow.ui.nodes.flatMap((node) => node.messages.map((message) => message.text));
      expect(texts).toEqual(['Property identifier is missing.', 'Property password is missing.']);
    });

    it('a form of another browser is refused', async () => {
      const { id, csrfToken } = await openTestBrowser(server.url).form();
      const credentials = { method: 'password', identifier: user.email, password: PASSWORD };
      const withoutCookie = await browser.post(SUBMIT + id, { ...credentials, csrf_token: csrfToken });
      expect(withoutCookie.status).toBe(403);
      expect(await withoutCookie.json()).toMatchObject({ error: { id: 'security_csrf_violation' } });
      await browser.form();
      const otherCookie = await browser.post(SUBMIT + id, { ...credentials, csrf_token: csrfToken });
      expect(otherCookie.status).toBe(403);
      const own = await browser.form();
      const wrongToken = await browser.post(SUBMIT + own.id, { ...credentials, csrf_token: csrfToken });
      expect(wrongToken.status).toBe(403);
      expect((await browser.get(`/api/.ory/self-service/login/flows?id=${id}`)).status).toBe(403);
    });

    it('an expired form answers 410 with a new one that works', async () => {
      const { id, csrfToken } = await browser.form();
      server.advance(31 * 60_000);
      const credentials = { method: 'password', identifier: user.email, password: PASSWORD };
      const late = await browser.post(SUBMIT + id, { ...credentials, csrf_token: csrfToken });
      expect(late.status).toBe(410);
      const body = (await late.json()) as { error: { id: string }; use_flow_id: string };
      expect(body.error.id).toBe('self_service_flow_expired');
      const fresh = await browser.get(`/api/.ory/self-service/login/flows?id=${body.use_flow_id}`);
      expect(fresh.status).toBe(200);
      const flow = flowSchema.parse(await fresh.json());
      const token = flow.ui.nodes.find((node) => node.attributes.name === 'csrf_token')?.attributes.value;
      const answer = await browser.post(SUBMIT + flow.id, { ...credentials, csrf_token: token });
      expect(answer.status).toBe(200);
    });

    it('a form signs in once', async () => {
      const { id, csrfToken } = await browser.form();
      const body = { method: 'password', identifier: user.email, password: PASSWORD, csrf_token: csrfToken };
      expect((await browser.post(SUBMIT + id, body)).status).toBe(200);
      expect((await browser.post(SUBMIT + id, body)).status).toBe(404);
    });

    it('signing in again makes a new token and ends the old one', async () => {
      await browser.signIn(user.email, PASSWORD);
      const first = browser.cookies.get('ory_kratos_session') ?? '';
      await browser.signIn(user.email, PASSWORD);
      expect(browser.cookies.get('ory_kratos_session')).not.toBe(first);
      expect((await whoami()).status).toBe(200);
      browser.cookies.set('ory_kratos_session', first);
      expect((await whoami()).status).toBe(401);
    });

    it('who is signed in already is sent on instead of asked again', async () => {
      await browser.signIn(user.email, PASSWORD);
      const json = await browser.get(START);
      expect(json.status).toBe(400);
      expect(await json.json()).toMatchObject({ error: { id: 'session_already_available' } });
      const page = await browser.get(`${START}?return_to=/health`, { accept: 'text/html' });
      expect([page.status, page.headers.get('location')]).toEqual([303, '/health']);
    });

    it('a browser is led to the form, and never to a foreign page', async () => {
      const page = await browser.get(`${START}?return_to=/health%3Fa=1`, { accept: 'text/html' });
      expect(page.status).toBe(303);
      expect(page.headers.get('location')).toMatch(/^\/login\?flow=[\da-f-]{36}$/);
      for (const foreign of [
        'https://evil.example/',
        '//evil.example',
        '/\\evil.example',
        'javascript:alert(1)',
      ]) {
        const answer = await browser.get(`${START}?return_to=${encodeURIComponent(foreign)}`);
        expect([foreign, answer.status]).toEqual([foreign, 400]);
        expect(await answer.json()).toMatchObject({ error: { id: 'self_service_flow_return_to_forbidden' } });
      }
    });
  });

  describe('too many attempts', () => {
    it('are refused for a while, without locking out a device that signed in before', async () => {
      const known = openTestBrowser(server.url);
      expect((await known.signIn(user.email, PASSWORD)).status).toBe(200);
      const statuses: number[] = [];
      for (let attempt = 0; attempt < 11; attempt += 1) {
        statuses.push((await browser.signIn(user.email, `guess ${attempt}`)).status);
      }
      expect(statuses).toEqual([...Array.from({ length: 10 }, () => 400), 429]);
      const refused = await browser.signIn(user.email, PASSWORD);
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect((await known.signIn(user.email, PASSWORD)).status).toBe(200);
      server.advance(5 * 60_000 + 1);
      expect((await browser.signIn(user.email, PASSWORD)).status).toBe(200);
    });
  });

  describe('a session ends', () => {
    it('at sign-out, on the server too', async () => {
      await browser.signIn(user.email, PASSWORD);
      const kept = browser.cookies.get('ory_kratos_session') ?? '';
      const { logout_token: token } = (await (
        await browser.get('/api/.ory/self-service/logout/browser')
      ).json()) as { logout_token: string };
      const wrong = await browser.get(`/api/.ory/self-service/logout?token=${'0'.repeat(64)}`);
      expect(wrong.status).toBe(403);
      expect((await whoami()).status).toBe(200);
      const out = await browser.get(`/api/.ory/self-service/logout?token=${token}`);
      expect(out.status).toBe(204);
      expect(browser.cookies.has('ory_kratos_session')).toBe(false);
      browser.cookies.set('ory_kratos_session', kept);
      expect((await whoami()).status).toBe(401);
      const ory = await browser.get('/api/.ory/sessions/whoami');
      expect(ory.status).toBe(401);
      expect(await ory.json()).toMatchObject({ error: { code: 401 } });
    });

    it('after a day without use, and after 30 days with it', async () => {
      await browser.signIn(user.email, PASSWORD);
      server.advance(23 * HOUR_MS);
      expect((await whoami()).status).toBe(200);
      server.advance(23 * HOUR_MS);
      expect((await whoami()).status).toBe(200);
      server.advance(24 * HOUR_MS + 1);
      expect((await whoami()).status).toBe(401);
      await browser.signIn(user.email, PASSWORD);
      for (let day = 0; day < 31; day += 1) {
        server.advance(23 * HOUR_MS);
        expect((await whoami()).status).toBe(200);
      }
      server.advance(23 * HOUR_MS);
      expect((await whoami()).status).toBe(401);
    });

    it('with its account, at once; and a role counts from the next request', async () => {
      await browser.signIn(user.email, PASSWORD);
      await server.db.run(`update casbin_rule set v1 = 'editor' where v0 = $1`, [user.id]);
      const me = whoamiSchema.parse(await (await whoami()).json());
      expect(me.payload.roles).toEqual(['editor']);
      await server.db.run(`update identities set state = 'inactive' where id = $1`, [user.id]);
      expect((await whoami()).status).toBe(401);
    });
  });

  describe('HTTP Basic', () => {
    const basic = (email: string, password: string) => ({
      authorization: `Basic ${Buffer.from(`${email}:${password}`).toString('base64')}`,
    });

    it('lets a script in by e-mail and password, and follows a change of either at once', async () => {
      const anyone = openTestBrowser(server.url);
      const ask = (password: string) => anyone.get('/api/auth/whoami', basic(user.email, password));
      expect((await ask(PASSWORD)).status).toBe(200);
      expect((await ask(PASSWORD)).status).toBe(200);
      expect((await ask('wrong')).status).toBe(401);
      await updatePassword(server.db, user.id, await hashPassword('another one'));
      expect((await ask(PASSWORD)).status).toBe(401);
      const malformed = await anyone.get('/api/auth/whoami', { authorization: 'Basic !!!' });
      expect(malformed.status).toBe(401);
    });

    it('stops guessing after ten wrong passwords', async () => {
      const statuses = new Set<number>();
      for (let attempt = 0; attempt < 11; attempt += 1) {
        const answer = await browser.get('/api/auth/whoami', basic(user.email, `guess ${attempt}`));
        statuses.add(answer.status);
      }
      expect([...statuses]).toEqual([401, 429]);
    });
  });
});
