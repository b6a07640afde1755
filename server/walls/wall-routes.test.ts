import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changesAnswerSchema } from '../../src/contract/sync.ts';
import { pairingSchema, type Wall } from '../../src/contract/http/walls.ts';
import { openTestBrowser, type TestBrowser } from '../../tests/security/support/test-browser.ts';
import { PASSWORD, startTestServer, type TestServer } from '../../tests/security/support/test-server.ts';
import { forEachDatabase } from '../platform/db/test-databases.ts';

const DAY_MS = 86_400_000;
const BOARD = '/api/walls/boards/0190a1b2-0000-7000-8000-000000000001';
const tile = (over: object = {}) => ({ id: 'a', kind: 'incidents', x: 0, y: 0, w: 4, h: 4, ...over });

forEachDatabase((_name, openDatabase) => {
  let server: TestServer;
  let admin: TestBrowser;

  async function signedIn(...roles: string[]): Promise<TestBrowser> {
    const browser = openTestBrowser(server.url);
    await browser.signIn((await server.account(...roles)).email, PASSWORD);
    return browser;
  }

  async function askedForCode() {
    const screen = openTestBrowser(server.url);
    const pairing = pairingSchema.parse(await (await screen.post('/api/walls/pairings', {})).json());
    const claim = async () =>
      (await (await screen.post('/api/walls/pairings/claim', { secret: pairing.secret })).json()) as unknown;
    return { screen, pairing, claim };
  }

  async function paired(name = 'Hall') {
    const { screen, pairing, claim } = await askedForCode();
    const answer = await admin.post('/api/walls', { code: pairing.code, name });
    expect(answer.status).toBe(200);
    const { id } = (await answer.json()) as { id: string };
    expect(await claim()).toEqual({ state: 'paired' });
    return { screen, id, claim };
  }

  beforeAll(async () => {
    server = await startTestServer(await openDatabase());
    admin = await signedIn('admin');
  });
  afterAll(() => server.stop());

  describe('pairing', () => {
    it('a screen whose code an administrator confirms is signed in as a wall, with one session', async () => {
      const { screen, pairing, claim } = await askedForCode();
      expect(await claim()).toEqual({ state: 'waiting' });
      expect((await screen.get('/api/walls')).status).toBe(401);
      const typed = pairing.code.toLowerCase().replace('-', ' ');
      expect((await admin.post('/api/walls', { code: typed, name: 'Entrance' })).status).toBe(200);
      // The first answer is lost on its way: the screen asks again, and that session ends.
      const lost = openTestBrowser(server.url);
      await lost.post('/api/walls/pairings/claim', { secret: pairing.secret });
      expect(await claim()).toEqual({ state: 'paired' });
      expect((await lost.get('/api/walls')).status).toBe(401);
      const walls = (await (await screen.get('/api/walls')).json()) as Wall[];
      expect(walls.map(({ name }) => name)).toContain('Entrance');
      // The screen came with its session: neither the code nor the secret is good again.
      expect(await claim()).toEqual({ state: 'expired' });
      expect((await admin.post('/api/walls', { code: pairing.code, name: 'Again' })).status).toBe(400);
      expect((await screen.get('/api/walls')).status).toBe(200);
    });

    it('only who makes accounts confirms, and only a code that a screen shows now', async () => {
      const { pairing, claim } = await askedForCode();
      const editor = await signedIn('editor');
      expect((await editor.post('/api/walls', { code: pairing.code, name: 'x' })).status).toBe(403);
      const wrong = await admin.post('/api/walls', { code: 'ABCD-EFGH', name: 'x' });
      expect(wrong.status).toBe(400);
      expect(await wrong.text()).toMatch(/no screen shows this code/);
      server.advance(10 * 60_000 + 1);
      expect((await admin.post('/api/walls', { code: pairing.code, name: 'x' })).status).toBe(400);
      expect(await claim()).toEqual({ state: 'expired' });
    });

    it('neither code nor secret is stored', async () => {
      const { pairing } = await askedForCode();
      const stored = await server.db.text('select json_agg(p)::text from wall_pairings p');
      expect(stored).not.toContain(pairing.secret);
      expect(stored).not.toContain(pairing.code.replace('-', ''));
    });
  });

  describe('a wall', () => {
    it('reads, and every writing is refused, whatever a viewer may do', async () => {
      const { screen, id } = await paired();
      for (const path of [
        '/api/auth/whoami',
        '/api/db/checks?limit=1',
        '/api/walls/boards',
        '/api/properties',
      ])
        expect((await screen.get(path)).status, path).toBe(200);
      const refused: [string, string][] = [
        ['POST', '/api/sync/commands'],
        ['POST', '/api/db/incidents'],
        ['PATCH', '/api/db/checks?id=eq.x'],
        ['POST', '/api/walls'],
        ['PATCH', `/api/walls/${id}`],
        ['DELETE', `/api/walls/${id}`],
        ['POST', BOARD],
        ['POST', '/api/push/subscriptions'],
        ['POST', '/api/notifications/reach/settings'],
        ['GET', '/api/identity/tokens'],
        ['GET', '/api/notifications/reach'],
        ['POST', '/api/logs'],
      ];
      for (const [method, path] of refused) {
        const answer = await screen.send(method, path, method === 'GET' ? {} : { body: '{}' });
        expect(answer.status, `${method} ${path}`).toBe(403);
      }
      // No password can be set for it, and no further account be made with its session.
      expect((await screen.get('/api/.ory/self-service/settings/browser')).status).toBe(401);
      expect((await screen.get('/api/.ory/sessions')).status).toBe(401);
    });

    it('stays signed in without use, and ends when it is revoked', async () => {
      const { screen, id, claim } = await paired('Holiday');
      server.advance(10 * 60_000 + 1);
      // It never came with its session, but the secret's time is over.
      expect(await claim()).toEqual({ state: 'expired' });
      server.advance(200 * DAY_MS);
      const answer = await screen.get('/api/walls');
      expect(answer.status).toBe(200);
      expect(answer.headers.getSetCookie().join()).toMatch(/ory_kratos_session=.*Max-Age=34560000.*HttpOnly/);
      admin = await signedIn('admin');
      const listed = (await (await admin.get('/api/walls')).json()) as Wall[];
      expect(listed.find((wall) => wall.id === id)?.last_contact).not.toBeNull();
      const editor = await signedIn('editor');
      expect((await editor.send('DELETE', `/api/walls/${id}`)).status).toBe(403);
      expect((await admin.send('DELETE', `/api/walls/${id}`)).status).toBe(204);
      expect((await screen.get('/api/walls')).status).toBe(401);
      expect((await admin.send('DELETE', `/api/walls/${id}`)).status).toBe(404);
    });

    it('keeps the settings that an editor gives it, and refuses wrong ones by field', async () => {
      const { screen, id } = await paired('Settings');
      const editor = await signedIn('editor');
      const send = (settings: object) =>
        editor.send('PATCH', `/api/walls/${id}`, { body: JSON.stringify({ name: 'Renamed', settings }) });
      expect((await send({ rotateSeconds: 15, dim: { from: '22:00', until: '06:00' } })).status).toBe(204);
      const walls = (await (await screen.get('/api/walls')).json()) as Wall[];
      expect(walls.find((wall) => wall.id === id)).toMatchObject({
        name: 'Renamed',
        settings: { rotateSeconds: 15, dim: { from: '22:00', until: '06:00' }, boards: [] },
      });
      const wrong = await send({ dim: { from: '25:00', until: '06:00' } });
      expect(wrong.status).toBe(400);
      expect(await wrong.text()).toMatch(/settings\.dim\.from/);
    });
  });

  describe('boards', () => {
    let wall: Awaited<ReturnType<typeof paired>>;
    beforeAll(async () => {
      wall = await paired('Boards');
    });

    it('editors save them, viewers and walls read them', async () => {
      const { screen } = wall;
      const editor = await signedIn('editor');
      const put = (body: object) => editor.send('POST', BOARD, { body: JSON.stringify(body) });
      expect((await put({ name: 'Night', tiles: [tile()] })).status).toBe(204);
      expect(await (await screen.get('/api/walls/boards')).json()).toMatchObject([
        { name: 'Night', tiles: [{ kind: 'incidents', title: '' }] },
      ]);
      const viewer = await signedIn('viewer');
      expect(
        (await viewer.send('POST', BOARD, { body: JSON.stringify({ name: 'x', tiles: [] }) })).status,
      ).toBe(403);
      expect((await editor.send('DELETE', BOARD)).status).toBe(204);
      expect((await editor.send('DELETE', BOARD)).status).toBe(404);
    });

    it('each change of a board and of a wall is told to open pages and walls', async () => {
      const { screen, id } = wall;
      const editor = await signedIn('editor');
      const board = BOARD.slice(BOARD.lastIndexOf('/') + 1);
      const put = (name: string) =>
        editor.send('POST', BOARD, { body: JSON.stringify({ name, tiles: [tile()] }) });
      const changes: [told: string, act: () => Promise<Response>][] = [
        [board, () => put('Day')],
        [board, () => put('Night')],
        [
          id,
          () =>
            editor.send('PATCH', `/api/walls/${id}`, {
              body: JSON.stringify({ settings: { rotateSeconds: 20 } }),
            }),
        ],
        [board, () => editor.send('DELETE', BOARD)],
      ];
      const readers = [screen, await signedIn('viewer')];
      const read = async (reader: TestBrowser, query: string) => {
        const answer = await reader.get(`/api/sync/changes${query}`);
        const page = changesAnswerSchema.parse(await answer.json());
        if (page.kind !== 'page') throw new Error(page.reason);
        return page;
      };
      for (const [told, act] of changes) {
        const before = await Promise.all(readers.map((reader) => read(reader, '')));
        expect((await act()).status).toBe(204);
        for (const [at, reader] of readers.entries()) {
          const heard = await read(reader, `?cursor=${before[at]?.cursor}`);
          const change: unknown = expect.objectContaining({ collection: 'resources', id: told });
          expect(heard).toMatchObject({ changes: expect.arrayContaining([change]) as unknown });
        }
      }
    });

    it.each([
      ['a tile outside of the grid', [tile({ x: 10 })], /tiles\.0: lies outside/],
      ['a tile over another', [tile(), tile({ id: 'b', x: 3, y: 3 })], /tiles\.1: lies over another/],
      [
        'a zone that is none',
        [tile({ kind: 'clock', zones: ['Mars/Base'] })],
        /tiles\.0\.zones\.0: no time zone/,
      ],
      ['a kind that is none', [tile({ kind: 'weather' })], /tiles\.0\.kind/],
    ])('%s is refused with its place', async (_what, tiles, expected) => {
      const answer = await admin.send('POST', BOARD, { body: JSON.stringify({ name: 'x', tiles }) });
      expect(answer.status).toBe(400);
      expect(await answer.text()).toMatch(expected);
    });
  });
});
