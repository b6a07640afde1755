/** Users, roles and agents over HTTP (contract §2.4, §8, schema §8.1, §8.5). */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { forEachDatabase } from '../../server/platform/db/test-databases.ts';
import { openTestBrowser } from '../security/support/test-browser.ts';
import type { TestBrowser } from '../security/support/test-browser.ts';
import { PASSWORD, startTestServer } from '../security/support/test-server.ts';
import type { TestServer } from '../security/support/test-server.ts';

interface Signed {
  id: string;
  email: string;
  browser: TestBrowser;
}

const invited = (email: string, role = 'editor') => ({ firstName: 'Ada', lastName: 'Byron', email, role });

forEachDatabase((_name, openDatabase) => {
  let server: TestServer;
  let admin: Signed;
  let other: Signed;

  async function signedIn(...roles: string[]): Promise<Signed> {
    const account = await server.account(...roles);
    const browser = openTestBrowser(server.url);
    await browser.signIn(account.email, PASSWORD);
    return { ...account, browser };
  }

  async function errorOf(answer: Response): Promise<string> {
    return ((await answer.json()) as { error: string }).error;
  }

  const change = (user: Signed, fields: object) => ({
    id: user.id,
    firstName: 'Test',
    lastName: 'User',
    email: user.email,
    role: 'viewer',
    active: true,
    ...fields,
  });

  beforeAll(async () => {
    server = await startTestServer(await openDatabase(), {
      settings: { publicUrl: 'https://ops.example.com' },
    });
    admin = await signedIn('admin');
    other = await signedIn('admin');
  });
  afterAll(() => server.stop());

  it('an invitation makes the account, with its link, person and role', async () => {
    const answer = await admin.browser.post('/api/auth/invite_user', invited('Ada@Example.com'));
    expect(answer.status).toBe(200);
    const { link } = (await answer.json()) as { link: string };
    expect(URL.canParse(link)).toBe(true);
    const identities = (await (
      await admin.browser.get('/api/db/identities?traits->>email=eq.ada@example.com')
    ).json()) as { id: string; state: string; traits: object; created_at: string }[];
    expect(identities).toMatchObject([
      { state: 'active', traits: { email: 'ada@example.com', name: { first: 'Ada', last: 'Byron' } } },
    ]);
    const roles = await admin.browser.get(`/api/db/people_roles?id=in.(${identities[0]?.id})`);
    expect(await roles.json()).toEqual([
      { id: identities[0]?.id, name: 'Ada Byron', email: 'ada@example.com', roles: ['editor'] },
    ]);
  });

  it('an e-mail that somebody has is refused as the contract words it', async () => {
    await admin.browser.post('/api/auth/invite_user', invited('twice@example.com'));
    const answer = await admin.browser.post('/api/auth/invite_user', invited('TWICE@example.com'));
    expect(answer.status).toBe(409);
    expect(await errorOf(answer)).toBe('User already exists');
  });

  it.each([
    [{ ...invited('a@b.co'), firstName: ' ' }, 'firstName: Please provide valid first name'],
    [{ ...invited('a@b.co'), lastName: undefined }, 'lastName: Please provide valid last name'],
    [{ ...invited(''), email: undefined }, 'email: Please provide valid email'],
    [invited('a@b'), 'email: Entered value does not match email format'],
    [invited('a@b.co\r\nBcc: x@y.zz'), 'email: Entered value does not match email format'],
    [invited('a@b.co', 'root'), 'role: Please select any role'],
    [invited('a@b.co', 'agent'), 'role: Please select any role'],
  ])('an invitation %j is refused: %s', async (body, text) => {
    const answer = await admin.browser.post('/api/auth/invite_user', body);
    expect(answer.status).toBe(400);
    expect(await errorOf(answer)).toBe(text);
  });

  it('a change of name and e-mail reaches identity and person, and keeps the session', async () => {
    const user = await signedIn('viewer');
    const fields = { firstName: 'Grace', lastName: 'Hopper', email: `Grace-${user.id}@example.com` };
    const answer = await admin.browser.post('/api/people/update', change(user, fields));
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({
      email: fields.email.toLowerCase(),
      name: { first: 'Grace', last: 'Hopper' },
    });
    const whoami = (await (await user.browser.get('/api/auth/whoami')).json()) as {
      payload: { user: { name: string; email: string } };
    };
    expect(whoami.payload.user).toMatchObject({ name: 'Grace Hopper', email: fields.email.toLowerCase() });
  });

  it('another role ends the sessions and counts from the next request on', async () => {
    const user = await signedIn('editor');
    expect((await admin.browser.post('/api/people/update', change(user, { role: 'viewer' }))).status).toBe(
      200,
    );
    expect((await user.browser.get('/api/auth/whoami')).status).toBe(401);
    await user.browser.signIn(user.email, PASSWORD);
    const whoami = (await (await user.browser.get('/api/auth/whoami')).json()) as { payload: object };
    expect(whoami.payload).toMatchObject({ roles: ['viewer'] });
  });

  it('a deactivated user is out at once and cannot come in until activated', async () => {
    const user = await signedIn('viewer');
    expect((await admin.browser.post('/api/people/update', change(user, { active: false }))).status).toBe(
      200,
    );
    expect((await user.browser.get('/api/properties')).status).toBe(401);
    await user.browser.signIn(user.email, PASSWORD);
    expect((await user.browser.get('/api/properties')).status).toBe(401);
    // A form that doesn't know the state leaves it.
    await admin.browser.post('/api/people/update', change(user, { active: undefined }));
    await user.browser.signIn(user.email, PASSWORD);
    expect((await user.browser.get('/api/properties')).status).toBe(401);
    const answer = await admin.browser.post(`/api/auth/${user.id}/update_state`, {
      id: user.id,
      state: 'active',
    });
    expect(await answer.json()).toEqual({ message: 'success' });
    await user.browser.signIn(user.email, PASSWORD);
    expect((await user.browser.get('/api/properties')).status).toBe(200);
  });

  it('a deleted user is out, without account and roles, and stays as a name in history', async () => {
    const user = await signedIn('editor');
    expect((await admin.browser.send('DELETE', `/api/people/${user.id}`)).status).toBe(200);
    expect((await user.browser.get('/api/properties')).status).toBe(401);
    const rows = await server.db.rows(
      z.unknown(),
      `select (select count(*)::int from identities where id = $1) as identities,
              (select count(*)::int from casbin_rule where v0 = $1::text) as roles,
              (select deleted_at is not null from people where id = $1) as is_deleted`,
      [user.id],
    );
    expect(rows).toEqual([{ identities: 0, roles: 0, is_deleted: true }]);
    expect((await admin.browser.send('DELETE', `/api/people/${user.id}`)).status).toBe(404);
    expect((await admin.browser.send('DELETE', '/api/people/nobody')).status).toBe(404);
  });

  it('roles are added without taking any, and end the sessions only when there is a new one', async () => {
    const user = await signedIn('viewer');
    const path = `/api/rbac/${user.id}/update_role`;
    expect((await admin.browser.post(path, { roles: ['viewer'] })).status).toBe(200);
    expect((await user.browser.get('/api/properties')).status).toBe(200);
    expect(await (await admin.browser.post(path, { roles: ['responder', 'viewer'] })).json()).toEqual({
      message: 'success',
    });
    expect((await user.browser.get('/api/properties')).status).toBe(401);
    const rows = await server.db.rows(z.unknown(), `select v1 from casbin_rule where v0 = $1 order by v1`, [
      user.id,
    ]);
    expect(rows).toEqual([{ v1: 'responder' }, { v1: 'viewer' }]);
    expect((await admin.browser.post(path, { roles: ['agent'] })).status).toBe(400);
    expect((await admin.browser.post(path, { roles: [] })).status).toBe(400);
    const nobody = '/api/rbac/00000000-0000-4000-8000-00000000dead/update_role';
    expect((await admin.browser.post(nobody, { roles: ['viewer'] })).status).toBe(404);
  });

  it('nobody takes the administrator from himself', async () => {
    const asked = [
      admin.browser.post('/api/people/update', change(admin, { role: 'editor' })),
      admin.browser.post('/api/people/update', change(admin, { role: 'admin', active: false })),
      admin.browser.post(`/api/auth/${admin.id}/update_state`, { state: 'inactive' }),
      admin.browser.send('DELETE', `/api/people/${admin.id}`),
    ];
    for (const answer of await Promise.all(asked)) {
      expect(answer.status).toBe(409);
      expect(await errorOf(answer)).toContain('You cannot');
    }
    expect((await admin.browser.get('/api/rbac/dump')).status).toBe(200);
  });

  it('of two administrators who remove each other at once, one stays', async () => {
    const [one, two] = await Promise.all([
      admin.browser.post('/api/people/update', change(other, { role: 'viewer' })),
      other.browser.post('/api/people/update', change(admin, { role: 'viewer' })),
    ]);
    expect([one.status, two.status].filter((status) => status === 200)).toHaveLength(1);
    const [winner, loser] = one.status === 200 ? [admin, other] : [other, admin];
    const rows = await server.db.rows(z.unknown(), `select v0 from casbin_rule where v1 = 'admin'`);
    expect(rows).toEqual([{ v0: winner.id }]);
    const again = await winner.browser.post('/api/people/update', change(loser, { role: 'admin' }));
    expect(again.status).toBe(200);
    await loser.browser.signIn(loser.email, PASSWORD);
    expect((await loser.browser.get('/api/rbac/dump')).status).toBe(200);
  });

  it('the list of grants names every role, and no role has more than the matrix', async () => {
    const dump = (await (await admin.browser.get('/api/rbac/dump')).json()) as Record<string, unknown>[];
    expect(new Set(dump.map(({ subject }) => subject))).toEqual(
      new Set(['admin', 'editor', 'viewer', 'commander', 'responder']),
    );
    expect(dump).toContainEqual({ subject: 'responder', object: 'incident', action: 'create', deny: false });
    expect(dump).not.toContainEqual(expect.objectContaining({ subject: 'viewer', action: 'create' }));
  });

  it('what somebody does at work is his to say, and is told with who he is', async () => {
    const user = await signedIn('viewer');
    const stranger = await signedIn('editor');
    const path = `/api/auth/${user.id}/properties`;
    expect((await stranger.browser.post(path, { role: 'x' })).status).toBe(403);
    expect((await user.browser.post(path, { role: 'SRE', isAdmin: true })).status).toBe(200);
    const whoami = (await (await user.browser.get('/api/auth/whoami')).json()) as { payload: object };
    expect(whoami.payload).toMatchObject({ user: { properties: { role: 'SRE' } }, roles: ['viewer'] });
  });

  it('an agent gets person, row and a token that comes in as an agent and nothing more', async () => {
    const body = { name: 'edge-1', properties: { region: 'eu' }, pushTelemetry: { enabled: false } };
    const answer = await admin.browser.post('/api/agent/generate', body);
    expect(answer.status).toBe(201);
    const made = (await answer.json()) as { id: string; username: string; access_token: string };
    expect(made.username).toMatch(/^agent-[0-9a-f]+$/);
    const list = await admin.browser.get(
      '/api/db/agents_summary?select=*,created_by(id,name,avatar)&name=eq.edge-1',
    );
    expect(await list.json()).toMatchObject([
      {
        name: 'edge-1',
        person_id: made.id,
        properties: { region: 'eu', type: 'agent' },
        created_by: { id: admin.id },
      },
    ]);
    const asAgent = (path: string) => {
      const authorization = `Basic ${Buffer.from(`token:${made.access_token}`).toString('base64')}`;
      return fetch(`${server.url}${path}`, { headers: { authorization } });
    };
    expect(await (await asAgent('/api/upstream/ping')).json()).toMatchObject({ name: 'edge-1' });
    for (const path of [
      '/api/auth/whoami',
      '/api/db/incidents',
      '/api/db/agents',
      '/api/db/people',
      '/api/rbac/dump',
    ])
      expect((await asAgent(path)).status).toBe(403);
    // Removing the agent ends its token.
    await admin.browser.send('PATCH', '/api/db/agents?name=eq.edge-1', {
      body: JSON.stringify({ deleted_at: 'now()' }),
    });
    expect((await asAgent('/api/upstream/ping')).status).toBe(401);
  });

  it('an agent name is taken once, given back by removal, and has to be one', async () => {
    const make = (name: unknown) => admin.browser.post('/api/agent/generate', { name });
    expect((await make('edge-2')).status).toBe(201);
    const again = await make('edge-2');
    expect(again.status).toBe(409);
    expect(await errorOf(again)).toContain('name: there is already an agent edge-2');
    for (const name of ['', undefined, 'a b', '../x', '-x', 'local'])
      expect([400, 409]).toContain((await make(name)).status);
    // What people call its type would be written over.
    const typed = { name: 'edge-3', properties: { type: 'edge' } };
    expect((await admin.browser.post('/api/agent/generate', typed)).status).toBe(400);
    await admin.browser.send('PATCH', '/api/db/agents?name=eq.edge-2', {
      body: JSON.stringify({ deleted_at: 'now()' }),
    });
    expect((await make('edge-2')).status).toBe(201);
  });

  it('this server itself is no agent to delete, alone or among others', async () => {
    const removal = { body: JSON.stringify({ deleted_at: 'now()', cleanup: true }) };
    const own = '00000000-0000-0000-0000-000000000000';
    const alone = await admin.browser.send('PATCH', `/api/db/agents?id=eq.${own}`, removal);
    expect(alone.status).toBe(400);
    expect(await errorOf(alone)).toContain('is this server itself');
    const among = await admin.browser.send('PATCH', '/api/db/agents?name=in.(local,nobody)', removal);
    expect(among.status).toBeLessThan(300);
    const left = await admin.browser.get('/api/db/agents?select=name,deleted_at&name=eq.local');
    expect(await left.json()).toEqual([{ name: 'local', deleted_at: null }]);
  });

  it('a viewer gets no kubeconfig, agent, invitation or change of users', async () => {
    const { browser, id } = await signedIn('viewer');
    const refused: [Response, string, string][] = [
      [await browser.get('/api/kubeconfig'), 'kubernetes-proxy', 'create'],
      [await browser.post('/api/agent/generate', { name: 'x' }), 'agent', 'update'],
      [await browser.post('/api/auth/invite_user', invited('x@y.zz')), 'auth', 'update'],
      [await browser.post('/api/people/update', {}), 'people', 'update'],
      [await browser.send('DELETE', `/api/people/${id}`), 'people', 'delete'],
      [await browser.post(`/api/rbac/${id}/update_role`, { roles: ['admin'] }), 'rbac', 'update'],
      [await browser.post(`/api/auth/${id}/update_state`, { state: 'active' }), 'auth', 'update'],
      [await browser.get('/api/rbac/dump'), 'rbac', 'read'],
    ];
    for (const [answer, object, action] of refused) {
      expect(answer.status).toBe(403);
      expect(answer.headers.get('x-rbac-object')).toBe(object);
      expect(answer.headers.get('x-rbac-action')).toBe(action);
      expect(answer.headers.get('x-rbac-subject')).toBe(id);
    }
  });
});
