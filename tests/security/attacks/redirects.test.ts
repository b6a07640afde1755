/** Nobody is led to another site: `return_to` of every form and of sign-out, with every trick of addresses. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../server/platform/db/database.ts';
import { openMigratedDatabase } from '../../../server/platform/db/test-databases.ts';
import { rawRequest } from '../support/raw-request.ts';
import { csrfTokenIn, openTestBrowser } from '../support/test-browser.ts';
import { PASSWORD, startTestServer } from '../support/test-server.ts';
import type { TestServer } from '../support/test-server.ts';
import type { Form } from '../support/identity-client.ts';

const HTML = { accept: 'text/html' };

describe('where a sign-in leads to', () => {
  let db: Database;
  let server: TestServer;
  let email = '';
  beforeAll(async () => {
    db = await openMigratedDatabase('postgres');
    server = await startTestServer(db);
    ({ email } = await server.account('viewer'));
  });
  afterAll(async () => {
    await server.stop();
    await db.close();
  });

  /** Written by a page of another site; HOST is our own. */
  const TRICKS = [
    'https://evil.example',
    '//evil.example',
    '///evil.example',
    '////evil.example/%2f..',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '\t//evil.example',
    ' //evil.example',
    '/%09/evil.example',
    '/.//evil.example',
    '/x/..//evil.example',
    '/%2e//evil.example',
    'HOST//evil.example',
    'HOST/.//evil.example',
    'HOST\\\\evil.example',
    'HOST@evil.example',
    'HOST.evil.example',
    'http:evil.example',
    'http:///evil.example',
    'https:/\\evil.example',
    'javascript:alert(1)',
    'data:text/html,x',
    'blob:HOST/x',
    'file:///etc/passwd',
    '/health\r\nLocation: https://evil.example',
    '/health%0d%0aLocation: https://evil.example',
    '?//evil.example',
    '#//evil.example',
  ];

  /** Where a browser would be after following the address from one of our pages. */
  const originAfter = (location: string) => new URL(location, `${server.url}/login`).origin;

  async function signInWith(returnTo: string): Promise<{ refused: Response } | { location: string }> {
    const browser = openTestBrowser(server.url);
    const opened = await browser.get(
      `/api/.ory/self-service/login/browser?return_to=${encodeURIComponent(returnTo)}`,
    );
    if (opened.status !== 200) return { refused: opened };
    const form = (await opened.json()) as Form;
    expect(originAfter(form.return_to ?? '/')).toBe(server.url);
    const body = { method: 'password', identifier: email, password: PASSWORD, csrf_token: csrfTokenIn(form) };
    const done = await browser.post(`/api/.ory/self-service/login?flow=${form.id}`, body, HTML);
    expect(done.status).toBe(303);
    return { location: done.headers.get('location') ?? '' };
  }

  it.each(TRICKS)('is a page of ours or nothing: %j', async (trick) => {
    const came = await signInWith(trick.replace('HOST', server.url));
    if ('refused' in came) {
      expect([400, 403]).toContain(came.refused.status);
      return;
    }
    expect([trick, originAfter(came.location)]).toEqual([trick, server.url]);
    expect(came.location).toMatch(/^\/(?![/\\])/);
  });

  it('a page of ours is come back to, with query and fragment', async () => {
    expect(await signInWith('/health?query=a#b')).toEqual({ location: '/health?query=a#b' });
    expect(await signInWith(`${server.url}/logs?x=//y`)).toEqual({ location: '/logs?x=//y' });
  });

  it.each(['registration', 'recovery', 'verification', 'settings'])(
    'the form of %s refuses what leads elsewhere before it asks anything',
    async (kind) => {
      for (const trick of TRICKS) {
        const browser = openTestBrowser(server.url);
        const returnTo = encodeURIComponent(trick.replace('HOST', server.url));
        const path = `/api/.ory/self-service/${kind}/browser?return_to=${returnTo}`;
        const text = await (await browser.get(path)).text();
        const kept = (JSON.parse(text) as Partial<Form>).return_to;
        expect([kind, trick, originAfter(kept ?? '/')]).toEqual([kind, trick, server.url]);
        const page = await browser.get(path, HTML);
        expect([trick, originAfter(page.headers.get('location') ?? '/')]).toEqual([trick, server.url]);
      }
    },
  );

  it('sign-out leads to a page of ours', async () => {
    for (const trick of TRICKS) {
      const browser = openTestBrowser(server.url);
      const path = `/api/.ory/self-service/logout?token=x&return_to=${encodeURIComponent(trick.replace('HOST', server.url))}`;
      const { headers, status } = await browser.get(path, HTML);
      expect([trick, status, originAfter(headers.get('location') ?? '')]).toEqual([trick, 303, server.url]);
    }
  });

  it('pages that moved lead on within this site, whatever stands behind their name', async () => {
    for (const path of ['/config//evil.example', '/config/%2f%2fevil.example', '/config/\\evil.example']) {
      const { status, headers } = await rawRequest(server.url, { path, headers: HTML });
      expect([path, status, originAfter(headers.location ?? '')]).toEqual([path, 308, server.url]);
    }
  });

  it('a name that the request gives itself is not where a sign-in leads to', async () => {
    const forged = { host: 'evil.example', 'x-forwarded-host': 'evil.example', accept: 'application/json' };
    const path = '/api/.ory/self-service/login/browser?return_to=https://holdfast.example/health';
    const answer = await rawRequest(server.url, { path, headers: forged });
    expect(answer.status).toBe(400);
  });
});
