/**
 * Nobody reaches what is somebody else's, or not for his role, by naming it: through embeds and filters of the data
 * API, the change feed, its snapshots and its stream, commands, sessions and forms of others.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { forEachDatabase } from '../../../server/platform/db/test-databases.ts';
import { decideTableAccess } from '../../../server/access/policies/table-areas.ts';
import { id as newId, openDevice } from '../../commands/support/command-device.ts';
import type { CommandDevice } from '../../commands/support/command-device.ts';
import { readEvents } from '../support/event-reader.ts';
import { openForm, readForm, sendForm } from '../support/identity-client.ts';
import { allRelations } from '../support/relations-query.ts';
import { signInAs } from '../support/signed-in.ts';
import type { SignedIn } from '../support/signed-in.ts';
import { openTestBrowser } from '../support/test-browser.ts';
import { PASSWORD, startTestServer } from '../support/test-server.ts';
import type { TestServer } from '../support/test-server.ts';

const ROLES = ['editor', 'commander', 'responder', 'viewer', 'agent'] as const;
const CANARY = 'canary-of-a-connection';
/** For the server alone; written down here, so that a rename or a new policy is noticed. */
const FOR_NOBODY =
  `access_tokens identity_credentials identity_sessions identity_flows identity_codes identity_mails
  identity_addresses identity_recovery_codes hosted_sign_ins organizations organization_members
  command_results command_devices change_log`.split(/\s+/);
const FOR_ADMINS = [
  'connections',
  'connections_list',
  'connection_details',
  'identities',
  'casbin_rule',
  'permissions',
];
const ADMINS_COLLECTION = 'connections';

forEachDatabase((_name, openDatabase) => {
  let server: TestServer;
  let admin: SignedIn;
  const people = new Map<string, SignedIn>();
  const as = (role: string): SignedIn => {
    const person = people.get(role);
    if (person === undefined) throw new Error(`no ${role}`);
    return person;
  };

  async function addConnection(name: string): Promise<void> {
    await server.db.run(
      `insert into connections (name, type, url, username, password) values ($1, 'http', $2, $2, $2)`,
      [name, CANARY],
    );
    server.notifier.notify('connections');
  }

  beforeAll(async () => {
    server = await startTestServer(await openDatabase(), { heartbeatMs: 200 });
    admin = await signInAs(server, 'admin');
    for (const role of ROLES) people.set(role, await signInAs(server, role));
    await addConnection('secret one');
  });
  afterAll(() => server.stop());

  describe('rows that are not for a role', () => {
    const ways = (parent: string, hidden: string) => [
      `${parent}?select=*,${hidden}(*)`,
      `${parent}?select=x:${hidden}(*)`,
      `${parent}?select=*,...${hidden}(*)`,
      `${parent}?select=*,${hidden}!inner()&${hidden}.id=not.is.null`,
      `${parent}?select=*&order=${hidden}(id)`,
      `${parent}?${hidden}=not.is.null`,
      `${parent}?${hidden}.password=like.*a*`,
    ];

    it.each(['editor', 'viewer'])(
      'are not embedded, sorted by, counted or filtered by for %s',
      async (role) => {
        const { browser } = as(role);
        const known = await allRelations(server.db);
        const hidden = known.filter((name) => FOR_NOBODY.includes(name) || FOR_ADMINS.includes(name));
        expect(hidden.length).toBeGreaterThan(15);
        for (const parent of ['people', 'playbook_run_actions', 'canaries']) {
          for (const name of hidden) {
            for (const way of ways(parent, name)) {
              const cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ');
              const answer = await server.app.inject({ url: `/api/db/${way}`, headers: { cookie } });
              expect([way, answer.statusCode]).not.toEqual([way, 200]);
            }
          }
        }
      },
      120_000,
    );

    it('an administrator embeds those that are his, so the refusals above are of the role', async () => {
      const answer = await admin.browser.get('/api/db/people?select=id,connections(name)');
      expect(answer.status).toBe(200);
    });

    it.each(FOR_NOBODY)('%s does not exist for anybody, by any method', async (name) => {
      for (const browser of [admin.browser, as('editor').browser]) {
        for (const method of ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'PUT']) {
          const body = method === 'GET' || method === 'HEAD' ? {} : { body: '{}' };
          const answer = await browser.send(method, `/api/db/${name}?id=not.is.null`, body);
          expect([name, method, [403, 404].includes(answer.status)]).toEqual([name, method, true]);
        }
      }
      expect(decideTableAccess(name, 'GET', ['admin']).kind).not.toBe('allowed');
    });

    it.each([
      'queue_event',
      'pg_read_file',
      'pg_sleep',
      'set_config',
      'current_setting',
      'lo_import',
      'dblink',
      'version',
    ])('the function %s is not to be called, by GET or POST', async (name) => {
      expect((await admin.browser.get(`/api/db/rpc/${name}?a=1`)).status).toBe(404);
      expect((await admin.browser.post(`/api/db/rpc/${name}`, { a: '1' })).status).toBe(404);
    });

    it.each([
      'information_schema.tables',
      'pg_catalog.pg_authid',
      'pg_authid',
      'pg_shadow',
      'public.teams',
      '"teams"',
    ])('the relation %s is not to be read', async (name) => {
      expect((await admin.browser.get(`/api/db/${encodeURIComponent(name)}`)).status).toBe(404);
    });
  });

  describe('the change feed', () => {
    async function wholeFeed(person: SignedIn): Promise<string> {
      let text = '';
      let cursor: string | null = null;
      for (let page = 0; page < 20; page += 1) {
        const query: string = cursor === null ? '' : `?cursor=${cursor}`;
        const answer = await person.browser.get(`/api/sync/changes${query}`);
        const body = await answer.text();
        text += body;
        const next = (JSON.parse(body) as { cursor?: string }).cursor ?? null;
        if (answer.status !== 200 || next === cursor) return text;
        cursor = next;
      }
      return text;
    }

    it('brings connections to administrators only, whatever is asked for', async () => {
      const start = (
        JSON.parse(await (await admin.browser.get('/api/sync/changes')).text()) as { cursor: string }
      ).cursor;
      await addConnection('secret two');
      const since = `cursor=${start}&collections=${ADMINS_COLLECTION}`;
      expect(await (await admin.browser.get(`/api/sync/changes?${since}`)).text()).toContain('secret two');
      for (const role of ROLES) {
        const { browser } = as(role);
        const asked = await browser.get(`/api/sync/changes?${since}`);
        expect([role, (await asked.text()).includes('secret two')]).toEqual([role, false]);
        expect([role, (await wholeFeed(as(role))).includes('secret')]).toEqual([role, false]);
        const snapshot = await browser.get(`/api/sync/snapshot?collection=${ADMINS_COLLECTION}`);
        expect([role, snapshot.status]).toEqual([role, 403]);
        // Also when they were made for somebody who may.
        const pages = `/api/sync/snapshot-pages?collection=${ADMINS_COLLECTION}`;
        expect(await (await admin.browser.get(pages)).text()).toContain('secret two');
        expect([role, (await browser.get(pages)).status]).toEqual([role, 403]);
        const small = '/api/sync/small-snapshots';
        expect(await (await admin.browser.get(small)).text()).toContain('secret two');
        expect([role, (await (await browser.get(small)).text()).includes('secret two')]).toEqual([
          role,
          false,
        ]);
      }
      expect(
        await (await admin.browser.get(`/api/sync/snapshot?collection=${ADMINS_COLLECTION}`)).text(),
      ).toContain('secret two');
    });

    it('streams them to administrators only', async () => {
      const heard = async (person: SignedIn) => {
        const events = readEvents(await person.browser.get('/api/events'));
        await events.next('heartbeat');
        return events;
      };
      const [mine, theirs] = [await heard(admin), await heard(as('viewer'))];
      await addConnection('secret three');
      const said = await mine.next('changes');
      expect(JSON.stringify(said?.data)).toContain('secret three');
      await server.db.run(`insert into teams (name, created_by) values ('a marker', $1)`, [admin.id]);
      server.notifier.notify('teams');
      for (;;) {
        const event = await theirs.next('changes');
        const text = JSON.stringify(event?.data ?? null);
        expect(text).not.toContain('secret');
        if (event === null || text.includes('a marker')) break;
      }
      await Promise.all([mine.close(), theirs.close()]);
    });

    it('never brings the secrets of a connection, not even to administrators', async () => {
      expect(await wholeFeed(admin)).not.toContain(CANARY);
      const snapshot = await admin.browser.get(`/api/sync/snapshot?collection=${ADMINS_COLLECTION}`);
      expect(await snapshot.text()).not.toContain(CANARY);
    });
  });

  describe('commands', () => {
    let author: CommandDevice;
    let other: CommandDevice;
    const incident = { id: newId(), rootHypothesisId: newId() };
    const comment = newId();

    beforeAll(async () => {
      author = await openDevice(server, 'responder');
      other = await openDevice(server, 'responder');
      await author.apply(
        {
          name: 'create_incident',
          args: { ...incident, title: 'mine', commanderId: null, communicatorId: null },
        },
        {
          name: 'add_comment',
          args: {
            id: comment,
            incidentId: incident.id,
            hypothesisId: null,
            responderId: null,
            comment: 'mine',
          },
        },
      );
    });

    it('a comment is edited and deleted by its author', async () => {
      const about = { id: comment, incidentId: incident.id };
      expect(await other.send({ name: 'delete_comment', args: about })).toMatchObject({ code: 'forbidden' });
      expect(
        await other.send({
          name: 'edit_comment',
          args: { ...about, comment: 'x' },
          basedOn: { comment: 'mine' },
        }),
      ).toMatchObject({ code: 'forbidden' });
      expect(
        await author.send({
          name: 'edit_comment',
          args: { ...about, comment: 'still mine' },
          basedOn: { comment: 'mine' },
        }),
      ).toMatchObject({ kind: 'applied' });
    });

    it('through the data API as well: nobody writes in another name, nor in an outside system’s', async () => {
      const words = async () =>
        (
          await server.db.rows(
            z.custom<{ comment: string }>(),
            'select comment from comments where id = $1',
            [comment],
          )
        )[0]?.comment;
      const before = await words();
      const added = {
        incident_id: incident.id,
        hypothesis_id: incident.rootHypothesisId,
        comment: 'through the API',
      };
      const post = async (row: object, headers: Record<string, string> = {}) =>
        (await other.browser.send('POST', '/api/db/comments', { body: JSON.stringify(row), headers })).status;
      expect(await post({ ...added, created_by: author.personId })).toBe(403);
      expect(
        await post([
          { ...added, created_by: other.personId },
          { ...added, created_by: author.personId },
        ]),
      ).toBe(403);
      expect(await post({ ...added, created_by: other.personId, external_created_by: 'Grace' })).toBe(403);
      const merging = { prefer: 'resolution=merge-duplicates' };
      expect(await post({ ...added, id: comment, created_by: other.personId }, merging)).toBe(403);
      expect(await post({ ...added, created_by: other.personId })).toBe(201);
      for (const [changed, status] of [
        // Reaches no row: those of others aren't the sender's to change.
        [{ comment: 'not mine' }, 204],
        [{ created_by: other.personId }, 204],
      ] as const) {
        const body = JSON.stringify(changed);
        const answer = await other.browser.send('PATCH', `/api/db/comments?id=eq.${comment}`, { body });
        expect(answer.status).toBe(status);
      }
      expect(await words()).toBe(before);
      const mine = await author.browser.send('PATCH', `/api/db/comments?id=eq.${comment}`, {
        body: JSON.stringify({ comment: 'mine again' }),
      });
      expect([mine.status, await words()]).toEqual([204, 'mine again']);
      for (const table of ['incidents', 'hypotheses', 'evidences', 'responders']) {
        const authors = () => server.db.rows(z.unknown(), `select id, created_by from ${table} order by id`);
        const stored = await authors();
        const body = JSON.stringify({ created_by: other.personId });
        const answer = await other.browser.send('PATCH', `/api/db/${table}?id=not.is.null`, { body });
        expect([204, 403]).toContain(answer.status);
        expect(await authors()).toEqual(stored);
      }
      const history = JSON.stringify({ incident_id: incident.id, type: 'x', created_by: other.personId });
      expect((await other.browser.send('POST', '/api/db/incident_histories', { body: history })).status).toBe(
        403,
      );
    });

    it('a record is not reached by naming another incident', async () => {
      const mine = { id: newId(), rootHypothesisId: newId() };
      await other.apply({
        name: 'create_incident',
        args: { ...mine, title: 'other', commanderId: null, communicatorId: null },
      });
      const wrong = { id: incident.rootHypothesisId, incidentId: mine.id };
      expect(await other.send({ name: 'delete_hypothesis', args: wrong })).toMatchObject({ code: 'invalid' });
    });

    it('a device of somebody else sends nothing, and its results are not told', async () => {
      const twin = other.twin();
      const answer = await twin.post(author.number({ name: 'add_comment', args: {} }), author.deviceId);
      expect(answer.status).toBe(403);
    });

    it.each(['viewer', 'agent'])('%s commands nothing', async (role) => {
      const device = await openDevice(server, role);
      const args = {
        id: newId(),
        rootHypothesisId: newId(),
        title: 'x',
        commanderId: null,
        communicatorId: null,
      };
      expect(await device.send({ name: 'create_incident', args })).toMatchObject({ code: 'forbidden' });
    });

    it('who wrote a row is what the server knows, not what a command says', async () => {
      const id = newId();
      const args = {
        id,
        incidentId: incident.id,
        hypothesisId: null,
        responderId: null,
        comment: 'forged',
        created_by: author.personId,
      };
      await other.send({ name: 'add_comment', args });
      const [row] = await server.db.rows(
        z.custom<{ created_by: string }>(),
        'select created_by from comments where id = $1',
        [id],
      );
      expect(row?.created_by).toBe(other.personId);
    });
  });

  describe('sessions and forms', () => {
    it('nobody ends or sees the session of somebody else, administrators neither', async () => {
      const victim = await signInAs(server, 'viewer');
      const answer = await victim.browser.get('/api/.ory/sessions/whoami');
      const { id } = (await answer.json()) as { id: string };
      for (const person of [admin, as('editor'), as('viewer')]) {
        expect((await person.browser.send('DELETE', `/api/.ory/sessions/${id}`)).status).toBe(404);
        expect(await (await person.browser.get('/api/.ory/sessions')).text()).not.toContain(id);
        await person.browser.send('DELETE', '/api/.ory/sessions');
      }
      expect((await victim.browser.get('/api/auth/whoami')).status).toBe(200);
    });

    it('a form of another browser is not read, and not sent', async () => {
      const [mine, theirs] = [await signInAs(server, 'viewer'), await signInAs(server, 'viewer')];
      const form = await openForm(mine.browser, 'settings');
      const read = await theirs.browser.get(`/api/.ory/self-service/settings/flows?id=${form.id}`);
      expect(read.status).toBe(403);
      const fields = { method: 'password', password: 'somebody else chose this' };
      expect((await sendForm(theirs.browser, { kind: 'settings', form, fields })).status).toBe(403);
      await readForm(mine.browser, 'settings', form.id);
    });

    it('a form of one account is not sent by another that signed in at the same browser', async () => {
      const mine = await signInAs(server, 'viewer');
      const form = await openForm(mine.browser, 'settings');
      const { email } = await server.account('viewer');
      const next = openTestBrowser(server.url);
      next.cookies.set('holdfast_csrf', mine.browser.cookies.get('holdfast_csrf') ?? '');
      await next.signIn(email, PASSWORD);
      const fields = { method: 'password', password: 'somebody else chose this' };
      const answer = await sendForm(next, { kind: 'settings', form, fields });
      expect(answer.status).toBe(403);
      const again = openTestBrowser(server.url);
      expect((await again.signIn(mine.email, PASSWORD)).status).toBe(200);
    });

    it('what somebody says about himself is changed by himself and by administrators', async () => {
      const victim = as('commander');
      const path = `/api/auth/${victim.id}/properties`;
      for (const role of ['editor', 'viewer', 'responder', 'agent']) {
        expect([role, (await as(role).browser.post(path, { role: 'x' })).status]).toEqual([role, 403]);
      }
      expect((await victim.browser.post(path, { role: 'on call' })).status).toBe(200);
    });

    it('roles are not raised by the data API, by columns or by accounts of others', async () => {
      for (const role of ROLES) {
        const { browser, id } = as(role);
        for (const [method, path, body] of [
          ['PATCH', `/api/db/people?id=eq.${id}`, { properties: { role: 'admin' }, type: 'admin' }],
          ['POST', '/api/db/people', { name: 'x', email: 'x@example.com' }],
          ['POST', '/api/db/casbin_rule', { ptype: 'g', v0: id, v1: 'admin' }],
          ['POST', '/api/db/people_roles', { id, roles: ['admin'] }],
          ['POST', `/api/rbac/${id}/update_role`, { roles: ['admin'] }],
          [
            'POST',
            '/api/people/update',
            { id, firstName: 'a', lastName: 'b', email: 'a@example.com', role: 'admin' },
          ],
          ['POST', `/api/auth/${admin.id}/update_state`, { state: 'inactive' }],
        ] as const) {
          const answer = await browser.send(method, path, { body: JSON.stringify(body) });
          expect([role, path, answer.status]).toEqual([role, path, 403]);
        }
        const me = await browser.get('/api/auth/whoami');
        expect(await me.json()).toMatchObject({ payload: { roles: [role] } });
      }
    });
  });

  describe('files, runs and snapshots', () => {
    const ID = '20000000-0000-4000-8000-000000000001';
    it.each([
      `/api/artifacts/list/check/${ID}/2026-01-01T00:00:00Z`,
      `/api/artifacts/list/playbook_run/${ID}`,
      `/api/artifacts/download/${ID}`,
      `/api/snapshot/config/${ID}`,
      `/api/snapshot/incident/${ID}`,
      `/api/snapshot/topology/${ID}`,
      `/api/playbook/run/${ID}`,
      `/api/playbook/list?config_id=${ID}`,
      '/api/canary/api/topology',
    ])('%s is not for agents and strangers', async (path) => {
      expect((await as('agent').browser.get(path)).status).toBe(403);
      expect((await openTestBrowser(server.url).get(path)).status).toBe(401);
      expect([200, 404]).toContain((await as('viewer').browser.get(path)).status);
    });

    it('connections are searched by administrators only', async () => {
      const asked = { connections: [{ search: 'secret' }] };
      const found = await admin.browser.post('/api/resources/search', asked);
      expect(await found.text()).toContain('secret one');
      for (const role of ROLES) {
        const answer = await as(role).browser.post('/api/resources/search', asked);
        expect([role, answer.status]).toEqual([role, 403]);
      }
    });
  });
});
