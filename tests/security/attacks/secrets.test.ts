/**
 * Secrets that are put in stay in: marked values in every place that holds one, then every answer that any role can
 * get, and everything that was logged meanwhile, is looked through for them.
 */
import { Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../server/platform/db/database.ts';
import { openMigratedDatabase } from '../../../server/platform/db/test-databases.ts';
import { createLogger } from '../../../server/platform/logger.ts';
import { decideTableAccess } from '../../../server/access/policies/table-areas.ts';
import { linkApp, makeCodes, openForm, sendForm } from '../support/identity-client.ts';
import { allRelations } from '../support/relations-query.ts';
import { signInAs } from '../support/signed-in.ts';
import type { SignedIn } from '../support/signed-in.ts';
import { openTestBrowser } from '../support/test-browser.ts';
import { PASSWORD, startTestServer } from '../support/test-server.ts';
import type { TestServer } from '../support/test-server.ts';

const ROLES = ['admin', 'editor', 'commander', 'responder', 'viewer', 'agent'] as const;
const MARK = 'mark5ecret';
const mark = (what: string) => `${MARK}-${what}`;
const ID = '20000000-0000-4000-8000-000000000001';
/** Those who manage connections read where they lead, and properties that are not named like secrets. */
const ADMINS_OWN = new Map([
  ['connections', /(?:user|property|path)$/],
  ['connection_details', /property$/],
]);

describe('what is secret', () => {
  let db: Database;
  let server: TestServer;
  const people = new Map<string, SignedIn>();
  const logged: string[] = [];
  /** Secrets that the server made itself, by what they are. */
  const made = new Map<string, string>();

  async function seed(): Promise<void> {
    await db.run(
      `insert into connections (id, name, type, url, username, password, certificate, properties)
       values ($1, 'marked', 'http', $2, $5, $3, $3, $4::jsonb)`,
      [
        ID,
        `http://user:${mark('url')}@127.0.0.1:9/${mark('path')}`,
        mark('connection'),
        JSON.stringify({ key: mark('property') }),
        mark('user'),
      ],
    );
    const admin = people.get('admin')?.id ?? '';
    await db.run(
      `insert into access_tokens (name, person_id, value, created_at) values ('t', $1, $2, now())`,
      [admin, mark('token')],
    );
    const clients = {
      jira: {
        url: `https://user:${mark('client-url')}@jira.example`,
        username: 'u',
        password: mark('client'),
      },
      ca: {
        url: 'https://ca.example',
        token: mark('client-token'),
        headers: { 'x-api-key': mark('client-key') },
      },
    };
    await db.run(`insert into teams (name, spec, created_by) values ('t', $1::jsonb, $2)`, [
      JSON.stringify({ responder_clients: clients }),
      admin,
    ]);
    await db.run(
      `insert into identity_mails (id, recipient, sealed_mail, next_attempt_at, created_at)
       values ($1, 'x@example.com', $2, now() + interval '1 day', now())`,
      [ID, mark('mail')],
    );
    await db.run(
      `insert into identity_codes (id, purpose, address, code_mark, link_mark, expires_at)
       values ($1, 'recovery', 'x@example.com', $2, $2, now() + interval '1 day')`,
      [ID, mark('code')],
    );
    await db.run(
      `insert into hosted_sign_ins (state_mark, browser_mark, nonce, code_verifier, expires_at)
       values ($1, $1, $1, $1, now() + interval '1 day')`,
      [mark('hosted')],
    );
  }

  beforeAll(async () => {
    db = await openMigratedDatabase('postgres');
    const sink = new Writable({
      write(chunk: Buffer, _encoding, done) {
        logged.push(chunk.toString());
        done();
      },
    });
    server = await startTestServer(db, {
      logger: createLogger('trace', sink),
      identity: {
        isDemo: false,
        smtpUrl: `smtp://${mark('smtp-user')}:${mark('smtp-password')}@127.0.0.1:9`,
      },
    });
    for (const role of ROLES) people.set(role, await signInAs(server, role));
    await seed();
    const owner = await signInAs(server, 'viewer');
    made.set('a second factor', await linkApp(owner.browser, () => Date.now()));
    const codes = await makeCodes(owner.browser);
    made.set('a recovery code', codes[0] ?? '');
    made.set('a session', owner.browser.cookies.get('ory_kratos_session') ?? '');
    made.set('a device', owner.browser.cookies.get('holdfast_device') ?? '');
    made.set('a form’s cookie', owner.browser.cookies.get('holdfast_csrf') ?? '');
    const kubeconfig = await people.get('editor')?.browser.post('/api/kubeconfig');
    made.set('a kubeconfig', /password: "?([\w$./+=-]+)/.exec((await kubeconfig?.text()) ?? '')?.[1] ?? '');
  });
  afterAll(async () => {
    await server.stop();
    await db.close();
  });

  const secretsIn = (text: string): string[] => [
    ...(text.match(new RegExp(`${MARK}-[\\w-]+`, 'g')) ?? []),
    ...(/\$argon2/.test(text) ? ['a hash'] : []),
    ...[...made].flatMap(([what, secret]) => (text.includes(secret) ? [what] : [])),
  ];

  const PATHS = [
    '/api/auth/whoami',
    '/api/.ory/sessions/whoami',
    '/api/.ory/sessions',
    '/api/identity/options',
    '/api/demo/mail',
    '/api/properties',
    '/api/capabilities',
    '/api/about',
    '/api/metrics',
    '/api/readyz',
    '/api/sync/changes?limit=5000',
    '/api/first-visit',
    '/api/sync/small-snapshots',
    ...['checks', 'canaries', 'resources', 'connections', 'incidents', 'playbook_runs'].map(
      (name) => `/api/sync/snapshot?collection=${name}`,
    ),
    ...['connections', 'configs', 'playbook_runs'].map(
      (name) => `/api/sync/snapshot-pages?collection=${name}`,
    ),
    '/api/canary/api/summary',
    '/api/canary/api/topology',
    `/api/snapshot/config/${ID}`,
    '/api/rbac/dump',
    `/api/.ory/self-service/errors?id=${ID}`,
    '/api/schemas/connection.spec.schema.json',
  ];

  it('was put in: every secret that is looked for is known', () => {
    for (const [what, secret] of made) expect([what, secret.length > 7]).toEqual([what, true]);
    expect(secretsIn(`x ${mark('token')} ${made.get('a session')}`)).toEqual([mark('token'), 'a session']);
  });

  it.each([...ROLES, 'nobody'])('is in no answer to %s', async (role) => {
    const browser = people.get(role)?.browser ?? openTestBrowser(server.url);
    const names = (await allRelations(db)).filter((name) => !name.startsWith('rpc/'));
    const exposed = names.filter((name) => decideTableAccess(name, 'GET', ['admin']).kind !== 'unknown');
    expect(exposed.length).toBeGreaterThan(80);
    for (const name of exposed) {
      const answer = await browser.get(`/api/db/${name}`);
      const found = secretsIn(await answer.text());
      const allowed = role === 'admin' ? ADMINS_OWN.get(name) : undefined;
      expect([name, found.filter((secret) => allowed?.test(secret) !== true)]).toEqual([name, []]);
    }
    for (const path of PATHS) {
      const answer = await browser.get(path);
      expect([path, secretsIn(await answer.text())]).toEqual([path, []]);
    }
  });

  it('is not told when a test of a connection fails', async () => {
    const answer = await people.get('admin')?.browser.post(`/api/connection/test/${ID}`);
    expect(answer?.status).toBe(400);
    expect(secretsIn((await answer?.text()) ?? '')).toEqual([]);
  });

  it('is not found in complaints about what was sent', async () => {
    const admin = people.get('admin')?.browser ?? openTestBrowser(server.url);
    for (const [path, body] of [
      ['/api/db/connections', { id: ID, name: 'again', type: 'http' }],
      ['/api/db/connections', { name: 'marked', type: 'http', namespace: 'default' }],
      ['/api/db/connections?select=nothing', { name: 'x' }],
    ] as const) {
      const answer = await admin.post(path, body);
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect([path, secretsIn(await answer.text())]).toEqual([path, []]);
    }
  });

  it('is not logged, whatever fails: sign-in, mail, forms, Basic, bearer, addresses with secrets in them', async () => {
    const browser = openTestBrowser(server.url);
    await browser.signIn(people.get('viewer')?.email ?? '', mark('typed'));
    const form = await openForm(browser, 'recovery');
    const email = people.get('viewer')?.email ?? '';
    await sendForm(browser, { kind: 'recovery', form, fields: { method: 'code', email } });
    await server.backend.sessions.find(mark('cookie'));
    await server.mails('x@example.com');
    const basic = Buffer.from(`${email}:${mark('basic')}`).toString('base64');
    for (const headers of [
      { authorization: `Basic ${basic}` },
      { authorization: `Bearer ${mark('bearer')}` },
      { cookie: `ory_kratos_session=${mark('session')}` },
    ]) {
      await browser.get(`/api/auth/whoami?token=${mark('query')}`, headers);
      await browser.get(`/api/.ory/self-service/logout?token=${mark('logout')}`, headers);
      await browser.get(`/api/nothing?password=${mark('query')}`, headers);
      await browser.post('/api/.ory/self-service/login?flow=x', { password: mark('body') }, headers);
    }
    const all = logged.join('');
    expect(all).toContain('sign-in refused');
    expect(all).toContain('/api/nothing');
    expect(secretsIn(all)).toEqual([]);
    expect(all).not.toContain(basic);
    expect(all).not.toContain(PASSWORD);
  });

  it('is kept in the database as a mark or sealed', async () => {
    const names = (await allRelations(db)).filter((name) => !name.startsWith('rpc/'));
    const tables = names.filter((name) => /^(?:identity|identities|access_tokens)/.test(name));
    expect(tables.length).toBeGreaterThan(8);
    for (const name of tables) {
      const text = await db.text(`select coalesce(json_agg(t)::text, '') from ${name} t`);
      expect(text).not.toBeNull();
      for (const [what, secret] of made)
        expect([name, what, text?.includes(secret)]).toEqual([name, what, false]);
      expect([name, text?.includes(PASSWORD)]).toEqual([name, false]);
    }
  });
});
