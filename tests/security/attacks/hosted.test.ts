/** The hosted sign-in under attack: where it leads, whose session it makes, and what its sessions may reach. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../server/platform/db/database.ts';
import { openMigratedDatabase } from '../../../server/platform/db/test-databases.ts';
import { CLIENT, passProvider, startOidcServer } from '../../hosted/oidc-server.ts';
import type { OidcServer } from '../../hosted/oidc-server.ts';
import { freePort } from '../support/free-port.ts';
import { rawRequest } from '../support/raw-request.ts';
import { openTestBrowser } from '../support/test-browser.ts';
import type { TestBrowser } from '../support/test-browser.ts';
import { startTestServer } from '../support/test-server.ts';
import type { TestServer } from '../support/test-server.ts';

const SESSION = 'ory_kratos_session';

describe('the hosted sign-in', () => {
  let db: Database;
  let provider: OidcServer;
  let server: TestServer;
  const dataDir = mkdtempSync(join(tmpdir(), 'holdfast-hosted-'));

  beforeAll(async () => {
    db = await openMigratedDatabase('postgres');
    const port = await freePort();
    const publicUrl = `http://localhost:${port}`;
    provider = await startOidcServer(`${publicUrl}/api/auth/oidc/callback`);
    provider.people.set('eve', { name: 'Eve', email: 'eve@example.com' });
    const { issuer } = provider;
    server = await startTestServer(db, {
      settings: {
        hosted: {
          provider: { issuer, clientId: CLIENT.id, clientSecret: CLIENT.secret, publicUrl },
          organizations: [],
          ownOrganization: null,
          tokens: null,
        },
      },
      port,
      dataDir,
    });
  });
  afterAll(async () => {
    await server.stop();
    await provider.close();
    await db.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  async function signIn(browser: TestBrowser, returnTo = '/'): Promise<Response> {
    const start = await browser.get(`/api/auth/oidc/start?return_to=${encodeURIComponent(returnTo)}`);
    if (start.status !== 303) return start;
    const back = await passProvider(start.headers.get('location') ?? '', 'eve');
    return browser.get(back.slice(server.url.length));
  }

  it('leads to a page of ours or nowhere', async () => {
    for (const trick of [
      'https://evil.example',
      '//evil.example',
      '/.//evil.example',
      '/x/..//evil.example',
      'HOST//evil.example',
      '/\\evil.example',
      'javascript:alert(1)',
    ]) {
      const landed = await signIn(openTestBrowser(server.url), trick.replace('HOST', server.url));
      const location = landed.headers.get('location');
      const origin = location === null ? server.url : new URL(location, server.url).origin;
      expect([trick, origin]).toEqual([trick, server.url]);
    }
  });

  it('a token that was planted before is not the session after it', async () => {
    const planted = server.backend.db.kind.padEnd(64, '0').replaceAll(/[^\da-f]/g, 'a');
    const browser = openTestBrowser(server.url);
    browser.cookies.set(SESSION, planted);
    expect((await signIn(browser)).status).toBe(303);
    expect(browser.cookies.get(SESSION)).toMatch(/^[\da-f]{64}$/);
    expect(browser.cookies.get(SESSION)).not.toBe(planted);
    const other = openTestBrowser(server.url);
    other.cookies.set(SESSION, planted);
    expect((await other.get('/api/auth/organizations')).status).toBe(401);
  });

  it('without an organisation nothing is answered, however the path is written', async () => {
    const browser = openTestBrowser(server.url);
    await signIn(browser);
    const cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ');
    for (const path of [
      '/api/db/people',
      '/%61pi/db/people',
      '/api/%64b/people',
      '//api/db/people',
      '/db/people',
      '/api/db/people?x=/api/.ory/',
      `${server.url}/api/db/people`,
      '/%61pi/auth/whoami',
      '/api/auth/../db/people',
    ]) {
      const answer = await rawRequest(server.url, { path, headers: { cookie } });
      expect([path, [403, 404].includes(answer.status)]).toEqual([path, true]);
      expect(answer.body).not.toContain('eve@example.com');
    }
  });

  it('its secrets are in no answer', async () => {
    const browser = openTestBrowser(server.url);
    await signIn(browser);
    for (const path of [
      '/api/auth/oidc/start',
      '/api/auth/jwks.json',
      '/api/identity/options',
      '/api/auth/organizations',
      '/api/auth/backend-token',
      '/api/auth/oidc/callback?code=x&state=y',
    ]) {
      const answer = await browser.get(path);
      const said = `${answer.headers.get('location') ?? ''} ${await answer.text()}`;
      expect([path, said.includes(CLIENT.secret)]).toEqual([path, false]);
      // The private half of a signing key.
      expect([path, /"d":/.test(said)]).toEqual([path, false]);
    }
  });
});
