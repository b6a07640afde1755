/** Guessing who somebody is: however it is tried, from wherever, by whatever way in. On both databases. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { forEachDatabase } from '../../../server/platform/db/test-databases.ts';
import { openForm, saveForm, sendForm } from '../support/identity-client.ts';
import { openTestBrowser } from '../support/test-browser.ts';
import type { TestBrowser } from '../support/test-browser.ts';
import { PASSWORD, startTestServer } from '../support/test-server.ts';
import type { TestServer } from '../support/test-server.ts';

const DAY_MS = 86_400_000;
const LIMITED = 429;

forEachDatabase((_name, openDatabase) => {
  let server: TestServer;
  let places = 0;

  beforeAll(async () => {
    server = await startTestServer(await openDatabase());
  });
  afterAll(() => server.stop());

  /** An address that nobody asked from before. */
  function newPlace(): string {
    places += 1;
    return `10.${places >> 16}.${(places >> 8) & 255}.${places & 255}`;
  }
  /** A browser that the proxy on this machine says is at this address. */
  function browserAt(ip: string, browser = openTestBrowser(server.url)): TestBrowser {
    const from = { 'x-forwarded-for': ip };
    const post: TestBrowser['post'] = (path, body) => browser.post(path, body, from);
    return { ...browser, get: (path) => browser.get(path, from), post };
  }
  async function byForm(identifier: string, password: string, browser: TestBrowser): Promise<number> {
    const form = await openForm(browser, 'login', '?refresh=true');
    const fields = { method: 'password', identifier, password };
    return (await sendForm(browser, { kind: 'login', form, fields })).status;
  }
  async function byBasic(email: string, password: string, ip: string): Promise<number> {
    const credentials = Buffer.from(`${email}:${password}`).toString('base64');
    const headers = { authorization: `Basic ${credentials}`, 'x-forwarded-for': ip };
    return (await fetch(`${server.url}/api/auth/whoami`, { headers })).status;
  }
  const isAttempt = (status: number) => status === 400 || status === 401;

  test('ten wrong passwords are ten, by the form and HTTP Basic together, however the address is written', async () => {
    const space = fc.string({ unit: fc.constantFrom(' ', '\u00a0', '\u2003', '\ufeff'), maxLength: 3 });
    const way = fc.record({ before: space, after: space, isUpper: fc.boolean(), isForm: fc.boolean() });
    const ways = fc.array(way, { minLength: 12, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(ways, async (tries) => {
        const { email } = await server.account('viewer');
        const ip = newPlace();
        const statuses: number[] = [];
        for (const { before, after, isUpper, isForm } of tries) {
          const written = `${before}${isUpper ? email.toUpperCase() : email}${after}`;
          statuses.push(
            isForm ? await byForm(written, 'wrong', browserAt(ip)) : await byBasic(written, 'wrong', ip),
          );
        }
        expect(statuses.slice(0, 10).every(isAttempt)).toBe(true);
        expect(statuses.slice(10)).toEqual([LIMITED, LIMITED]);
        expect(await byBasic(` ${email}`, PASSWORD, ip)).toBe(LIMITED);
      }),
      { numRuns: 4 },
    );
  });

  test('the addresses of one IPv6 network are one place', async () => {
    const { email } = await server.account('viewer');
    const statuses: number[] = [];
    for (let host = 1; host <= 12; host += 1) {
      statuses.push(await byForm(email, 'wrong', browserAt(`2001:db8:1:2::${host.toString(16)}`)));
    }
    expect(statuses.slice(0, 10).every(isAttempt)).toBe(true);
    expect(statuses.slice(10)).toEqual([LIMITED, LIMITED]);
    expect(await byForm(email, 'wrong', browserAt('2001:db8:1:3::1'))).toBe(400);
  });

  test('wrong passwords from many places end for the account, but not for a device that is known', async () => {
    const { email } = await server.account('viewer');
    const known = openTestBrowser(server.url);
    expect((await known.signIn(email, PASSWORD)).status).toBe(200);
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 52; attempt += 1) {
      const isForm = attempt % 2 === 0;
      const ip = newPlace();
      statuses.push(isForm ? await byForm(email, 'wrong', browserAt(ip)) : await byBasic(email, 'wrong', ip));
    }
    expect(statuses.slice(0, 50).every(isAttempt)).toBe(true);
    expect(statuses.slice(50)).toEqual([LIMITED, LIMITED]);
    expect(await byForm(email, PASSWORD, browserAt(newPlace()))).toBe(LIMITED);
    expect((await known.signIn(email, PASSWORD)).status).toBe(200);
    server.advance(DAY_MS);
    expect(await byForm(email, PASSWORD, browserAt(newPlace()))).toBe(200);
  });

  test('a place that failed too often is turned away whatever it tries, known devices there are not', async () => {
    const ip = newPlace();
    const { email } = await server.account('viewer');
    const known = browserAt(ip);
    expect(await byForm(email, PASSWORD, known)).toBe(200);
    const junk = Array.from({ length: 100 }, (_, index) =>
      byBasic(`nobody-${index}@example.com`, 'junk', ip),
    );
    const statuses = await Promise.all(junk);
    expect(statuses.filter((status) => status === 401)).toHaveLength(50);
    expect(statuses.filter((status) => status === LIMITED)).toHaveLength(50);
    expect(await byForm(email, PASSWORD, browserAt(ip))).toBe(LIMITED);
    expect(await byForm(email, PASSWORD, known)).toBe(200);
    expect(await byBasic(email, PASSWORD, newPlace())).toBe(200);
  });

  test('made-up access tokens lock nobody out: a token that was never seen before works after them', async () => {
    const { id } = await server.account('viewer');
    const ip = newPlace();
    const token = await server.backend.accessTokens.create({ personId: id, name: 'script', expiresAt: null });
    const [, , ...costs] = token.split('.');
    const hex = (bytes: number) => 'ab'.repeat(bytes);
    for (let attempt = 0; attempt < 60; attempt += 1) {
      await byBasic('token', [hex(32), hex(16), ...costs].join('.'), ip);
    }
    expect(await byBasic('token', token, ip)).toBe(200);
  });

  test('a token without a mark, made by another server, works and is marked', async () => {
    const { id } = await server.account('viewer');
    const token = await server.backend.accessTokens.create({ personId: id, name: 'old', expiresAt: null });
    await server.db.run('update access_tokens set token_mark = null where person_id = $1', [id]);
    expect(await byBasic('token', token, newPlace())).toBe(200);
    expect(await server.db.text('select count(*)::text from access_tokens where token_mark is null')).toBe(
      '0',
    );
    expect(await byBasic('token', token, newPlace())).toBe(200);
  });

  test('twenty mailed codes a day may be tried for an address, in however many forms, from wherever', async () => {
    const { email } = await server.account('viewer');
    const statuses: number[] = [];
    for (let form = 0; form < 5; form += 1) {
      const browser = browserAt(newPlace());
      const kind = 'recovery';
      const asked = await openForm(browser, kind);
      const sent = await saveForm(browser, { kind, form: asked, fields: { method: 'code', email } });
      for (let attempt = 0; attempt < 4; attempt += 1) {
        const fields = { method: 'code', code: '000000' };
        statuses.push((await sendForm(browser, { kind, form: sent, fields })).status);
      }
    }
    expect(statuses).toEqual(Array.from({ length: 20 }, () => 400));
    const late = browserAt(newPlace());
    const retry = async () => {
      const asked = await openForm(late, 'recovery');
      const sent = await saveForm(late, { kind: 'recovery', form: asked, fields: { method: 'code', email } });
      const fields = { method: 'code', code: '000000' };
      return (await sendForm(late, { kind: 'recovery', form: sent, fields })).status;
    };
    expect(await retry()).toBe(LIMITED);
    server.advance(DAY_MS);
    expect(await retry()).toBe(400);
  });

  test('refusals that a page shows write nothing, and show nothing that this server did not say', async () => {
    const total = async () => {
      const tables = await server.db.rows(
        z.custom<{ name: string }>(),
        `select relname as name from pg_class
          where relnamespace = 'public'::regnamespace and relkind = 'r'`,
      );
      const counts = tables.map(({ name }) => `select count(*) as many from "${name}"`);
      return server.db.text(`select sum(many)::text from (${counts.join(' union all ')}) as counts`);
    };
    const before = await total();
    const browser = openTestBrowser(server.url);
    const errors = '/api/.ory/self-service/errors?id=';
    const page = await browser.get(`${errors}nothing`, { accept: 'text/html' });
    const address = page.headers.get('location') ?? '';
    expect(address).toMatch(/^\/error\?id=[\w-]+\.[\da-f]{64}$/);
    expect(await total()).toBe(before);
    const id = address.slice('/error?id='.length);
    const read = (await (await browser.get(`${errors}${id}`)).json()) as { error: unknown };
    expect(read.error).toMatchObject({ code: 404 });
    const [, mark = ''] = id.split('.');
    const forged = Buffer.from('{"at":0,"error":{"message":"call 555"}}').toString('base64url');
    expect((await browser.get(`${errors}${forged}.${mark}`)).status).toBe(404);
    server.advance(2 * 3_600_000);
    expect((await browser.get(`${errors}${id}`)).status).toBe(404);
  });
});
