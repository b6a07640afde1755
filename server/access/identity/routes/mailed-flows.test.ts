import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  idsOf,
  linkApp,
  namesOf,
  nodeOf,
  openForm,
  readForm,
  saveForm,
  sendForm,
} from '../../../../tests/security/support/identity-client.ts';
import type { Form, Kind, Refusal } from '../../../../tests/security/support/identity-client.ts';
import { openTestBrowser } from '../../../../tests/security/support/test-browser.ts';
import type { TestBrowser } from '../../../../tests/security/support/test-browser.ts';
import { PASSWORD, startTestServer } from '../../../../tests/security/support/test-server.ts';
import type { TestServer } from '../../../../tests/security/support/test-server.ts';
import { forEachDatabase } from '../../../platform/db/test-databases.ts';
import { nodePlatform } from '../../../platform/platform.ts';

const HOUR_MS = 3_600_000;
const NEW_PASSWORD = 'correct horse battery';

forEachDatabase((name, openDatabase) => {
  let server: TestServer;
  let browser: TestBrowser;
  let user: { email: string; id: string };

  beforeAll(async () => {
    server = await startTestServer(await openDatabase());
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    // Each test has its own hour, so that none uses up the mails of the next.
    server.advance(HOUR_MS + 1);
    browser = openTestBrowser(server.url);
    user = await server.account('viewer');
  });

  const statusOf = async (one: TestBrowser) => (await one.get('/api/auth/whoami')).status;
  const codeIn = (text: string) => /^\d{6}$/m.exec(text)?.[0] ?? '';
  const linkIn = (text: string) => /^https?:.*$/m.exec(text)?.[0] ?? '';
  /** Opens a link of a mail as a browser does; answers the form that it leads to. */
  async function follow(one: TestBrowser, link: string, kind: Kind): Promise<Form> {
    expect(link.startsWith(`${server.url}/api/`)).toBe(true);
    const answer = await one.get(link.slice(server.url.length), { accept: 'text/html' });
    expect(answer.status).toBe(303);
    const location = answer.headers.get('location') ?? '';
    expect(location.startsWith(`/${kind}?flow=`)).toBe(true);
    return readForm(one, kind, location.split('=')[1] ?? '');
  }
  async function askCode(one: TestBrowser, kind: 'recovery' | 'verification', email: string): Promise<Form> {
    const form = await openForm(one, kind);
    return saveForm(one, { kind, form, fields: { method: 'code', email } });
  }

  describe('recovery', () => {
    it('by the mailed code opens a session that sets a new password', async () => {
      const form = await askCode(browser, 'recovery', user.email.toUpperCase());
      expect([form.state, idsOf(form)]).toEqual(['sent_email', [1_060_003]]);
      const [mail] = await server.mails(user.email);
      const fields = { method: 'code', code: codeIn(mail?.text ?? '') };
      const answer = await sendForm(browser, { kind: 'recovery', form, fields });
      expect(answer.status).toBe(422);
      const { redirect_browser_to: to = '' } = (await answer.json()) as Refusal;
      expect(to).toBe(`${server.url}/api/.ory/self-service/settings/browser`);
      const settings = await openForm(browser, 'settings');
      expect(idsOf(settings)).toEqual([1_060_001]);
      const saved = { kind: 'settings', form: settings } as const;
      await saveForm(browser, { ...saved, fields: { method: 'password', password: NEW_PASSWORD } });
      expect(await statusOf(browser)).toBe(200);
      expect((await openTestBrowser(server.url).signIn(user.email, PASSWORD)).status).toBe(400);
      expect((await openTestBrowser(server.url).signIn(user.email, NEW_PASSWORD)).status).toBe(200);
      const replayed = await sendForm(browser, { kind: 'recovery', form, fields });
      expect(replayed.status).toBe(404);
    });

    it('by the link works in another browser, and opening it uses nothing up', async () => {
      await askCode(browser, 'recovery', user.email);
      const link = linkIn((await server.mails(user.email))[0]?.text ?? '');
      await follow(openTestBrowser(server.url), link, 'recovery');
      const other = openTestBrowser(server.url);
      const form = await follow(other, link, 'recovery');
      const code = nodeOf(form, 'code')?.attributes.value;
      const send = () => sendForm(other, { kind: 'recovery', form, fields: { method: 'code', code } });
      expect((await send()).status).toBe(422);
      expect(await statusOf(other)).toBe(200);
      const late = await follow(openTestBrowser(server.url), link, 'recovery');
      expect([late.state, idsOf(late)]).toEqual(['choose_method', [4_060_004]]);
    });

    it('answers the same for an address that nobody has and for a disabled account', async () => {
      const disabled = await server.account('viewer');
      await server.backend.administration.setIdentityState(disabled.id, 'inactive');
      const shapes: unknown[] = [];
      for (const email of [user.email, 'nobody@example.com', disabled.email]) {
        const form = await askCode(openTestBrowser(server.url), 'recovery', email);
        shapes.push([form.state, form.ui.messages, namesOf(form, 'code')]);
      }
      expect(shapes[1]).toEqual(shapes[0]);
      expect(shapes[2]).toEqual(shapes[0]);
      expect(await server.mails('nobody@example.com')).toEqual([]);
      expect(await server.mails(disabled.email)).toEqual([]);
    });

    it('ends its form after five wrong codes, and a code ends after an hour', async () => {
      const form = await askCode(browser, 'recovery', user.email);
      const right = codeIn((await server.mails(user.email))[0]?.text ?? '');
      const wrong = right === '000000' ? '000001' : '000000';
      const send = (code: string) =>
        sendForm(browser, { kind: 'recovery', form, fields: { method: 'code', code } });
      for (let attempt = 0; attempt < 5; attempt += 1) {
        const answer = await send(wrong);
        expect(idsOf((await answer.json()) as Form)).toEqual([4_060_006]);
      }
      expect((await send(right)).status).toBe(410);
      const again = await askCode(browser, 'recovery', user.email);
      const [mail] = await server.mails(user.email);
      server.advance(HOUR_MS + 1);
      const late = await sendForm(browser, {
        kind: 'recovery',
        form: again,
        fields: { method: 'code', code: codeIn(mail?.text ?? '') },
      });
      expect(late.status).toBe(410);
      const expired = await follow(browser, linkIn(mail?.text ?? ''), 'recovery');
      expect(idsOf(expired)).toEqual([4_060_004]);
    });

    it('a code of one form is nothing in another', async () => {
      await askCode(browser, 'recovery', user.email);
      const code = codeIn((await server.mails(user.email))[0]?.text ?? '');
      const thief = openTestBrowser(server.url);
      const form = await askCode(thief, 'recovery', 'thief@example.com');
      const answer = await sendForm(thief, { kind: 'recovery', form, fields: { method: 'code', code } });
      expect(idsOf((await answer.json()) as Form)).toEqual([4_060_006]);
    });

    it('does not get around the second factor', async () => {
      const owner = openTestBrowser(server.url);
      await owner.signIn(user.email, PASSWORD);
      const [row] = await server.db.rows(
        z.custom<{ at: string }>(),
        'select authenticated_at as at from identity_sessions where identity_id = $1',
        [user.id],
      );
      const aheadMs = Date.parse(row?.at ?? '') - nodePlatform.now();
      await linkApp(owner, () => nodePlatform.now() + aheadMs);
      const form = await askCode(browser, 'recovery', user.email);
      const mail = (await server.mails(user.email)).find((one) => codeIn(one.text) !== '');
      const fields = { method: 'code', code: codeIn(mail?.text ?? '') };
      expect((await sendForm(browser, { kind: 'recovery', form, fields })).status).toBe(422);
      expect(await statusOf(browser)).toBe(401);
      const settings = await browser.get('/api/.ory/self-service/settings/browser');
      expect(((await settings.json()) as Refusal).error.id).toBe('session_aal2_required');
    });

    it('mails five times an hour to an address from one place, and says so for unknown ones alike', async () => {
      for (const email of [user.email, 'nobody-at-all@example.com']) {
        const statuses: number[] = [];
        for (let attempt = 0; attempt < 6; attempt += 1) {
          const one = openTestBrowser(server.url);
          const form = await openForm(one, 'recovery');
          statuses.push((await sendForm(one, { kind: 'recovery', form, fields: { email } })).status);
        }
        expect([email, statuses]).toEqual([email, [200, 200, 200, 200, 200, 429]]);
      }
    });

    it('sends links to the configured address whatever host the request names', async () => {
      const form = await openForm(browser, 'recovery');
      const token = nodeOf(form, 'csrf_token')?.attributes.value;
      const answer = await server.app.inject({
        method: 'POST',
        url: `/api/.ory/self-service/recovery?flow=${form.id}`,
        headers: {
          host: 'evil.example',
          accept: 'application/json',
          cookie: `holdfast_csrf=${browser.cookies.get('holdfast_csrf') ?? ''}`,
        },
        payload: { method: 'code', email: user.email, csrf_token: token },
      });
      expect(answer.statusCode).toBe(200);
      const [mail] = await server.mails(user.email);
      expect(mail?.text).toContain(`${server.url}/api/.ory/self-service/recovery?token=`);
      expect(mail?.text).not.toContain('evil');
    });

    it('takes one plain address and nothing that could become a header', async () => {
      for (const email of [
        'a@example.com\r\nBcc: b@example.com',
        'a@example.com, b@example.com',
        'A <a@example.com>',
        'no-at-sign',
        `${'a'.repeat(300)}@example.com`,
      ]) {
        const form = await openForm(browser, 'recovery');
        const answer = await sendForm(browser, { kind: 'recovery', form, fields: { method: 'code', email } });
        expect([email, answer.status]).toEqual([email, 400]);
        const body = (await answer.json()) as Form & { error?: string };
        expect(body.error ?? nodeOf(body, 'email')?.messages[0]?.text).toMatch(/email|length/);
      }
    });
  });

  describe('verification', () => {
    const verified = async () => {
      const rows = await server.db.rows(
        z.custom<{ is_verified: boolean }>(),
        'select verified_at is not null as is_verified from identity_addresses where identity_id = $1',
        [user.id],
      );
      return rows[0]?.is_verified;
    };

    it('shows by a code that somebody reads the address, and signs nobody in', async () => {
      const form = await askCode(browser, 'verification', user.email);
      expect(await verified()).toBe(false);
      const code = codeIn((await server.mails(user.email))[0]?.text ?? '');
      const done = await saveForm(browser, { kind: 'verification', form, fields: { method: 'code', code } });
      expect([done.state, idsOf(done)]).toEqual(['passed_challenge', [1_080_002]]);
      expect(nodeOf(done, 'continue')?.attributes.href).toBe('/');
      expect(await verified()).toBe(true);
      expect(await statusOf(browser)).toBe(401);
    });

    it('of an address that the account has left counts for nothing', async () => {
      const form = await askCode(browser, 'verification', user.email);
      const code = codeIn((await server.mails(user.email))[0]?.text ?? '');
      const change = { id: user.id, first: 'A', last: 'B', role: 'viewer', active: true };
      await server.backend.administration.updateIdentity({ ...change, email: `new-${user.email}` });
      const answer = await sendForm(browser, {
        kind: 'verification',
        form,
        fields: { method: 'code', code },
      });
      expect(idsOf((await answer.json()) as Form)).toEqual([4_070_006]);
      expect(await verified()).toBe(false);
    });
  });

  describe('registration', () => {
    const person = { 'traits.name.first': 'Ada', 'traits.name.last': 'Lovelace', method: 'password' };

    it('by an invitation sets the password once, with the name, role and address of the invitation', async () => {
      const email = `invited-${name}@example.com`;
      const invitation = { first: 'A', last: 'L', email, role: 'editor' };
      const { link, personId } = await server.backend.administration.inviteIdentity(invitation);
      expect(linkIn((await server.mails(email))[0]?.text ?? '')).toBe(link);
      await follow(openTestBrowser(server.url), link, 'registration');
      const form = await follow(browser, link, 'registration');
      expect(nodeOf(form, 'traits.email')?.attributes).toMatchObject({ value: email, disabled: true });
      // Whoever invited said who it is: it is not asked again.
      expect(namesOf(form, 'default')).toEqual(['csrf_token', 'traits.email']);
      const fields = { ...person, 'traits.email': 'other@example.com', password: NEW_PASSWORD };
      const answer = await sendForm(browser, { kind: 'registration', form, fields });
      expect(answer.status).toBe(200);
      expect(await answer.json()).toMatchObject({
        session: { active: true },
        identity: { id: personId, traits: { email, name: { first: 'A', last: 'L' } } },
      });
      const me = (await (await browser.get('/api/auth/whoami')).json()) as { payload: { roles: string[] } };
      expect(me.payload.roles).toEqual(['editor']);
      const late = await openTestBrowser(server.url).get(link.slice(server.url.length));
      expect(late.status).toBe(403);
    });

    it('by an invitation to an account that was disabled meanwhile is refused', async () => {
      const email = `disabled-${name}@example.com`;
      const invitation = { first: 'A', last: 'L', email, role: 'viewer' };
      const { link, personId } = await server.backend.administration.inviteIdentity(invitation);
      const form = await follow(browser, link, 'registration');
      await server.backend.administration.setIdentityState(personId, 'inactive');
      const fields = { ...person, password: NEW_PASSWORD };
      expect((await sendForm(browser, { kind: 'registration', form, fields })).status).toBe(403);
      expect(await statusOf(browser)).toBe(401);
    });

    it('without an invitation is off unless the operator opened it', async () => {
      const answer = await browser.get('/api/.ory/self-service/registration/browser');
      expect([answer.status, ((await answer.json()) as Refusal).error.id]).toEqual([
        400,
        'self_service_flow_disabled',
      ]);
      const guessed = await browser.get(
        `/api/.ory/self-service/registration/browser?invitation=${'0'.repeat(64)}`,
      );
      expect(guessed.status).toBe(403);
    });

    it('that is open makes a viewer, signs in and asks to verify', async () => {
      const open = await startTestServer(server.db, { identity: { registration: 'open' } });
      try {
        const one = openTestBrowser(open.url);
        const email = `free-${name}@example.com`;
        const form = await openForm(one, 'registration');
        const nested = {
          method: 'password',
          password: NEW_PASSWORD,
          traits: { email, name: { first: 'Free', last: 'Rider' } },
        };
        const answer = await sendForm(one, { kind: 'registration', form, fields: nested });
        expect(answer.status).toBe(200);
        const body = (await answer.json()) as Form;
        expect(body.continue_with?.[0]).toMatchObject({ action: 'show_verification_ui' });
        const me = (await (await one.get('/api/auth/whoami')).json()) as { payload: { roles: string[] } };
        expect(me.payload.roles).toEqual(['viewer']);
        const verification = await readForm(one, 'verification', body.continue_with?.[0]?.flow.id ?? '');
        const code = codeIn((await open.mails(email))[0]?.text ?? '');
        const fields = { method: 'code', code };
        const done = await saveForm(one, { kind: 'verification', form: verification, fields });
        expect(done.state).toBe('passed_challenge');
        const two = openTestBrowser(open.url);
        const again = await openForm(two, 'registration');
        const taken = await sendForm(two, { kind: 'registration', form: again, fields: nested });
        expect(idsOf((await taken.json()) as Form)).toEqual([4_000_007]);
      } finally {
        await open.stop();
      }
    });

    it('refuses weak passwords and missing names with the field they stand in', async () => {
      const email = `weak-${name}@example.com`;
      const invitation = { first: '', last: '', email, role: 'viewer' };
      const { link } = await server.backend.administration.inviteIdentity(invitation);
      const form = await follow(browser, link, 'registration');
      for (const [password, id] of [
        ['short', 4_000_032],
        ['x'.repeat(257), 4_000_033],
        [email.toUpperCase(), 4_000_031],
        ['Password123', 4_000_005],
        ['zzzzzzzzzz', 4_000_005],
      ] as const) {
        const answer = await sendForm(browser, {
          kind: 'registration',
          form,
          fields: { ...person, password },
        });
        expect(answer.status).toBe(400);
        const body = (await answer.json()) as Form;
        expect([password, nodeOf(body, 'password')?.messages[0]?.id]).toEqual([password, id]);
        expect(nodeOf(body, 'password')?.attributes.value).toBeUndefined();
        expect(nodeOf(body, 'traits.name.first')?.attributes.value).toBe('Ada');
      }
      const nameless = await sendForm(browser, {
        kind: 'registration',
        form,
        fields: { password: NEW_PASSWORD },
      });
      expect(nodeOf((await nameless.json()) as Form, 'traits.name.last')?.messages[0]?.id).toBe(4_000_002);
    });
  });
});
