/** The kubeconfig and what its token opens (schema §3.4), the person's own tokens, over HTTP on both databases. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { forEachDatabase } from '../../server/platform/db/test-databases.ts';
import { openForm, saveForm } from '../security/support/identity-client.ts';
import { signInAs } from '../security/support/signed-in.ts';
import type { SignedIn } from '../security/support/signed-in.ts';
import { PASSWORD, startTestServer } from '../security/support/test-server.ts';
import type { TestServer } from '../security/support/test-server.ts';

const PATH = '/api/kubeconfig';
const DAY_MS = 86_400_000;
const QUARTER_HOUR_MS = 15 * 60_000;
const PAGE = { accept: 'text/html' };

interface Config {
  clusters: { name: string; cluster: { server: string } }[];
  users: { user: { username: string; password: string } }[];
}
interface OwnToken {
  id: string;
  name: string;
  scope: string;
  expires_at: string;
}

forEachDatabase((_name, openDatabase) => {
  let server: TestServer;

  beforeAll(async () => {
    server = await startTestServer(await openDatabase(), {
      settings: { publicUrl: 'https://ops.example.com' },
    });
  });
  afterAll(() => server.stop());

  const basic = (name: string, password: string) => ({
    authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`,
  });
  async function download({ browser }: SignedIn): Promise<string> {
    const answer = await browser.post(PATH);
    expect(answer.status).toBe(200);
    return (parse(await answer.text()) as Config).users[0]?.user.password ?? '';
  }
  const statusOf = async (path: string, token: string, method = 'GET') =>
    (await fetch(`${server.url}${path}`, { method, headers: basic('token', token) })).status;
  const PROXY = '/api/kubeproxy/api/v1/pods';
  const tokensOf = async ({ browser }: SignedIn) =>
    (await (await browser.get('/api/identity/tokens')).json()) as OwnToken[];

  describe('the file', () => {
    it('names the public address and holds a token that counts until the next one', async () => {
      const user = await signInAs(server, 'editor');
      const answer = await user.browser.post(PATH);
      expect(answer.headers.get('content-type')).toContain('text/yaml');
      expect(answer.headers.get('content-disposition')).toBe(
        'attachment; filename="ops-example-com-kubeconfig.yaml"',
      );
      expect(answer.headers.get('cache-control')).toBe('no-store');
      const { clusters, users } = parse(await answer.text()) as Config;
      const address = 'https://ops.example.com/api/kubeproxy';
      expect(clusters).toEqual([{ name: 'mission-control-ops-example-com', cluster: { server: address } }]);
      expect(users[0]?.user.username).toBe('token');
      const first = users[0]?.user.password ?? '';
      expect(await statusOf(PROXY, first)).toBe(404);
      const second = await download(user);
      expect(await statusOf(PROXY, first)).toBe(401);
      expect(await statusOf(PROXY, second)).toBe(404);
    });

    it('is made by POST: its address shows a page with the button, and makes nothing', async () => {
      const user = await signInAs(server, 'editor');
      const page = await user.browser.get(PATH, PAGE);
      expect(page.headers.get('content-type')).toContain('text/html');
      expect(await page.text()).toContain('<form method="post">');
      expect(await tokensOf(user)).toEqual([]);
      // As a browser sends the page's form.
      const sent = await user.browser.send('POST', PATH, {
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...PAGE },
      });
      expect([sent.status, sent.headers.get('content-type')]).toEqual([200, 'text/yaml; charset=utf-8']);
    });

    it('wants somebody who showed lately who he is, and leads there', async () => {
      const user = await signInAs(server, 'editor');
      server.advance(QUARTER_HOUR_MS + 1000);
      const refused = await user.browser.post(PATH);
      expect(refused.status).toBe(403);
      expect(await refused.json()).toMatchObject({ error: { id: 'session_refresh_required' } });
      const page = await user.browser.get(PATH, PAGE);
      expect(page.status).toBe(303);
      expect(page.headers.get('location')).toContain('refresh=true&return_to=%2Fapi%2Fkubeconfig');
      expect(await tokensOf(user)).toEqual([]);
    });

    it('is made for a session only: neither a password nor a token makes one', async () => {
      const user = await signInAs(server, 'admin');
      const token = await download(user);
      const { accessTokens } = server.backend;
      const whole = await accessTokens.create({ personId: user.id, name: 'script', expiresAt: null });
      for (const headers of [basic(user.email, PASSWORD), basic('token', token), basic('token', whole)]) {
        const answer = await fetch(`${server.url}${PATH}`, { method: 'POST', headers });
        expect(answer.status).toBe(403);
      }
      expect((await tokensOf(user)).map(({ name }) => name).toSorted()).toEqual(['kubeconfig', 'script']);
    });
  });

  describe('its token', () => {
    it('opens the cluster proxy and no other route, with whatever method', async () => {
      const user = await signInAs(server, 'admin');
      const token = await download(user);
      expect(await statusOf(PROXY, token)).toBe(404);
      const isParameter = (part: string) => part.startsWith(':') || part === '*';
      const routes = server.app.printRoutes({ commonPrefix: false, includeHooks: false }).match(/\/api\S*/g);
      const paths = (routes ?? []).map((path) =>
        path
          .split('/')
          .map((part) => (isParameter(part) ? 'x' : part))
          .join('/'),
      );
      const others = ['/api/auth/whoami', '/api/db/connections', '/api/identity/tokens', PATH, '/api/events'];
      const all = [...new Set([...paths, ...others])].filter((path) => !path.startsWith('/api/kubeproxy'));
      expect(all.length).toBeGreaterThan(others.length);
      for (const path of all) {
        for (const method of ['GET', 'POST', 'DELETE']) {
          const [asToken, asNobody] = [
            await statusOf(path, token, method),
            (await fetch(`${server.url}${path}`, { method })).status,
          ];
          // What needs nobody answers nobody alike; the rest refuses it.
          const isOpen = asToken === asNobody;
          expect([method, path, isOpen || asToken === 403]).toEqual([method, path, true]);
        }
      }
    });

    it('ends after a day, or as many as were asked for, and with a change of password', async () => {
      const user = await signInAs(server, 'editor');
      const token = await download(user);
      const [listed] = await tokensOf(user);
      expect(listed).toMatchObject({ name: 'kubeconfig', scope: 'cluster-proxy' });
      const form = await openForm(user.browser, 'settings');
      const fields = { method: 'password', password: 'another password for tests' };
      await saveForm(user.browser, { kind: 'settings', form, fields });
      expect(await statusOf(PROXY, token)).toBe(401);
      expect(await tokensOf(user)).toEqual([]);
      const next = await download(user);
      server.advance(DAY_MS);
      expect(await statusOf(PROXY, next)).toBe(401);
      const again = await signInAs(server, 'editor');
      for (const [days, status] of [
        ['7', 200],
        ['90', 400],
      ] as const) {
        const sent = await again.browser.send('POST', PATH, {
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body: `days=${days}`,
        });
        expect([days, sent.status]).toEqual([days, status]);
      }
      const [long] = await tokensOf(again);
      expect(Date.parse(long?.expires_at ?? '') - Date.now()).toBeGreaterThan(6 * DAY_MS);
    });

    it('is listed without its value to its owner, who ends it; nobody else can', async () => {
      const [owner, other] = [await signInAs(server, 'editor'), await signInAs(server, 'admin')];
      const token = await download(owner);
      const answer = await owner.browser.get('/api/identity/tokens');
      const text = await answer.text();
      for (const part of token.split('.').slice(0, 2)) expect(text).not.toContain(part);
      const [{ id }] = JSON.parse(text) as [OwnToken];
      const address = `/api/identity/tokens/${id}`;
      expect(await tokensOf(other)).toEqual([]);
      expect((await other.browser.send('DELETE', address)).status).toBe(404);
      expect(await statusOf(PROXY, token)).toBe(404);
      expect((await owner.browser.send('DELETE', address)).status).toBe(204);
      expect(await statusOf(PROXY, token)).toBe(401);
      expect((await owner.browser.send('DELETE', address)).status).toBe(404);
    });
  });
});
