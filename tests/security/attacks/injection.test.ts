/**
 * No text of a client becomes part of a statement: each payload at each place of each family of routes, asked by an
 * administrator, who gets deepest. What would show it: a table that a payload creates, the value that one computes,
 * a complaint about syntax, a fault, or the text of a statement.
 */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { seedDatabase } from '../../../server/app/seed/seed-query.ts';
import { forEachDatabase } from '../../../server/platform/db/test-databases.ts';
import { signInAs } from '../support/signed-in.ts';
import type { SignedIn } from '../support/signed-in.ts';
import { startTestServer } from '../support/test-server.ts';
import type { TestServer } from '../support/test-server.ts';
import { csrfTokenIn, openTestBrowser } from '../support/test-browser.ts';
import { PLACES } from './injection-places.ts';
import type { Placed } from './injection-places.ts';

const CREATE = 'create table pwned (x text)';
const COMPUTE = `md5('holdfast')`;
/** In an answer only if the database computed it: payloads hold the call, not its value. */
const COMPUTED = createHash('md5').update('holdfast').digest('hex');

const PAYLOADS = [
  `'`,
  `"`,
  `\\`,
  `'||${COMPUTE}||'`,
  `' or '1'='1`,
  `') or ('1'='1`,
  `'; ${CREATE}; --`,
  `"; ${CREATE}; --`,
  `); ${CREATE}; --`,
  `;${CREATE};`,
  `$$; ${CREATE}; $$`,
  `' union select ${COMPUTE} --`,
  `name" from teams union select ${COMPUTE} --`,
  `(select ${COMPUTE})`,
  `cast(${COMPUTE} as int)`,
  COMPUTE,
  `\\'; ${CREATE}; --`,
  '$1',
  '%s%n%x',
  '/*',
  '\u0000',
  '\ud800',
];

/** Words of our statements and of the database's complaint about one that does not parse. */
const GIVEN_AWAY = /syntax error at or near|_hf_|json_agg|coalesce\(|row_to_json|json_populate|\blateral\b/i;
/** The one who asked told us these words himself. */
const withoutEcho = (text: string) =>
  PAYLOADS.filter((payload) => payload.length > 4)
    .flatMap((payload) => [
      payload,
      JSON.stringify(payload).slice(1, -1),
      encodeURIComponent(payload.replaceAll(/\p{Cs}/gu, '')),
    ])
    .reduce((rest, payload) => rest.replaceAll(payload, '…'), text);

forEachDatabase((_name, openDatabase) => {
  describe('SQL in the place of', () => {
    let server: TestServer;
    let admin: SignedIn;

    beforeAll(async () => {
      const db = await openDatabase();
      await seedDatabase(db, { checks: 20, configs: 20, components: 10, seed: 1, nowMs: Date.now() });
      server = await startTestServer(db);
      admin = await signInAs(server, 'admin');
    });
    afterAll(() => server.stop());

    let asked = 0;

    async function send({ method, path, headers, body }: Placed) {
      asked += 1;
      return server.app.inject({
        method,
        url: path,
        // Each from another address, or the limits of what an address may ask would answer.
        remoteAddress: `10.${asked >> 16}.${(asked >> 8) & 255}.${asked & 255}`,
        headers: {
          cookie: [...admin.browser.cookies].map((pair) => pair.join('=')).join('; '),
          accept: 'application/json',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
      });
    }

    async function expectNothingCreated(): Promise<void> {
      expect(
        await server.db.rows(z.unknown(), `select relname from pg_class where relname = 'pwned'`),
      ).toEqual([]);
    }

    it.each(PLACES)('%s', async (_place, put) => {
      for (const payload of PAYLOADS) {
        const placed = put(payload);
        const answer = await send(placed);
        const what = `${placed.method} ${placed.path} ${JSON.stringify(placed.headers ?? {})} ${JSON.stringify(payload)}`;
        const said = `${JSON.stringify(answer.headers)} ${answer.body}`;
        expect(`${what}: ${answer.statusCode} ${answer.statusCode >= 500 ? answer.body : ''}`).toMatch(
          /: (?:[234]\d\d|501) (?:$|\{"error":".*","message":"Not Implemented"\}$)/,
        );
        expect(said.includes(COMPUTED), what).toBe(false);
        expect(`${what}: ${withoutEcho(said)}`.slice(what.length)).not.toMatch(GIVEN_AWAY);
      }
      await expectNothingCreated();
    });

    it('a field of a sign-in form', async () => {
      for (const payload of PAYLOADS) {
        const browser = openTestBrowser(server.url);
        const opened = await browser.get('/api/.ory/self-service/login/browser');
        const form = (await opened.json()) as Parameters<typeof csrfTokenIn>[0];
        const fields = { method: 'password', identifier: payload, password: payload };
        const body = { ...fields, csrf_token: csrfTokenIn(form), [payload]: payload };
        const answer = await browser.post(`/api/.ory/self-service/login?flow=${form.id}`, body);
        expect([payload, answer.status]).toEqual([payload, 400]);
        expect(withoutEcho(await answer.text())).not.toMatch(GIVEN_AWAY);
      }
      await expectNothingCreated();
    });

    it('a filter that should match nothing matches nothing', async () => {
      for (const payload of PAYLOADS.slice(0, 17)) {
        const value = encodeURIComponent(payload);
        for (const query of [
          `name=eq.${value}`,
          `name=in.("${value}")`,
          `or=(name.eq.${value})`,
          `name=eq(any).{${value}}`,
        ]) {
          const answer = await send({ method: 'GET', path: `/api/db/canaries?${query}` });
          const rows: unknown = answer.statusCode < 300 ? answer.json() : [];
          expect([query, rows]).toEqual([query, []]);
        }
      }
      expect((await send({ method: 'GET', path: '/api/db/canaries' })).json()).not.toEqual([]);
    });
  });
});
