import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  capabilitiesSchema,
  changesAnswerSchema,
  changesEventSchema,
  heartbeatSchema,
} from '../../../src/contract/sync.ts';
import { forEachDatabase } from '../../platform/db/test-databases.ts';
import { readEvents } from '../../../tests/security/support/event-reader.ts';
import type { EventReader } from '../../../tests/security/support/event-reader.ts';
import { openTestBrowser } from '../../../tests/security/support/test-browser.ts';
import { PASSWORD, startTestServer } from '../../../tests/security/support/test-server.ts';
import type { TestBrowser } from '../../../tests/security/support/test-browser.ts';
import type { TestServer } from '../../../tests/security/support/test-server.ts';

forEachDatabase((_name, openDatabase) => {
  let server: TestServer;
  let browser: TestBrowser;
  let userId: string;

  beforeAll(async () => {
    server = await startTestServer(await openDatabase(), { heartbeatMs: 300 });
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    const user = await server.account('viewer');
    userId = user.id;
    browser = openTestBrowser(server.url);
    await browser.signIn(user.email, PASSWORD);
  });

  async function listen(as = browser): Promise<{ response: Response; events: EventReader }> {
    const response = await as.get('/api/events', { 'accept-encoding': 'br, gzip' });
    return { response, events: readEvents(response) };
  }
  const untilStreams = async (count: number) => expect.poll(() => server.backend.streams.count()).toBe(count);

  it('capabilities name our extras and the server clock', async () => {
    const answer = capabilitiesSchema.parse(await (await browser.get('/api/capabilities')).json());
    expect(answer).toMatchObject({ events: true, summary_extras: true, summary_range: true });
    expect(Math.abs(Date.parse(answer.server_time) - Date.now())).toBeLessThan(60_000);
  });

  it('the stream comes uncompressed and unbuffered, with a heartbeat at once and then regularly', async () => {
    const { response, events } = await listen();
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
    expect(response.headers.get('content-encoding')).toBeNull();
    expect(response.headers.get('x-accel-buffering')).toBe('no');
    expect(response.headers.get('content-security-policy')).toContain(`default-src 'none'`);
    for (let beat = 0; beat < 3; beat += 1) {
      expect(heartbeatSchema.safeParse((await events.next('heartbeat', 15_000))?.data).success).toBe(true);
    }
    expect(events.preamble()).toMatch(/^retry: \d{4}$/);
    await events.close();
    await untilStreams(0);
  });

  const rename = async (name: string) => {
    await server.db.run('insert into teams (name, created_by) values ($1, $2)', [name, userId]);
    server.notifier.notify('teams');
  };
  /** The first heartbeat may come before the server knows where the log is. */
  const placeOf = async (events: EventReader): Promise<string> => {
    const { cursor } = heartbeatSchema.parse((await events.next('heartbeat'))?.data);
    return cursor ?? placeOf(events);
  };
  const nextChanges = async (events: EventReader) =>
    changesEventSchema.parse((await events.next('changes', 15_000))?.data);

  it('a change arrives with its row, and says where the reader stood before', async () => {
    const { events } = await listen();
    const before = await placeOf(events);
    await rename('told');
    const told = await nextChanges(events);
    expect(told.previous).toBe(before);
    expect(told.changes).toMatchObject([{ collection: 'resources', row: { kind: 'team', name: 'told' } }]);
    await events.close();
    await untilStreams(0);
  });

  it('a reader that comes back with its cursor gets what it missed', async () => {
    const first = await listen();
    const cursor = await placeOf(first.events);
    await first.events.close();
    await rename('missed');
    const response = await browser.get('/api/events', { 'last-event-id': cursor });
    const events = readEvents(response);
    const told = await nextChanges(events);
    expect(told.previous).toBe(cursor);
    expect(told.changes).toMatchObject([{ row: { name: 'missed' } }]);
    await events.close();
    await untilStreams(0);
  });

  it('a reader from another epoch is told to ask', async () => {
    const response = await browser.get('/api/events?cursor=other.5');
    const events = readEvents(response);
    expect((await nextChanges(events)).changes).toBeNull();
    await events.close();
    await untilStreams(0);
  });

  it('a connection is told to admins only, and without its secrets', async () => {
    const admin = openTestBrowser(server.url);
    await admin.signIn((await server.account('admin')).email, PASSWORD);
    const mine = await listen();
    const theirs = await listen(admin);
    await Promise.all([mine.events.next('heartbeat'), theirs.events.next('heartbeat')]);
    await server.db.run(
      `insert into connections (name, type, url, password) values ('db', 'postgres', 'secret-url', 'secret-word')`,
    );
    server.notifier.notify('connections');
    const forAdmin = await nextChanges(theirs.events);
    expect(forAdmin.changes).toMatchObject([{ collection: 'connections', row: { name: 'db' } }]);
    expect(JSON.stringify(forAdmin)).not.toContain('secret-');
    expect((await nextChanges(mine.events)).changes).toEqual([]);
    await mine.events.close();
    await theirs.events.close();
    await untilStreams(0);
  });

  it('a role that is taken away makes the reader ask what it may still see', async () => {
    const { id, email } = await server.account('admin');
    const admin = openTestBrowser(server.url);
    await admin.signIn(email, PASSWORD);
    const { events } = await listen(admin);
    await events.next('heartbeat');
    await server.db.run(`update casbin_rule set v1 = 'viewer' where ptype = 'g' and v0 = $1`, [id]);
    expect((await nextChanges(events)).changes).toBeNull();
    await events.close();
    await untilStreams(0);
  });

  it('sign-out ends the stream at once, and only that one', async () => {
    const other = openTestBrowser(server.url);
    await other.signIn((await server.account('viewer')).email, PASSWORD);
    const mine = await listen();
    const theirs = await listen(other);
    const { logout_token: token } = (await (
      await browser.get('/api/.ory/self-service/logout/browser')
    ).json()) as { logout_token: string };
    await browser.get(`/api/.ory/self-service/logout?token=${token}`);
    expect((await mine.events.next('signed-out', 5000))?.event).toBe('signed-out');
    expect(await mine.events.next('heartbeat', 15_000)).toBeNull();
    expect(await theirs.events.next('heartbeat', 15_000)).not.toBeNull();
    await theirs.events.close();
    await untilStreams(0);
  });

  it('disabling the account ends its stream and its requests within a second', async () => {
    const { events } = await listen();
    await events.next('heartbeat');
    await server.db.run(`update identities set state = 'inactive' where id = $1`, [userId]);
    expect((await browser.get('/api/auth/whoami')).status).toBe(401);
    expect((await events.next('signed-out', 1000))?.event).toBe('signed-out');
    expect((await browser.get('/api/events')).status).toBe(401);
    await untilStreams(0);
  });

  it('needs a session: a script with a password is refused', async () => {
    const { email } = await server.account('viewer');
    const authorization = `Basic ${Buffer.from(`${email}:${PASSWORD}`).toString('base64')}`;
    const answer = await openTestBrowser(server.url).get('/api/events', { authorization });
    expect(answer.status).toBe(403);
  });

  describe('many devices', () => {
    it('that pull from one place at once each get what they may read, in the encoding that they take', async () => {
      const admin = await server.account('admin');
      const adminBrowser = openTestBrowser(server.url);
      await adminBrowser.signIn(admin.email, PASSWORD);
      const over = openTestBrowser(server.url);
      const ended = await server.account('viewer');
      await over.signIn(ended.email, PASSWORD);
      const from = changesAnswerSchema.parse(await (await browser.get('/api/sync/changes')).json());
      const cursor = from.kind === 'page' ? from.cursor : '';
      await rename('a long name '.repeat(200));
      await server.db.run(
        `insert into connections (name, type, source, created_by) values ('secret line', 'postgres', 'UI', $1)`,
        [admin.id],
      );
      await server.db.run('update identity_sessions set revoked_at = now() where identity_id = $1', [
        ended.id,
      ]);
      const path = `/api/sync/changes?cursor=${encodeURIComponent(cursor)}`;
      const pull = async (as: TestBrowser, encoding: string) => {
        const answer = await as.get(path, { 'accept-encoding': encoding });
        const page = answer.ok ? changesAnswerSchema.parse(await answer.json()) : null;
        const changes = page?.kind === 'page' ? page.changes : [];
        const told = changes.map((change) => change.collection).toSorted();
        return { status: answer.status, encoding: answer.headers.get('content-encoding'), told };
      };
      const encodings = ['br, gzip', 'gzip', 'identity', 'br;q=0, gzip'];
      const all = await Promise.all(
        Array.from({ length: 40 }, async (_, at) => {
          const encoding = encodings[at % encodings.length] ?? '';
          return Promise.all([browser, adminBrowser, over].map((as) => pull(as, encoding)));
        }),
      );
      const taken = ['br', 'gzip', null, 'gzip'];
      for (const [at, [mine, admins, refused]] of all.entries()) {
        const encoding = taken[at % taken.length];
        expect(mine).toEqual({ status: 200, encoding, told: ['resources'] });
        expect(admins).toEqual({ status: 200, encoding, told: ['connections', 'resources'] });
        expect(refused).toMatchObject({ status: 401, told: [] });
      }
    });

    it('five hundred hear of a change, and leave nothing behind', async () => {
      const listeners = await Promise.all(Array.from({ length: 500 }, () => listen()));
      await untilStreams(500);
      await Promise.all(listeners.map(({ events }) => events.next('heartbeat')));
      await rename('heard by all');
      await Promise.all(listeners.map(({ events }) => events.next('changes')));
      await Promise.all(listeners.map(({ events }) => events.close()));
      await untilStreams(0);
    });
  });
});
