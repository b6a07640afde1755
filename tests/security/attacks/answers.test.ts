/**
 * What every answer carries and nothing can put into it: the security headers on pages, files and errors of every
 * kind; no script in the page that has not this answer's nonce; no header and no markup that a client wrote.
 */
import { connect } from 'node:net';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../server/platform/db/database.ts';
import { openMigratedDatabase } from '../../../server/platform/db/test-databases.ts';
import { rawRequest } from '../support/raw-request.ts';
import type { RawAnswer, RawRequest } from '../support/raw-request.ts';
import { signInAs } from '../support/signed-in.ts';
import type { SignedIn } from '../support/signed-in.ts';
import { startTestServer } from '../support/test-server.ts';
import type { TestServer } from '../support/test-server.ts';

const ID = '20000000-0000-4000-8000-000000000001';
const CRLF = '\r\nx-injected: 1\r\nset-cookie: a=b';
const MARKUP = `"><img src=x onerror=alert(1)><script>alert(1)</script>`;
const PAGES =
  `/ /health /topology /catalog /catalog/changes /catalog/insights /incidents /playbooks /playbooks/runs
  /logs /agents /notifications /notifications/silences /notifications/silences/add /settings/users /settings/jobs
  /settings/connections /settings/feature-flags /settings/event-queue-status /profile-settings /login /registration
  /recovery /verification /error /logout /auth-state-checker /nothing/here`.split(/\s+/);

function expectHeaders(what: string, { headers }: Pick<RawAnswer, 'headers'>): void {
  const policy = String(headers['content-security-policy']);
  expect([what, policy]).toEqual([what, expect.stringContaining(`default-src 'none'`)]);
  expect([what, policy]).toEqual([what, expect.stringContaining(`frame-ancestors 'none'`)]);
  expect([what, policy]).toEqual([what, expect.stringContaining(`base-uri 'none'`)]);
  expect([what, /script-src[^;]*(?:unsafe|\*|data:|blob:|https?:)/.test(policy)]).toEqual([what, false]);
  expect([what, headers['x-content-type-options']]).toEqual([what, 'nosniff']);
  expect([what, headers['referrer-policy']]).toEqual([what, 'same-origin']);
  expect([what, headers['cross-origin-opener-policy']]).toEqual([what, 'same-origin']);
  expect([what, headers['server'] ?? headers['x-powered-by']]).toEqual([what, undefined]);
}

describe('an answer', () => {
  let db: Database;
  let server: TestServer;
  let admin: SignedIn;
  const appDir = mkdtempSync(join(tmpdir(), 'holdfast-page-'));

  beforeAll(async () => {
    // The page as it is in the source; the bundler gives the scripts that it makes the same placeholder.
    const source = readFileSync('index.html', 'utf8').replaceAll('<script', '<script nonce="__CSP_NONCE__"');
    writeFileSync(join(appDir, 'index.html'), source);
    db = await openMigratedDatabase('postgres');
    server = await startTestServer(db, { appDir });
    admin = await signInAs(server, 'admin');
  });
  afterAll(async () => {
    await server.stop();
    await db.close();
    rmSync(appDir, { recursive: true, force: true });
  });

  const cookie = () => [...admin.browser.cookies].map((pair) => pair.join('=')).join('; ');
  const ask = (request: RawRequest) =>
    rawRequest(server.url, { ...request, headers: { cookie: cookie(), ...request.headers } });

  it('with a page has no script but those of this very answer', async () => {
    const nonces = new Set<string>();
    for (const path of PAGES) {
      const answer = await ask({ path, headers: { accept: 'text/html' } });
      if (answer.status === 308) continue;
      expect([path, answer.status]).toEqual([path, 200]);
      expectHeaders(path, answer);
      const nonce = /'nonce-([\da-f]+)'/.exec(String(answer.headers['content-security-policy']))?.[1] ?? '';
      expect(nonce.length).toBeGreaterThanOrEqual(32);
      nonces.add(nonce);
      for (const [tag] of answer.body.matchAll(/<script\b[^>]*>/g)) {
        expect([path, tag]).toEqual([path, expect.stringContaining(`nonce="${nonce}"`)]);
      }
      expect(answer.body).not.toMatch(/\son\w+\s*=|javascript:|__CSP_NONCE__/i);
      expect(answer.body).not.toContain('alert(1)');
    }
    expect(nonces.size).toBeGreaterThan(20);
  });

  const ERRORS: readonly (readonly [string, number, RawRequest])[] = [
    ['400', 400, { path: '/api/db/teams?nothing=eq.1' }],
    ['400 of an address', 400, { path: '/api/%zz' }],
    ['401', 401, { path: '/api/auth/whoami', headers: { cookie: '' } }],
    ['403', 403, { method: 'POST', path: '/api/db/teams', headers: { origin: 'https://evil.example' } }],
    ['404', 404, { path: '/api/nothing' }],
    ['404 of a table', 404, { path: '/api/db/nothing' }],
    ['404 of a file', 404, { path: '/nothing.js' }],
    [
      '405',
      405,
      {
        method: 'POST',
        path: '/api/db/check_summary',
        headers: { 'content-type': 'application/json' },
        body: '{"id":1}',
      },
    ],
    ['406', 406, { path: '/api/db/teams', headers: { accept: 'application/vnd.pgrst.object+json' } }],
    [
      '413',
      413,
      {
        method: 'POST',
        path: '/api/logs',
        headers: { 'content-type': 'application/json' },
        body: `"${'x'.repeat(1_100_000)}"`,
      },
    ],
    [
      '415',
      415,
      { method: 'POST', path: '/api/logs', headers: { 'content-type': 'text/xml' }, body: '<a/>' },
    ],
    ['416', 416, { path: '/api/db/teams?offset=5', headers: { prefer: 'count=exact' } }],
    [
      'a broken body',
      400,
      { method: 'POST', path: '/api/logs', headers: { 'content-type': 'application/json' }, body: '{' },
    ],
    ['another method', 404, { method: 'TRACE', path: '/' }],
  ];

  it.each(ERRORS)('of %s carries the headers, too', async (what, status, request) => {
    const answer = await ask(request);
    expect([what, answer.status]).toEqual([what, status]);
    expectHeaders(what, answer);
    if (request.path.startsWith('/api')) expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.headers['content-type'] ?? 'none').not.toContain('html');
  });

  it('to a line that is no request is short and says nothing of us', async () => {
    const { hostname, port } = new URL(server.url);
    const said = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => socket.write('NONSENSE\r\n\r\n'));
      let text = '';
      socket.on('data', (chunk) => (text += chunk.toString()));
      socket.on('close', () => resolve(text));
      socket.on('error', reject);
    });
    expect(said).toMatch(/^HTTP\/1\.1 400 /);
    expect(said).not.toMatch(/fastify|node|stack|at .*:\d+/i);
  });

  const WRITTEN: readonly (readonly [string, (text: string) => RawRequest])[] = [
    [
      'a page that moved',
      (t) => ({
        path: `/config/${encodeURIComponent(t)}?a=${encodeURIComponent(t)}`,
        headers: { accept: 'text/html' },
      }),
    ],
    [
      'the way back',
      (t) => ({
        path: `/api/.ory/self-service/logout?token=x&return_to=/${encodeURIComponent(t)}`,
        headers: { cookie: '', accept: 'text/html' },
      }),
    ],
    [
      'a form',
      (t) => ({
        path: `/api/.ory/self-service/login/browser?return_to=/${encodeURIComponent(t)}`,
        headers: { cookie: '', accept: 'text/html' },
      }),
    ],
    [
      'the address of a new row',
      (t) => ({
        method: 'POST',
        path: '/api/db/properties',
        headers: { 'content-type': 'application/json', prefer: 'return=headers-only' },
        body: JSON.stringify({ name: t, value: 'x' }),
      }),
    ],
    [
      'what was preferred',
      (t) => ({ path: '/api/db/teams', headers: { prefer: `timezone=${t.replaceAll(/[^ -~]+/g, ' ')}` } }),
    ],
    [
      'a snapshot’s name',
      (t) => ({ path: `/api/snapshot/${encodeURIComponent(t)}/${encodeURIComponent(t)}` }),
    ],
    ['a collection', (t) => ({ path: `/api/sync/snapshot?collection=${encodeURIComponent(t)}` })],
    ['a table', (t) => ({ path: `/api/db/${encodeURIComponent(t)}` })],
    ['a function', (t) => ({ path: `/api/db/rpc/${encodeURIComponent(t)}` })],
    ['a file', (t) => ({ path: `/${encodeURIComponent(t)}.js` })],
    ['a schema', (t) => ({ path: `/api/schemas/${encodeURIComponent(t)}` })],
    ['a playbook', (t) => ({ path: `/api/playbook/run/${encodeURIComponent(t)}` })],
    ['an error', (t) => ({ path: `/api/.ory/self-service/errors?id=${encodeURIComponent(t)}` })],
    ['a page', (t) => ({ path: `/health?q=${encodeURIComponent(t)}`, headers: { accept: 'text/html' } })],
  ];

  it.each(WRITTEN)('has no line and no markup that a client wrote into %s', async (_place, put) => {
    for (const text of [`a${CRLF}`, `a${CRLF.replaceAll('\r', '')}`, `a\u560d\u560ax-injected: 1`, MARKUP]) {
      const answer = await ask(put(text));
      expect([text, answer.status < 500]).toEqual([text, true]);
      expect(answer.headers['x-injected']).toBeUndefined();
      expect(JSON.stringify(answer.headers['set-cookie'] ?? '')).not.toContain('a=b');
      expectHeaders(text, answer);
      const type = String(answer.headers['content-type'] ?? '');
      if (type.includes('html')) expect(answer.body).not.toContain('onerror');
    }
  });

  it('with a file for download has a name that a client cannot end', async () => {
    for (const host of ['a"; filename="evil.exe', 'a\tb', 'évil', 'a/../b', 'x'.repeat(300), 'a b']) {
      const answer = await ask({ method: 'POST', path: '/api/kubeconfig', headers: { host } });
      expect([host, answer.status < 500]).toEqual([host, true]);
      const disposition = String(answer.headers['content-disposition'] ?? 'attachment; filename="x"');
      expect([host, disposition]).toEqual([host, expect.stringMatching(/^attachment; filename="[\w.-]+"$/)]);
    }
  });

  it('of data is JSON that no browser takes for a page, whatever people wrote into it', async () => {
    const texts = { name: MARKUP, icon: MARKUP };
    const made = await admin.browser.post(
      '/api/db/teams?select=*',
      { ...texts, created_by: admin.id },
      { prefer: 'return=representation' },
    );
    expect(made.status).toBe(201);
    for (const path of ['/api/db/teams', '/api/sync/snapshot?collection=resources']) {
      const answer = await ask({ path, headers: { accept: 'text/html,*/*' } });
      expect([path, answer.status]).toEqual([path, 200]);
      expect([path, answer.body.includes('onerror')]).toEqual([path, true]);
      expect(answer.headers['content-type']).toMatch(/^application\/(?:[\w.+-]+\+)?json/);
      expectHeaders(path, answer);
    }
    const csv = await ask({ path: `/api/db/teams`, headers: { accept: 'text/csv' } });
    expect(csv.headers['content-type']).toMatch(/^text\/csv/);
    expectHeaders('csv', csv);
    expect((await ask({ path: `/api/canary/api/graph?check=${ID}` })).headers['content-type']).toMatch(
      /^application\/json/,
    );
  });
});
