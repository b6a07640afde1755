/** What is too large, too deep or too long is refused in time, and the server answers the next one as before. */
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { forEachDatabase } from '../../../server/platform/db/test-databases.ts';
import { openForm } from '../support/identity-client.ts';
import { rawRequest } from '../support/raw-request.ts';
import { signInAs } from '../support/signed-in.ts';
import type { SignedIn } from '../support/signed-in.ts';
import { csrfTokenIn } from '../support/test-browser.ts';
import { startTestServer } from '../support/test-server.ts';
import type { TestServer } from '../support/test-server.ts';

const MEGABYTE = 1024 * 1024;
const DEEP = 10_000;
/** As deep as a body of the largest size goes. */
const DEEPEST = MEGABYTE / 2 - 100;
const ID = '20000000-0000-4000-8000-000000000001';
const SELF_SERVICE = '/api/.ory/self-service';

const lists = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
const objects = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

const POSTS = [
  '/api/db/teams',
  '/api/db/rpc/related_configs',
  '/api/sync/commands',
  '/api/sync/commands/known',
  '/api/auth/invite_user',
  '/api/people/update',
  `/api/auth/${ID}/properties`,
  '/api/agent/generate',
  '/api/notification/silence',
  '/api/playbook/run',
  `/api/playbook/${ID}/params`,
  '/api/catalog/changes',
  '/api/catalog/summary',
  '/api/resources/search',
  '/api/canary/api/summary',
  '/api/logs',
  `${SELF_SERVICE}/login?flow=${ID}`,
  `${SELF_SERVICE}/recovery?flow=${ID}`,
  `${SELF_SERVICE}/settings?flow=${ID}`,
];

forEachDatabase((_name, openDatabase) => {
  let server: TestServer;
  let admin: SignedIn;
  beforeAll(async () => {
    server = await startTestServer(await openDatabase());
    admin = await signInAs(server, 'admin');
  });
  afterAll(() => server.stop());

  const json = () => ({
    'content-type': 'application/json',
    cookie: [...admin.browser.cookies].map((pair) => pair.join('=')).join('; '),
  });
  const post = (path: string, body: string, headers: Record<string, string> = {}) =>
    rawRequest(server.url, { method: 'POST', path, headers: { ...json(), ...headers }, body });
  /** Under load it takes a while, but what grows with the square of the size takes minutes. */
  const LIMIT_MS = 20_000;

  let startedMs = 0;
  beforeEach(() => {
    startedMs = performance.now();
    return async () => {
      expect(performance.now() - startedMs).toBeLessThan(LIMIT_MS);
      expect((await admin.browser.get('/api/auth/whoami')).status).toBe(200);
      expect((await admin.browser.get('/api/db/teams?limit=1')).status).toBe(200);
    };
  });

  describe('a body', () => {
    it.each(POSTS)('of more than a megabyte is too large for %s', async (path) => {
      const answer = await post(path, JSON.stringify({ a: 'x'.repeat(MEGABYTE) }));
      expect(answer.status).toBe(413);
      expect(JSON.parse(answer.body)).toHaveProperty('error');
    });

    it.each(POSTS)(
      'that is nested ten thousand levels deep, or as deep as it gets, is no fault of %s',
      async (path) => {
        for (const body of [
          lists(DEEP),
          objects(DEEP),
          `{"args":${objects(DEEP)}}`,
          lists(DEEPEST),
          objects(150_000),
        ]) {
          const answer = await post(path, body);
          const what = `${path} ${body.slice(0, 12)} ${body.length}`;
          expect([what, answer.status]).toEqual([what, 400]);
        }
      },
    );

    it('nested deep where any JSON is allowed is stored or refused', async () => {
      for (const spec of [lists(DEEP), objects(DEEP), lists(DEEPEST - 100)]) {
        const answer = await post('/api/db/canaries', `{"name":"deep","spec":${spec}}`);
        expect([spec.length, answer.status < 500]).toEqual([spec.length, true]);
        const asked = await post('/api/resources/search', `{"configs":[{"search":${spec}}]}`);
        expect(asked.status).toBe(400);
      }
    });

    it('of a form that is open, nested deep in a field, is refused', async () => {
      const form = await openForm(admin.browser, 'login', '?refresh=true');
      for (const traits of [objects(DEEP), objects(150_000), lists(DEEPEST - 200)]) {
        const body = `{"csrf_token":"${csrfTokenIn(form)}","method":"password","traits":${traits}}`;
        expect((await post(`${SELF_SERVICE}/login?flow=${form.id}`, body)).status).toBe(400);
      }
    });

    it('of ten thousand fields or commands is refused', async () => {
      const fields = Object.fromEntries(Array.from({ length: 10_000 }, (_none, index) => [`f${index}`, 'x']));
      expect((await post(`${SELF_SERVICE}/login?flow=${ID}`, JSON.stringify(fields))).status).toBe(400);
      expect((await post('/api/db/teams', JSON.stringify(fields))).status).toBe(400);
      const commands = Array.from({ length: 5000 }, (_none, index) => ({
        seq: index,
        commandId: ID,
        name: 'x',
        version: 1,
        args: {},
      }));
      expect((await post('/api/sync/commands', JSON.stringify({ deviceId: ID, commands }))).status).toBe(400);
      const selectors = Array.from({ length: 5000 }, () => ({ search: 'x' }));
      expect((await post('/api/resources/search', JSON.stringify({ configs: selectors }))).status).toBe(400);
    });

    it('that is packed is not unpacked: a small one that would grow is no JSON', async () => {
      const bomb = gzipSync(`"${' '.repeat(MEGABYTE * 20)}"`);
      const answer = await server.app.inject({
        method: 'POST',
        url: '/api/db/teams',
        headers: { ...json(), 'content-encoding': 'gzip' },
        payload: bomb,
      });
      expect(answer.statusCode).toBe(400);
    });

    it('that changes the prototype of objects changes nothing', async () => {
      for (const body of [
        '{"__proto__":{"polluted":true}}',
        '{"constructor":{"prototype":{"polluted":true}}}',
        '{"a":{"__proto__":{"polluted":true}}}',
      ]) {
        for (const path of POSTS) await post(path, body);
      }
      expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    });
  });

  describe('a query', () => {
    const ask = (search: string) =>
      server.app.inject({ method: 'GET', url: `/api/db/teams?${search}`, headers: json() });

    it('with ten thousand items in a list is answered or refused', async () => {
      const items = Array.from({ length: 10_000 }, (_none, index) => `t${index}`).join(',');
      for (const query of [
        `name=in.(${items})`,
        `name=eq(any).{${items}}`,
        `or=(name.in.(${items}))`,
        `name.filter=${items}`,
      ]) {
        expect((await ask(query)).statusCode).toBeLessThan(500);
      }
    });

    it('with ten thousand filters, columns, orders or embeds is answered or refused', async () => {
      const many = (text: string, by: string) => Array.from({ length: 10_000 }, () => text).join(by);
      for (const query of [
        many('name=eq.x', '&'),
        `or=(${many('name.eq.x', ',')})`,
        `select=${many('name', ',')}`,
        `order=${many('name', ',')}`,
        `select=${many('people(id)', ',')}`,
        `select=spec${many('->a', '')}`,
        `spec${many('->a', '')}=is.null`,
      ]) {
        const { statusCode } = await ask(query);
        expect([query.slice(0, 30), statusCode < 500]).toEqual([query.slice(0, 30), true]);
      }
    });

    it('that is nested ten thousand levels deep is refused', async () => {
      const deep = (open: string, inside: string) => open.repeat(DEEP) + inside + ')'.repeat(DEEP);
      for (const query of [
        `or=(${deep('or(', 'name.eq.x')})`,
        `and=(${deep('not.and(', 'name.eq.x')})`,
        `select=${deep('team_members(', 'id')}`,
        `labels=cs.${lists(DEEP)}`,
        `name=eq(any).${'{'.repeat(DEEP)}${'}'.repeat(DEEP)}`,
      ]) {
        const { statusCode } = await ask(query);
        expect([query.slice(0, 30), [400, 413].includes(statusCode)]).toEqual([query.slice(0, 30), true]);
      }
    });

    it('reads no text as JSON, however deep it is nested', async () => {
      const name = '['.repeat(500_000);
      const made = await admin.browser.post('/api/db/teams', {
        name: 'deep',
        icon: name,
        created_by: admin.id,
      });
      expect(made.status).toBe(201);
      for (const type of ['json', 'jsonb', 'JSONB']) {
        expect((await ask(`name=eq.deep&select=icon::${type}`)).statusCode).toBe(400);
      }
      expect((await ask('name=eq.deep&select=icon::text')).statusCode).toBe(200);
    });

    it('or a header that is longer than any is refused before it is read', async () => {
      const long = 'x'.repeat(20_000);
      for (const request of [
        { path: `/api/db/teams?name=eq.${long}` },
        { path: `/${long}` },
        { path: '/', headers: { cookie: long } },
      ]) {
        // The line may be cut before the answer is read.
        const status = await rawRequest(server.url, request).then(
          (answer) => answer.status,
          () => 'cut',
        );
        expect([431, 'cut']).toContain(status);
      }
    });

    it('of words that make a pattern run for ever ends', async () => {
      const evil = encodeURIComponent(`(a+)+$${'a'.repeat(60)}!`);
      for (const query of [
        `name=match.${evil}`,
        `name=ilike.${'*a'.repeat(200)}`,
        `name.filter=${'*a'.repeat(200)}`,
      ]) {
        expect((await ask(query)).statusCode).toBeLessThan(500);
      }
      const words = ['(', 'k in (', ',', '!', '"', '\\', '=', 'a=b,', '@order='].map((word) =>
        word.repeat(999 / word.length),
      );
      for (const word of words) {
        for (const field of ['search', 'labelSelector', 'tagSelector', 'fieldSelector', 'name']) {
          const answer = await post('/api/resources/search', JSON.stringify({ checks: [{ [field]: word }] }));
          expect([field, word.slice(0, 9), answer.status < 500]).toEqual([field, word.slice(0, 9), true]);
        }
      }
    });
  });
});
