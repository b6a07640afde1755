/** Properties and who-am-I over HTTP: what the operator set outside the database holds against every write. */
import { beforeAll, expect, it, afterAll } from 'vitest';
import { z } from 'zod';
import { forEachDatabase } from '../../server/platform/db/test-databases.ts';
import { openTestBrowser } from '../security/support/test-browser.ts';
import type { TestBrowser } from '../security/support/test-browser.ts';
import { PASSWORD, startTestServer } from '../security/support/test-server.ts';
import type { TestServer } from '../security/support/test-server.ts';

const LOCAL = new Map([
  ['incidents.disable', 'true'],
  ['job.history.maxAge', '10d'],
]);

forEachDatabase((_name, openDatabase) => {
  let server: TestServer;
  let editor: TestBrowser;
  let viewer: TestBrowser;

  async function signedIn(role: string): Promise<TestBrowser> {
    const { email } = await server.account(role);
    const browser = openTestBrowser(server.url);
    await browser.signIn(email, PASSWORD);
    return browser;
  }

  const write = (browser: TestBrowser, method: string, query: string, body?: unknown) =>
    browser.send(
      method,
      `/api/db/properties${query}`,
      body === undefined ? {} : { body: JSON.stringify(body) },
    );

  beforeAll(async () => {
    server = await startTestServer(await openDatabase(), { localProperties: LOCAL });
    editor = await signedIn('editor');
    viewer = await signedIn('viewer');
    // As if it had been there before the operator took it over.
    await server.db.run(`insert into properties (name, value) values ('incidents.disable', 'false')`);
    await write(editor, 'POST', '', { name: 'logs.disable', value: 'true' });
  });
  afterAll(() => server.stop());

  it('everyone signed in reads local and stored properties merged, local ones first in authority', async () => {
    const answer = await viewer.get('/api/properties');
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual([
      { name: 'incidents.disable', value: 'true', source: 'local', type: '', description: '' },
      { name: 'job.history.maxAge', value: '10d', source: 'local', type: '', description: '' },
      { name: 'logs.disable', value: 'true', source: 'db', type: '', description: '' },
    ]);
    expect((await openTestBrowser(server.url).get('/api/properties')).status).toBe(401);
  });

  it.each([
    ['POST', '', { name: 'job.history.maxAge', value: '1d' }],
    [
      'POST',
      '',
      [
        { name: 'fine', value: '1' },
        { name: 'incidents.disable', value: 'false' },
      ],
    ],
    ['PATCH', '?name=eq.incidents.disable', { value: 'false' }],
    ['PATCH', '?name=eq.job.history.maxAge', { value: '1d' }],
    ['PATCH', '?name=like.inc*', { value: 'false' }],
    ['PATCH', '?name=eq.logs.disable', { name: 'incidents.disable' }],
    ['DELETE', '?name=eq.incidents.disable', undefined],
    ['DELETE', '?name=in.("x","incidents.disable")', undefined],
    ['DELETE', '?value=eq.false', undefined],
    ['DELETE', '?value=eq.false&limit=0&select=value', undefined],
  ])(
    '%s /db/properties%s of a local name is refused and says where to change it',
    async (method, query, body) => {
      const answer = await write(editor, method, query, body);
      expect(answer.status).toBe(409);
      expect(await answer.json()).toMatchObject({ error: expect.stringContaining('PROPERTIES_FILE') });
      const rows = await server.db.rows(z.unknown(), `select name, value from properties order by name`);
      expect(rows).toEqual([
        { name: 'incidents.disable', value: 'false' },
        { name: 'logs.disable', value: 'true' },
      ]);
    },
  );

  it('other properties are created, read one by one, changed and deleted as the contract says', async () => {
    const made = await write(editor, 'POST', '', { name: 'topology.disable', value: 'true' });
    expect(made.status).toBe(201);
    const changed = await write(editor, 'PATCH', '?name=eq.topology.disable', { value: 'false' });
    expect(changed.status).toBe(204);
    const read = await editor.get(
      '/api/db/properties?select=*,created_by(id,name,avatar)&name=eq.topology.disable&value=eq.false',
    );
    expect(await read.json()).toMatchObject([
      { name: 'topology.disable', value: 'false', created_by: { id: expect.any(String) as string } },
    ]);
    expect((await write(editor, 'DELETE', '?name=eq.topology.disable')).status).toBe(204);
  });

  it('who may not write at all is told that, not what is local', async () => {
    const answer = await write(viewer, 'PATCH', '?name=eq.incidents.disable', { value: 'false' });
    expect(answer.status).toBe(403);
    expect(answer.headers.get('x-rbac-object')).toBe('database.system');
  });

  it('who am I names user, roles and permissions of this moment', async () => {
    const { payload } = (await (await viewer.get('/api/auth/whoami')).json()) as {
      payload: { user: { id: string }; roles: string[]; permissions: object[]; hostname: string };
    };
    expect(payload.roles).toEqual(['viewer']);
    expect(payload.hostname).toBe('test-host');
    expect(payload.permissions).toContainEqual({
      subject: payload.user.id,
      object: 'catalog',
      action: 'read',
      deny: false,
    });
    expect(payload.permissions).not.toContainEqual(expect.objectContaining({ object: 'connection' }));
    expect(payload.permissions).not.toContainEqual(expect.objectContaining({ action: 'update' }));
  });

  it('the version is told at both addresses', async () => {
    for (const path of ['/api/about', '/api/canary/about'])
      expect(await (await viewer.get(path)).json()).toEqual({
        Timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
        Version: expect.stringMatching(/^\d+\.\d+/),
      });
  });
});
