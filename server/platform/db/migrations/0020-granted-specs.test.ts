/** Whose word a specification is: that of who wrote it last. On both databases, through the data API's own session. */
import { pino } from 'pino';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createDataApi } from '../../../replication/data-api/data-api.ts';
import type { DataApi } from '../../../replication/data-api/data-api.ts';
import { decideTableAccess } from '../../../access/policies/table-areas.ts';
import type { Database } from '../database.ts';
import { forEachDatabase } from '../test-databases.ts';

forEachDatabase((_name, openDatabase) => {
  describe('a specification’s grant', () => {
    let db: Database;
    let api: DataApi;
    beforeAll(async () => {
      db = await openDatabase();
      const logger = pino({ level: 'silent' });
      api = createDataApi({ db, logger, now: () => 0, policy: decideTableAccess, onWrite: () => undefined });
    });
    const ID = '018f4c4e-0000-7000-8000-00000000000a';
    const send = async (role: string, method: 'POST' | 'PATCH', row: object) => {
      const target = { kind: 'table' as const, name: 'config_scrapers' };
      const search = method === 'PATCH' ? `id=eq.${ID}` : '';
      const headers = { 'content-type': 'application/json' };
      const answer = await api.handle({
        method,
        target,
        search,
        headers,
        body: JSON.stringify(row),
        roles: [role],
      });
      expect(answer.status).toBeLessThan(300);
    };
    const isGranted = async () =>
      (await db.rows(z.unknown(), 'select 1 from granted_specs where row_id = $1', [ID])).length === 1;

    it('is given by who may write connections, and gone with the next text of anybody else', async () => {
      await send('editor', 'POST', { id: ID, name: 's', source: 'UI', spec: { a: 1 } });
      expect(await isGranted()).toBe(false);
      await send('admin', 'PATCH', { spec: { a: 1 } });
      expect(await isGranted()).toBe(true);
      await send('editor', 'PATCH', { name: 't', spec: { a: 1 } });
      expect(await isGranted()).toBe(true);
      await send('editor', 'PATCH', { spec: { a: 2 } });
      expect(await isGranted()).toBe(false);
      await send('admin', 'PATCH', { spec: { a: 3 } });
      expect(await isGranted()).toBe(true);
      await db.run(`update config_scrapers set spec = '{"a": 4}' where id = $1`, [ID]);
      expect(await isGranted()).toBe(false);
    });
  });
});
