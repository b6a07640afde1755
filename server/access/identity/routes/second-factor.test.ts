import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  codesIn,
  idsOf,
  linkApp,
  makeCodes,
  namesOf,
  nodeOf,
  openForm,
  saveForm,
  sendForm,
  totpCode,
} from '../../../../tests/security/support/identity-client.ts';
import type { Refusal } from '../../../../tests/security/support/identity-client.ts';
import { openTestBrowser } from '../../../../tests/security/support/test-browser.ts';
import type { TestBrowser } from '../../../../tests/security/support/test-browser.ts';
import { PASSWORD, startTestServer } from '../../../../tests/security/support/test-server.ts';
import type { TestServer } from '../../../../tests/security/support/test-server.ts';
import { forEachDatabase } from '../../../platform/db/test-databases.ts';
import { nodePlatform } from '../../../platform/platform.ts';

const MINUTE_MS = 60_000;
const WHOAMI = '/api/.ory/sessions/whoami';

forEachDatabase((_name, openDatabase) => {
  let server: TestServer;
  let user: { email: string; id: string };
  let browser: TestBrowser;
  let aheadMs = 0;
  const now = () => nodePlatform.now() + aheadMs;
  const advance = (ms: number) => {
    aheadMs += ms;
    server.advance(ms);
  };

  beforeAll(async () => {
    server = await startTestServer(await openDatabase());
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    user = await server.account('viewer');
    browser = openTestBrowser(server.url);
    await browser.signIn(user.email, PASSWORD);
    // Each test starts with a code that no earlier step used up.
    advance(2 * MINUTE_MS);
  });

  /** The password in a browser that was never here. */
  async function firstFactor(): Promise<TestBrowser> {
    const other = openTestBrowser(server.url);
    const answer = await other.signIn(user.email, PASSWORD);
    expect(answer.status).toBe(422);
    const body = (await answer.json()) as Refusal;
    expect(body.error).toMatchObject({ id: 'browser_location_change_required', code: 422 });
    expect(body.redirect_browser_to).toMatch(/\/login\/browser\?aal=aal2$/);
    return other;
  }
  const statusOf = async (one: TestBrowser) => (await one.get('/api/auth/whoami')).status;
  const secondForm = (one: TestBrowser) => openForm(one, 'login', '?aal=aal2');
  const send = (one: TestBrowser, form: Awaited<ReturnType<typeof secondForm>>, fields: object) =>
    sendForm(one, { kind: 'login', form, fields: { ...fields } });

  describe('an authenticator app', () => {
    it('is offered as picture and text, and linked by a right code only', async () => {
      const kind = 'settings';
      const form = await openForm(browser, kind);
      expect(namesOf(form, 'totp')).toEqual(['totp_qr', 'totp_secret_key', 'totp_code', 'method']);
      expect(nodeOf(form, 'totp_qr')?.attributes.src).toMatch(/^data:image\/png;base64,/);
      const secret = nodeOf(form, 'totp_secret_key')?.attributes.text?.text ?? '';
      const wrongCode = totpCode(secret, now() - 60 * MINUTE_MS);
      const wrong = await sendForm(browser, { kind, form, fields: { method: 'totp', totp_code: wrongCode } });
      expect(wrong.status).toBe(400);
      const fields = { method: 'totp', totp_code: totpCode(secret, now()) };
      const saved = await saveForm(browser, { kind, form, fields });
      expect([saved.state, idsOf(saved)]).toEqual(['success', [1_050_001]]);
      expect(namesOf(saved, 'totp')).toEqual(['totp_unlink']);
      const stored = await server.db.rows(
        z.custom<{ secret: string }>(),
        `select secret from identity_credentials where identity_id = $1 and type = 'totp'`,
        [user.id],
      );
      expect(stored[0]?.secret).not.toContain(secret);
      const session = (await (await browser.get(WHOAMI)).json()) as { authenticator_assurance_level: string };
      expect(session.authenticator_assurance_level).toBe('aal2');
      expect((await server.mails(user.email))[0]?.subject).toBe('A second factor was added');
    });

    it('is asked for after the password: before it, nothing answers', async () => {
      const secret = await linkApp(browser, now);
      advance(MINUTE_MS);
      const other = await firstFactor();
      const refused = await other.get(WHOAMI);
      expect(refused.status).toBe(403);
      const body = (await refused.json()) as Refusal;
      expect(body.error.id).toBe('session_aal2_required');
      expect(body.redirect_browser_to).toMatch(/login\/browser\?aal=aal2/);
      for (const path of [
        '/api/auth/whoami',
        '/api/db/people',
        '/api/sync/snapshot?collections=checks',
        '/api/events',
      ]) {
        expect([path, (await other.get(path)).status]).toEqual([path, 401]);
      }
      const settings = await other.get('/api/.ory/self-service/settings/browser');
      expect(((await settings.json()) as Refusal).error.id).toBe('session_aal2_required');
      const before = other.cookies.get('ory_kratos_session');
      const form = await secondForm(other);
      expect([form.requested_aal, idsOf(form)]).toEqual(['aal2', [1_010_004]]);
      const answer = await send(other, form, { method: 'totp', totp_code: totpCode(secret, now()) });
      expect(answer.status).toBe(200);
      expect(await answer.json()).toMatchObject({
        session: {
          authenticator_assurance_level: 'aal2',
          authentication_methods: [{ method: 'password' }, { method: 'totp', aal: 'aal2' }],
        },
      });
      expect(other.cookies.get('ory_kratos_session')).not.toBe(before);
      expect(await statusOf(other)).toBe(200);
      other.cookies.set('ory_kratos_session', before ?? '');
      expect(await statusOf(other)).toBe(401);
    });

    it('takes a code once, also in another browser', async () => {
      const secret = await linkApp(browser, now);
      advance(MINUTE_MS);
      const [one, two] = [await firstFactor(), await firstFactor()];
      const code = { method: 'totp', totp_code: totpCode(secret, now()) };
      expect((await send(one, await secondForm(one), code)).status).toBe(200);
      const replayed = await send(two, await secondForm(two), code);
      expect(replayed.status).toBe(400);
      expect(idsOf((await replayed.json()) as never)).toContain(4_000_008);
    });

    it('takes five codes a form, and further forms are no more tries', async () => {
      await linkApp(browser, now);
      advance(MINUTE_MS);
      const thief = await firstFactor();
      const statuses: number[] = [];
      let form = await secondForm(thief);
      for (let attempt = 0; attempt < 13; attempt += 1) {
        const answer = await send(thief, form, { method: 'totp', totp_code: '000000' });
        statuses.push(answer.status);
        if (answer.status !== 410) continue;
        const body = (await answer.json()) as Refusal;
        expect(body.error.id).toBe('self_service_flow_expired');
        expect((await send(thief, form, { method: 'totp', totp_code: '000000' })).status).toBe(404);
        form = await secondForm(thief);
        expect(body.use_flow_id).toBeDefined();
      }
      expect(statuses.slice(0, 6)).toEqual([400, 400, 400, 400, 400, 410]);
      expect(statuses.at(-1)).toBe(429);
    });

    it('is not locked for the owner by a thief of the password', async () => {
      const secret = await linkApp(browser, now);
      advance(MINUTE_MS);
      const thief = await firstFactor();
      for (let attempt = 0; attempt < 12; attempt += 1) {
        await send(thief, await secondForm(thief), { method: 'totp', totp_code: '000000' });
      }
      expect((await send(thief, await secondForm(thief), { method: 'totp', totp_code: '1' })).status).toBe(
        429,
      );
      const logout = (await (await browser.get('/api/.ory/self-service/logout/browser')).json()) as {
        logout_token: string;
      };
      await browser.get(`/api/.ory/self-service/logout?token=${logout.logout_token}`);
      expect((await browser.signIn(user.email, PASSWORD)).status).toBe(422);
      const form = await secondForm(browser);
      const answer = await send(browser, form, { method: 'totp', totp_code: totpCode(secret, now()) });
      expect(answer.status).toBe(200);
    });

    it('makes sessions without it end at once, and lets no password alone in as HTTP Basic', async () => {
      const other = openTestBrowser(server.url);
      await other.signIn(user.email, PASSWORD);
      expect(await statusOf(other)).toBe(200);
      await linkApp(browser, now);
      expect(await statusOf(other)).toBe(401);
      expect(await statusOf(browser)).toBe(200);
      const basic = Buffer.from(`${user.email}:${PASSWORD}`).toString('base64');
      const script = openTestBrowser(server.url);
      const answer = await script.get('/api/auth/whoami', { authorization: `Basic ${basic}` });
      expect(answer.status).toBe(401);
    });

    it('can be unlinked; then the password is enough', async () => {
      await linkApp(browser, now);
      const form = await openForm(browser, 'settings');
      const saved = await saveForm(browser, { kind: 'settings', form, fields: { totp_unlink: 'true' } });
      expect(namesOf(saved, 'totp')).toContain('totp_qr');
      const other = openTestBrowser(server.url);
      expect((await other.signIn(user.email, PASSWORD)).status).toBe(200);
    });

    it('keeps its level when the password is shown again', async () => {
      await linkApp(browser, now);
      expect((await browser.signIn(user.email, PASSWORD)).status).toBe(200);
      expect(await statusOf(browser)).toBe(200);
    });
  });

  describe('recovery codes', () => {
    it('count only after they were confirmed, and can be looked at again', async () => {
      const kind = 'settings';
      const form = await openForm(browser, kind);
      expect(namesOf(form, 'lookup_secret')).toEqual(['lookup_secret_regenerate']);
      const pending = await saveForm(browser, { kind, form, fields: { lookup_secret_regenerate: true } });
      expect(codesIn(pending)).toHaveLength(12);
      expect((await openTestBrowser(server.url).signIn(user.email, PASSWORD)).status).toBe(200);
      const kept = await saveForm(browser, {
        kind,
        form: pending,
        fields: { lookup_secret_confirm: 'true' },
      });
      expect(namesOf(kept, 'lookup_secret')).toEqual(['lookup_secret_reveal', 'lookup_secret_disable']);
      await firstFactor();
      const shown = await saveForm(browser, { kind, form: kept, fields: { lookup_secret_reveal: 'true' } });
      expect(codesIn(shown)).toEqual(codesIn(pending));
      await saveForm(browser, { kind, form: shown, fields: { lookup_secret_disable: 'true' } });
      expect((await openTestBrowser(server.url).signIn(user.email, PASSWORD)).status).toBe(200);
    });

    it('count once each, also when two browsers send the same one at the same time', async () => {
      const codes = await makeCodes(browser);
      const [first = '', second = ''] = codes;
      const [one, two] = [await firstFactor(), await firstFactor()];
      const [formOne, formTwo] = [await secondForm(one), await secondForm(two)];
      const answers = await Promise.all([
        send(one, formOne, { method: 'lookup_secret', lookup_secret: first }),
        send(two, formTwo, { method: 'lookup_secret', lookup_secret: first.toUpperCase() }),
      ]);
      expect(answers.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([200, 400]);
      const third = await firstFactor();
      const used = await send(third, await secondForm(third), {
        method: 'lookup_secret',
        lookup_secret: first,
      });
      expect(idsOf((await used.json()) as never)).toContain(4_000_012);
      const wrong = await send(third, await secondForm(third), {
        method: 'lookup_secret',
        lookup_secret: 'x',
      });
      expect(idsOf((await wrong.json()) as never)).toContain(4_000_016);
      const right = await send(third, await secondForm(third), { lookup_secret: second });
      expect(right.status).toBe(200);
    });

    it('are nowhere in the database as they are', async () => {
      const [code = ''] = await makeCodes(browser);
      const rows = await server.db.rows(
        z.custom<{ text: string }>(),
        'select code_mark || sealed_code as text from identity_recovery_codes where identity_id = $1',
        [user.id],
      );
      expect(rows).toHaveLength(12);
      expect(rows.some((row) => row.text.includes(code))).toBe(false);
    });
  });

  describe('the form of the second factor', () => {
    it('is for a session only, of the account it was made for', async () => {
      await linkApp(browser, now);
      const stranger = openTestBrowser(server.url);
      const refused = await stranger.get('/api/.ory/self-service/login/browser?aal=aal2');
      expect([refused.status, ((await refused.json()) as Refusal).error.id]).toEqual([
        401,
        'session_inactive',
      ]);
      const half = await firstFactor();
      const form = await secondForm(half);
      const other = await server.account('viewer');
      half.cookies.delete('ory_kratos_session');
      await half.signIn(other.email, PASSWORD);
      const mismatch = await send(half, form, { method: 'totp', totp_code: '000000' });
      expect([mismatch.status, ((await mismatch.json()) as Refusal).error.id]).toEqual([
        403,
        'security_identity_mismatch',
      ]);
      const nothing = await half.get('/api/.ory/self-service/login/browser?aal=aal2');
      expect(((await nothing.json()) as Refusal).error.id).toBe('session_already_available');
    });

    it('shown again for another account is refused', async () => {
      const other = await server.account('viewer');
      const form = await openForm(browser, 'login', '?refresh=true');
      expect(nodeOf(form, 'identifier')?.attributes).toMatchObject({ type: 'hidden', value: user.email });
      const fields = { method: 'password', identifier: other.email, password: PASSWORD };
      const answer = await sendForm(browser, { kind: 'login', form, fields });
      expect([answer.status, ((await answer.json()) as Refusal).error.id]).toEqual([
        403,
        'security_identity_mismatch',
      ]);
    });
  });
});
