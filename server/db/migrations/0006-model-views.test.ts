import { beforeAll, expect, test } from 'vitest';
import type { Database } from '../database.ts';
import { forEachDatabase } from '../test-databases.ts';

forEachDatabase((_name, open) => {
  let db: Database;
  beforeAll(async () => {
    db = await open();
  });

  test('every view answers on an empty database', async () => {
    const views = await db.rows<{ name: string }>(
      `select relname::text as name from pg_class
       where relnamespace = 'public'::regnamespace and relkind = 'v' order by relname`,
    );
    expect(views.length).toBeGreaterThan(60);
    for (const { name } of views) {
      await expect(db.rows(`select * from ${name} limit 1`), name).resolves.toBeDefined();
    }
  });
});
