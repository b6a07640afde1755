import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { openTestBrowser } from '../../../../tests/security/support/test-browser.ts';
import { PASSWORD, startTestServer } from '../../../../tests/security/support/test-server.ts';
import type { TestServer } from '../../../../tests/security/support/test-server.ts';
import { forEachDatabase } from '../../../platform/db/test-databases.ts';
import { findActivePerson, findPasswordAccount } from '../queries/identity-query.ts';
import type { Administration } from './administration.ts';

const NOBODY = '00000000-0000-0000-0000-00000000dead';

forEachDatabase((_name, openDatabase) => {
  let server: TestServer;
  let administration: Administration;
  let user: { email: string; id: string };

  beforeAll(async () => {
    server = await startTestServer(await openDatabase());
    ({ administration } = server.backend);
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    user = await server.account('viewer');
  });

  async function signedIn() {
    const browser = openTestBrowser(server.url);
    expect((await browser.signIn(user.email, PASSWORD)).status).toBe(200);
    return browser;
  }
  const statusOf = async (browser: ReturnType<typeof openTestBrowser>) =>
    (await browser.get('/api/auth/whoami')).status;

  describe('managing accounts', () => {
    it('an invitation makes an account with its role that has no password yet', async () => {
      const invitation = { first: 'Ada', last: 'L', email: `Ada-${user.id}@Example.com`, role: 'editor' };
      const { personId, link } = await administration.inviteIdentity(invitation);
      expect(await findActivePerson(server.db, personId)).toMatchObject({
        name: 'Ada L',
        email: invitation.email.toLowerCase(),
        roles: ['editor'],
      });
      expect((await findPasswordAccount(server.db, invitation.email.toLowerCase()))?.secret).toBeNull();
      expect(link.startsWith(`${server.url}/api/.ory/self-service/registration/browser?invitation=`)).toBe(
        true,
      );
      await expect(administration.inviteIdentity(invitation)).rejects.toMatchObject({
        code: 'conflict',
        message: 'User already exists',
      });
    });

    it('a change reaches identity, person and roles, and another role ends the sessions', async () => {
      const browser = await signedIn();
      const change = { id: user.id, first: 'New', last: 'Name', email: user.email, active: true };
      await administration.updateIdentity({ ...change, role: 'viewer' });
      expect(await statusOf(browser)).toBe(200);
      await administration.updateIdentity({ ...change, role: 'commander' });
      expect(await statusOf(browser)).toBe(401);
      expect(await findActivePerson(server.db, user.id)).toMatchObject({
        name: 'New Name',
        roles: ['commander'],
        traits: { email: user.email, name: { first: 'New', last: 'Name' } },
      });
      const other = await server.account('viewer');
      await expect(
        administration.updateIdentity({ ...change, role: 'viewer', email: other.email }),
      ).rejects.toMatchObject({ code: 'conflict' });
    });

    it('a disabled account is out at once and for good until it is enabled', async () => {
      const browser = await signedIn();
      await administration.setIdentityState(user.id, 'inactive');
      expect(await statusOf(browser)).toBe(401);
      await administration.setIdentityState(user.id, 'active');
      expect(await statusOf(browser)).toBe(401);
      expect((await openTestBrowser(server.url).signIn(user.email, PASSWORD)).status).toBe(200);
    });

    it('a deleted account leaves its person as a name only', async () => {
      const browser = await signedIn();
      await administration.deleteIdentity(user.id);
      expect(await statusOf(browser)).toBe(401);
      const rows = await server.db.rows(
        z.unknown(),
        `select p.deleted_at is not null as is_deleted,
                exists(select 1 from casbin_rule where v0 = p.id::text) as has_roles
           from people p where p.id = $1`,
        [user.id],
      );
      expect(rows).toEqual([{ is_deleted: true, has_roles: false }]);
      await expect(administration.deleteIdentity(user.id)).rejects.toMatchObject({ code: 'not_found' });
      await expect(administration.setIdentityState(NOBODY, 'active')).rejects.toMatchObject({
        code: 'not_found',
      });
      await expect(administration.deleteIdentity('no uuid')).rejects.toMatchObject({ code: 'not_found' });
    });
  });

  describe('access tokens', () => {
    const ask = (token: string) =>
      openTestBrowser(server.url).get('/api/auth/whoami', {
        authorization: `Basic ${Buffer.from(`token:${token}`).toString('base64')}`,
      });
    const create = (expiresAt: Date | null = null, name = 'kubeconfig') =>
      server.backend.accessTokens.create({ personId: user.id, name, expiresAt });

    it('let a script in as their person, and are stored as a hash', async () => {
      const token = await create();
      expect(token.split('.')).toHaveLength(5);
      const answer = await ask(token);
      expect(answer.status).toBe(200);
      expect(await answer.json()).toMatchObject({ payload: { user: { id: user.id } } });
      expect((await ask(token)).status).toBe(200);
      const rows = await server.db.rows(
        z.custom<{ value: string }>(),
        'select value from access_tokens where person_id = $1',
        [user.id],
      );
      expect(rows[0]?.value).not.toContain(token.split('.')[0]);
    });

    it('end with their time, with a re-issue, and with their account', async () => {
      const short = await create(new Date(Date.now() + 60_000));
      expect((await ask(short)).status).toBe(200);
      const renewed = await create();
      expect((await ask(short)).status).toBe(401);
      const soon = await create(new Date(0), 'expired');
      expect((await ask(soon)).status).toBe(401);
      expect((await ask(renewed)).status).toBe(200);
      await administration.setIdentityState(user.id, 'inactive');
      expect((await ask(renewed)).status).toBe(401);
    });

    it('that are malformed, or ask for other costs than ours, are refused before any work', async () => {
      const token = await create();
      const [password, salt] = token.split('.');
      for (const wrong of ['', 'x', 'a.b.c.d.e', `${password}.${salt}.1.4194304.4`, `${token}.1`]) {
        expect([wrong, (await ask(wrong)).status]).toEqual([wrong, 400]);
      }
      expect((await ask(`${'0'.repeat(64)}.${salt}.1.65536.4`)).status).toBe(401);
    });
  });
});
