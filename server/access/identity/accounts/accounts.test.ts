import { beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../platform/db/database.ts';
import { forEachDatabase } from '../../../platform/db/test-databases.ts';
import { nodePlatform } from '../../../platform/platform.ts';
import { ensureAdmin } from './accounts.ts';
import { findActivePerson, findPasswordAccount } from '../queries/identity-query.ts';
import { isPassword } from './passwords.ts';
import { hashToken } from '../../../platform/crypto/secrets.ts';
import { createSessions } from '../sessions/sessions.ts';

const EMAIL = 'admin@local';

forEachDatabase((_name, openDatabase) => {
  describe('the first administrator', () => {
    let db: Database;
    let made: string | null;

    beforeAll(async () => {
      db = await openDatabase();
      made = await ensureAdmin(db, nodePlatform, { email: EMAIL, password: null });
    });
    const account = async () => {
      const found = await findPasswordAccount(db, EMAIL);
      if (found === null) throw new Error('no account');
      return found;
    };

    it('is made on an empty database with a password that is told once and kept nowhere', async () => {
      expect(made).toMatch(/^([\da-f]{5}-){5}[\da-f]{5}$/);
      const { id, secret } = await account();
      expect(secret).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
      expect(await isPassword(secret, made ?? '')).toBe(true);
      expect(await findActivePerson(db, id)).toMatchObject({ email: EMAIL, name: 'Admin', roles: ['admin'] });
    });

    it('is made once', async () => {
      expect(await ensureAdmin(db, nodePlatform, { email: EMAIL, password: null })).toBeNull();
      expect(await isPassword((await account()).secret, made ?? '')).toBe(true);
    });

    it('gets the configured password when it differs, which ends the sessions of the old one', async () => {
      const sessions = createSessions(db, nodePlatform);
      const { id } = await account();
      const device = {
        deviceMark: hashToken('device', 'x'),
        previousToken: null,
        ip: '::1',
        userAgent: 'test',
      };
      const before = await sessions.open({ identityId: id, ...device });
      const configured = { email: EMAIL, password: 'a configured password' };
      expect(await ensureAdmin(db, nodePlatform, configured)).toBeNull();
      expect(await isPassword((await account()).secret, configured.password)).toBe(true);
      expect(await sessions.find(before.token)).toBeNull();
      const after = await sessions.open({ identityId: id, ...device });
      await ensureAdmin(db, nodePlatform, configured);
      expect(await sessions.find(after.token)).not.toBeNull();
    });

    it('with another e-mail and a configured password is a further one', async () => {
      const boss = { email: 'boss@example.com', password: 'another password' };
      expect(await ensureAdmin(db, nodePlatform, boss)).toBeNull();
      const found = await findPasswordAccount(db, boss.email);
      expect(await findActivePerson(db, found?.id ?? '')).toMatchObject({ name: 'boss', roles: ['admin'] });
    });
  });
});
