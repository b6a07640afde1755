/**
 * `POST /connection/test/{id}` against real services on loopback (contract §10): each type that this server can
 * try accepts the right access and refuses the wrong one, and what is secret stays so.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { IncomingMessage, Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exportData } from '../../server/app/transfer/export-data.ts';
import { findConnectionByReference } from '../../server/connections/connection-query.ts';
import { HTTP_TESTS } from '../../server/connections/http-tests.ts';
import { OTHER_TESTS } from '../../server/connections/other-tests.ts';
import { resolveConnection } from '../../server/connections/connection-values.ts';
import { holding } from '../../server/connections/testing/holding-query.ts';
import { testByCheck } from '../../server/health/connection-tests.ts';
import { isNotificationType } from '../../server/notifications/senders/test-service.ts';
import { readSnapshot } from '../../server/replication/change-log/change-feed.ts';
import type { ConnectionField, ConnectionType } from '../../src/domain/settings/connection-fields.ts';
import { connectionColumns, connectionValues } from '../../src/domain/settings/connection-row.ts';
import { CONNECTION_TYPES } from '../../src/domain/settings/connection-types.ts';
import { createPostgresDatabase, openMigratedDatabase } from '../../server/platform/db/test-databases.ts';
import type { Database } from '../../server/platform/db/database.ts';
import { openTestBrowser } from '../security/support/test-browser.ts';
import type { TestBrowser } from '../security/support/test-browser.ts';
import { PASSWORD, startTestServer } from '../security/support/test-server.ts';
import type { TestServer } from '../security/support/test-server.ts';

const USER = 'tester';
const SECRET = 'a-very-secret-word';
const BASIC = `Basic ${Buffer.from(`${USER}:${SECRET}`).toString('base64')}`;
const ROW = { username: USER, password: SECRET };

/** Which requests the stand-in service takes; by path, as the real ones do. */
function isAccepted(request: IncomingMessage): boolean {
  const { url = '', headers } = request;
  const { authorization = '' } = headers;
  if (url.startsWith('/user')) return authorization === `Bearer ${SECRET}`;
  if (url.startsWith('/api/v4/user')) return headers['private-token'] === SECRET;
  if (url.startsWith('/api/auth.test')) return true;
  if (url.startsWith(`/bot${SECRET}/`)) return true;
  if (url.startsWith('/api/v1/pods')) return authorization === `Bearer ${SECRET}`;
  if (url.includes('/_apis/'))
    return authorization === `Basic ${Buffer.from(`:${SECRET}`).toString('base64')}`;
  if (authorization.startsWith('AWS4-HMAC-SHA256')) return authorization.includes(`Credential=${USER}/`);
  if (url.includes('/oauth2/')) return true;
  return authorization === BASIC;
}

function startService(): Promise<{ service: Server; origin: string }> {
  const service = createServer((request, response) => {
    const isSlackRefusal =
      request.url?.startsWith('/api/auth.test') === true &&
      request.headers.authorization !== `Bearer ${SECRET}`;
    response.statusCode = isAccepted(request) ? 200 : 401;
    response.end(JSON.stringify(isSlackRefusal ? { ok: false, error: 'invalid_auth' } : { ok: true }));
  });
  return new Promise((resolve) => {
    service.listen(0, '127.0.0.1', () => {
      const address = service.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      resolve({ service, origin: `http://127.0.0.1:${port}` });
    });
  });
}

/** In every secret that the table of types types in. */
const MARK = 'm4rk-of-a-secret';
const isSecret = ({ kind }: ConnectionField) => kind === 'secret' || kind === 'large-secret';

function typed(type: ConnectionType) {
  const values = connectionValues(type, null);
  values.name = `typed-${type.type}`;
  values.namespace = 'ops';
  for (const field of type.fields) {
    const { at, kind, options } = field;
    const plain = at.endsWith('url') ? 'https://svc.example/x' : `svc-of-${at.replace('.', '-')}`;
    const value =
      kind === 'check'
        ? true
        : kind === 'number'
          ? '8443'
          : (options?.[0] ?? (isSecret(field) ? `${MARK}-${at}` : plain));
    if (at.startsWith('properties.')) values.properties[at.slice('properties.'.length)] = value;
    else values[at] = value;
  }
  return values;
}

describe('connections', () => {
  let folder: string;
  let db: Database;
  let server: TestServer;
  let admin: TestBrowser;
  let service: Server;
  let origin: string;
  let made = 0;
  let logged = '';
  const logger = pino({ level: 'trace' }, { write: (line) => void (logged += line) });

  async function connection(row: object): Promise<string> {
    made += 1;
    const answer = await admin.send('POST', '/api/db/connections', {
      body: JSON.stringify({ name: `c${made}`, insecure_tls: false, ...row }),
      headers: { prefer: 'return=representation' },
    });
    expect(answer.status).toBe(201);
    return ((await answer.json()) as { id: string }[])[0]?.id ?? '';
  }

  async function tried(row: object): Promise<{ status: number; body: { message?: string; error?: string } }> {
    const answer = await admin.post(`/api/connection/test/${await connection(row)}`);
    return { status: answer.status, body: (await answer.json()) as { message?: string; error?: string } };
  }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'holdfast-connections-'));
    mkdirSync(join(folder, 'secrets', 'app'), { recursive: true });
    writeFileSync(join(folder, 'secrets', 'app', 'password'), `${SECRET}\n`);
    db = await openMigratedDatabase('postgres');
    server = await startTestServer(db, { egressAllow: ['loopback'], identity: { dataDir: folder }, logger });
    ({ service, origin } = await startService());
    const { email } = await server.account('admin');
    admin = openTestBrowser(server.url);
    await admin.signIn(email, PASSWORD);
  });
  afterAll(async () => {
    service.close();
    await server.stop();
    await db.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const kubeconfig = (token: string) =>
    JSON.stringify({
      contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
      clusters: [{ name: 'c', cluster: { server: origin } }],
      users: [{ name: 'u', user: { token } }],
    });

  const rows = (type: string, url: string): object =>
    ({
      kubernetes: { type, certificate: kubeconfig(SECRET) },
      azure: { type, url, ...ROW, properties: { tenant: 'a tenant' } },
      s3: { type, url, ...ROW, properties: { bucket: 'b', region: 'eu-west-1' } },
      aws: { type, url, ...ROW, properties: { region: 'eu-west-1' } },
    })[type] ?? { type, url, ...ROW };

  const HTTP_TYPES = `http elasticsearch prometheus github gitlab azure_devops azure slack telegram aws s3 git
    kubernetes`.split(/\s+/);

  it.each(HTTP_TYPES)('%s: the right access is ok', async (type) => {
    expect(await tried(rows(type, origin))).toEqual({ status: 200, body: { message: 'ok' } });
  });

  it.each(HTTP_TYPES.filter((type) => !['azure', 'aws', 's3', 'kubernetes'].includes(type)))(
    '%s: a wrong password is refused, and told without it',
    async (type) => {
      const { status, body } = await tried({ ...rows(type, origin), password: 'not-the-right-one' });
      expect(status).toBe(400);
      expect(body.error).toMatch(/answered 401|not accepted/);
      expect(JSON.stringify(body)).not.toContain('not-the-right-one');
    },
  );

  it('a password that is mounted is read, and one that is not there is named', async () => {
    const row = { type: 'http', url: origin, username: USER };
    expect((await tried({ ...row, password: 'secret://app/password' })).status).toBe(200);
    const missing = await tried({ ...row, password: 'secret://app/other' });
    expect(missing.status).toBe(400);
    expect(missing.body.error).toContain('secret app/other was not found');
    expect((await tried({ ...row, password: 'helm://release/key' })).body.error).toContain(
      'password: helm://',
    );
    expect((await tried({ ...row, password: 'secret://../../etc/passwd' })).status).toBe(400);
  });

  it('placeholders in the address are filled in', async () => {
    const url = origin.replace('//', '//$(username):$(password)@');
    expect((await tried({ type: 'http', url, ...ROW })).status).toBe(200);
    expect(
      (await tried({ type: 'http', url: `${origin}/$(properties.path)`, ...ROW, properties: { path: 'x' } }))
        .status,
    ).toBe(200);
  });

  it('a database that answers is ok; a wrong name is told', async () => {
    const url = await createPostgresDatabase();
    expect(await tried({ type: 'postgres', url })).toEqual({ status: 200, body: { message: 'ok' } });
    const wrong = await tried({ type: 'postgres', url: url.replace(/\/[^/]+$/, '/no_such_database') });
    expect(wrong.status).toBe(400);
    expect(wrong.body.error).toContain('no_such_database');
  });

  it('a mail server that takes the password is ok', async () => {
    const smtp = new SMTPServer({
      authOptional: false,
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      onAuth: (auth, _session, done) =>
        done(
          auth.password === SECRET ? null : new Error('no'),
          auth.password === SECRET ? { user: 'x' } : undefined,
        ),
    });
    await new Promise<void>((resolve) => {
      smtp.listen(0, '127.0.0.1', resolve);
    });
    const address = smtp.server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const url = `smtp://$(username):$(password)@127.0.0.1:${port}/?Encryption=None&Auth=Plain`;
    expect((await tried({ type: 'email', url, ...ROW })).body).toEqual({ message: 'ok' });
    const wrong = await tried({ type: 'email', url, username: USER, password: 'not-the-right-one' });
    expect(wrong.status).toBe(400);
    expect(wrong.body.error).not.toContain('not-the-right-one');
    await new Promise<void>((resolve) => {
      smtp.close(resolve);
    });
  });

  it('a folder that is there is ok', async () => {
    expect((await tried({ type: 'folder', properties: { path: folder } })).status).toBe(200);
    expect((await tried({ type: 'folder', properties: { path: join(folder, 'none') } })).status).toBe(400);
    expect((await tried({ type: 'folder' })).body.error).toBe('path: is required for this test');
  });

  it.each([
    ['a server that is not there', 'http://127.0.0.1:9', /ECONNREFUSED|refused|closed/i],
    ['the metadata of a cloud', 'http://169.254.169.254/latest', /not allowed/],
    ['no address', 'nonsense', /url: must be a URL/],
    ['another scheme', 'file:///etc/passwd', /scheme|not valid/],
  ])('%s is refused', async (_what, url, reason) => {
    const { status, body } = await tried({ type: 'http', url });
    expect(status).toBe(400);
    expect(body.error).toMatch(reason);
  });

  it.each(['discord', 'ntfy', 'webhook'])('%s without an address says what it lacks', async (type) => {
    const { status, body } = await tried({ type });
    expect(status).toBe(400);
    expect(body.error).toMatch(/is missing|leads to no/);
  });

  it.each(['windows', 'smb', 'restic', 'jmeter', 'constructor', 'toString'])(
    '%s cannot be tried here, and says so',
    async (type) => {
      const { status, body } = await tried({ type });
      expect(status).toBe(501);
      expect(body).toMatchObject({
        error: expect.stringContaining(type) as unknown,
        message: 'Not Implemented',
      });
    },
  );

  it('what is not there is not found, and only who manages connections may ask', async () => {
    const nobody = '00000000-0000-4000-8000-00000000dead';
    expect((await admin.post(`/api/connection/test/${nobody}`)).status).toBe(404);
    expect((await admin.post('/api/connection/test/x')).status).toBe(404);
    const { email } = await server.account('editor');
    const editor = openTestBrowser(server.url);
    await editor.signIn(email, PASSWORD);
    const answer = await editor.post(`/api/connection/test/${nobody}`);
    expect(answer.status).toBe(403);
    expect(answer.headers.get('x-rbac-object')).toBe('connection');
  });

  describe('of each type', () => {
    const byId = async (table: string, id: string, select: string): Promise<Record<string, unknown>> => {
      const answer = await admin.get(`/api/db/${table}?id=eq.${id}&select=${select}`);
      return ((await answer.json()) as Record<string, unknown>[])[0] ?? {};
    };
    const table = CONNECTION_TYPES.map((type) => [type.type, type] as const);

    it.each(table)(
      '%s: what the form saves comes back masked and is opened as it was typed',
      async (_, type) => {
        const values = typed(type);
        const id = await connection({ ...connectionColumns(type, values), source: 'UI' });
        const whole = await byId('connections', id, '*');
        expect(JSON.stringify(whole)).not.toContain(MARK);
        // As the page asks, which then saves what it was shown.
        const facts = await byId('connections', id, 'id,name,namespace,type,url,properties,insecure_tls');
        const secrets = await byId('connection_details', id, 'id,username,password,certificate');
        const shown = connectionValues(type, { ...secrets, ...facts });
        for (const field of type.fields.filter(isSecret)) {
          const { at } = field;
          const value = at.startsWith('properties.')
            ? shown.properties[at.slice('properties.'.length)]
            : shown[at];
          expect(value, at).toBe('***');
        }
        for (const { at, kind } of type.fields.filter((field) => field.kind === 'text'))
          // Of Google Chat: part of what lets in, whatever the form calls it.
          if (at !== 'properties.webhook') {
            const name = at.replace('properties.', '');
            const [from, to] = at === name ? [values, shown] : [values.properties, shown.properties];
            expect(to[name], `${kind} ${at}`).toBe(from[name]);
          }
        const saved = await admin.send('PATCH', `/api/db/connections?id=eq.${id}`, {
          body: JSON.stringify(connectionColumns(type, shown)),
        });
        expect(saved.status).toBe(204);
        const reference = `connection://ops/${values.name}`;
        const { sealer, secret } = server.backend.outside;
        const row = await findConnectionByReference(db, sealer, reference);
        if (row === null) throw new Error('not found');
        const opened: Record<string, unknown> = { ...(await resolveConnection(row, secret)) };
        for (const field of type.fields.filter(isSecret)) {
          const { at } = field;
          const kept = at.startsWith('properties.')
            ? row.properties?.[at.slice('properties.'.length)]
            : opened[at];
          expect(kept, at).toBe(`${MARK}-${at}`);
        }
      },
    );

    it('nothing of it is anywhere: at rest, in snapshots, in what is exported, in what is logged', async () => {
      await expect.poll(() => holding(db, MARK), { timeout: 60_000, interval: 200 }).toEqual([]);
      const page = await readSnapshot(db, 'connections', { after: null, limit: 1000 });
      expect(page.rows.length).toBeGreaterThanOrEqual(CONNECTION_TYPES.length);
      expect(JSON.stringify(page)).not.toContain(MARK);
      const set = join(folder, 'set');
      await exportData(db, { folder: set, withSecrets: false, sealer: server.backend.outside.sealer });
      for (const file of readdirSync(set))
        expect(readFileSync(join(set, file), 'utf8'), file).not.toContain(MARK);
      expect(logged).toContain('/api/db/connections');
      expect(logged).not.toContain(MARK);
    });

    it('the table says of a type that it can be tried exactly where this server can', () => {
      const known = { ...HTTP_TESTS, ...OTHER_TESTS };
      const canBeTried = (type: string) =>
        Object.hasOwn(known, type) || testByCheck(type) !== null || isNotificationType(type);
      for (const { type, isTestable = false } of CONNECTION_TYPES)
        expect(canBeTried(type), type).toBe(isTestable);
    });
  });
});
