/** A session is of the one who signed in: not planted, not read by scripts, not carried over plain lines. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { forEachDatabase } from '../../../server/platform/db/test-databases.ts';
import { nodePlatform } from '../../../server/platform/platform.ts';
import { linkApp, openForm, sendForm, totpCode } from '../support/identity-client.ts';
import { rawRequest } from '../support/raw-request.ts';
import { signInAs } from '../support/signed-in.ts';
import { csrfTokenIn, openTestBrowser } from '../support/test-browser.ts';
import type { TestBrowser } from '../support/test-browser.ts';
import { PASSWORD, startTestServer } from '../support/test-server.ts';
import type { TestServer } from '../support/test-server.ts';

const SESSION = 'ory_kratos_session';
const WHOAMI = '/api/auth/whoami';
const SELF_SERVICE = '/api/.ory/self-service';

forEachDatabase((_name, openDatabase) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer(await openDatabase());
  });
  afterAll(() => server.stop());

  function browserWith(token: string): TestBrowser {
    const browser = openTestBrowser(server.url);
    browser.cookies.set(SESSION, token);
    return browser;
  }
  const statusWith = async (token: string) => (await browserWith(token).get(WHOAMI)).status;

  describe('fixation', () => {
    it('a token that somebody planted before sign-in is never the session after it', async () => {
      const planted = nodePlatform.secret(32);
      const { email } = await server.account('viewer');
      const browser = browserWith(planted);
      expect((await browser.signIn(email, PASSWORD)).status).toBe(200);
      expect(browser.cookies.get(SESSION)).not.toBe(planted);
      expect(await statusWith(planted)).toBe(401);
    });

    it('a session of the attacker, planted, does not become the victim’s', async () => {
      const attacker = await signInAs(server, 'viewer');
      const planted = attacker.browser.cookies.get(SESSION) ?? '';
      const victim = await server.account('admin');
      const browser = browserWith(planted);
      // The form confirms the session that is there, so it takes nobody else.
      expect((await browser.signIn(victim.email, PASSWORD)).status).toBe(403);
      const seen = await browserWith(planted).get(WHOAMI);
      expect(await seen.text()).not.toContain(victim.email);
    });

    it('the token changes when the password is shown again and with the second factor; the old one is dead', async () => {
      const { browser, email } = await signInAs(server, 'editor');
      const first = browser.cookies.get(SESSION) ?? '';
      await browser.signIn(email, PASSWORD);
      const second = browser.cookies.get(SESSION) ?? '';
      expect(second).not.toBe(first);
      expect(await statusWith(first)).toBe(401);

      let aheadMs = 0;
      const now = () => Date.now() + aheadMs;
      const secret = await linkApp(browser, now);
      const fresh = openTestBrowser(server.url);
      await fresh.signIn(email, PASSWORD);
      const half = fresh.cookies.get(SESSION) ?? '';
      expect(await statusWith(half)).toBe(401);
      // A code counts once; the next step has another.
      aheadMs = 30_000;
      server.advance(aheadMs);
      const form = await openForm(fresh, 'login', '?aal=aal2');
      const fields = { method: 'totp', totp_code: totpCode(secret, now()) };
      expect((await sendForm(fresh, { kind: 'login', form, fields })).status).toBe(200);
      expect(fresh.cookies.get(SESSION)).not.toBe(half);
      expect(await statusWith(fresh.cookies.get(SESSION) ?? '')).toBe(200);
      expect(await statusWith(half)).toBe(401);
    });

    it('signed out is signed out on the server', async () => {
      const { browser } = await signInAs(server, 'viewer');
      const token = browser.cookies.get(SESSION) ?? '';
      const { logout_url: url } = (await (await browser.get(`${SELF_SERVICE}/logout/browser`)).json()) as {
        logout_url: string;
      };
      expect((await browser.get(url.slice(server.url.length))).status).toBe(204);
      expect(await statusWith(token)).toBe(401);
    });

    it('tokens are long, never alike, and not in the database', async () => {
      const tokens: string[] = [];
      const { email } = await server.account('viewer');
      for (let index = 0; index < 3; index += 1) {
        const browser = openTestBrowser(server.url);
        await browser.signIn(email, PASSWORD);
        tokens.push(browser.cookies.get(SESSION) ?? '');
      }
      expect(new Set(tokens).size).toBe(3);
      const kept = JSON.stringify(await server.db.rows(z.unknown(), 'select s.* from identity_sessions s'));
      expect(kept).toContain('token');
      for (const token of tokens) {
        expect(token).toMatch(/^[\da-f]{64}$/);
        expect(kept).not.toContain(token);
      }
    });
  });

  describe('guessing', () => {
    it.each(['', 'x', '0'.repeat(64), `' or 1=1--`, 'null', '../../x', 'a'.repeat(4000), '%00'])(
      'the cookie %j is nobody',
      async (value) => {
        const answer = await rawRequest(server.url, {
          path: WHOAMI,
          headers: { cookie: `${SESSION}=${value}` },
        });
        expect(answer.status).toBe(401);
      },
    );
  });

  describe('cookies', () => {
    interface Set {
      name: string;
      attributes: string;
    }
    const setBy = (lines: readonly string[]): Set[] =>
      lines.map((line) => ({
        name: line.slice(0, line.indexOf('=')),
        attributes: line.slice(line.indexOf(';')).toLowerCase(),
      }));

    /** The whole sign-in by raw calls, so that every cookie that is set is seen. */
    async function allCookies(headers: Record<string, string>): Promise<Set[]> {
      const { email } = await server.account('viewer');
      const json = { accept: 'application/json', 'content-type': 'application/json', ...headers };
      const opened = await rawRequest(server.url, { path: `${SELF_SERVICE}/login/browser`, headers: json });
      const form = JSON.parse(opened.body) as Parameters<typeof csrfTokenIn>[0];
      const first = opened.headers['set-cookie'] ?? [];
      const cookie = first.map((line) => line.split(';')[0]).join('; ');
      const fields = {
        method: 'password',
        identifier: email,
        password: PASSWORD,
        csrf_token: csrfTokenIn(form),
      };
      const signedIn = await rawRequest(server.url, {
        method: 'POST',
        path: `${SELF_SERVICE}/login?flow=${form.id}`,
        headers: { ...json, cookie },
        body: JSON.stringify(fields),
      });
      expect(signedIn.status).toBe(200);
      return setBy([...first, ...(signedIn.headers['set-cookie'] ?? [])]);
    }

    it('no script reads them and no other site sends them along with a write', async () => {
      const cookies = await allCookies({});
      expect(new Set(cookies.map(({ name }) => name))).toEqual(
        new Set(['holdfast_csrf', 'holdfast_device', SESSION]),
      );
      for (const { name, attributes } of cookies) {
        expect([name, attributes]).toEqual([name, expect.stringContaining('httponly')]);
        expect([name, attributes]).toEqual([name, expect.stringMatching(/samesite=(?:lax|strict)/)]);
        expect([name, attributes]).toEqual([name, expect.stringContaining('path=/')]);
        expect([name, attributes]).toEqual([name, expect.not.stringContaining('domain=')]);
      }
    });

    it('they are Secure behind a proxy that ends https, and the answers say so for good', async () => {
      const cookies = await allCookies({ 'x-forwarded-proto': 'https' });
      expect(cookies.length).toBeGreaterThanOrEqual(3);
      for (const { name, attributes } of cookies) {
        expect([name, attributes]).toEqual([name, expect.stringContaining('secure')]);
      }
      const answer = await rawRequest(server.url, {
        path: WHOAMI,
        headers: { 'x-forwarded-proto': 'https' },
      });
      expect(answer.headers['strict-transport-security']).toMatch(/max-age=\d{8}/);
    });

    it('a cookie that is taken away goes with the same flags', async () => {
      const { browser } = await signInAs(server, 'viewer');
      const token = browser.cookies.get(SESSION) ?? '';
      const { logout_token: logout } = (await (
        await browser.get(`${SELF_SERVICE}/logout/browser`)
      ).json()) as {
        logout_token: string;
      };
      const { headers } = await rawRequest(server.url, {
        path: `${SELF_SERVICE}/logout?token=${logout}`,
        headers: { cookie: `${SESSION}=${token}`, 'x-forwarded-proto': 'https' },
      });
      const [gone] = setBy(headers['set-cookie'] ?? []);
      expect(gone?.attributes).toContain('httponly');
      expect(gone?.attributes).toContain('secure');
    });
  });
});
