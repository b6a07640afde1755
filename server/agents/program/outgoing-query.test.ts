/** How much an agent's database reads for a batch of what waits: by index, also where it never counted its rows. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import type { Database } from '../../platform/db/database.ts';
import { openMigratedDatabase } from '../../platform/db/test-databases.ts';
import { isSameRow, PUSH_TABLES, pushTable } from '../push-tables.ts';
import { markPushed, outgoingRows, prepareOutgoing } from './outgoing-query.ts';

const CHECKS = 20;
const RUNS_EACH = 4000;
const runs = pushTable('check_statuses');

let db: Database;

beforeAll(async () => {
  // PGlite counts rows only when it is told to, so the plan knows nothing of how many wait.
  db = await openMigratedDatabase('pglite');
  await prepareOutgoing(db);
  await db.script(`
    insert into canaries (name, namespace, spec, source) values ('shop', 'default', '{}', 'site.yaml');
    insert into checks (canary_id, type, name, status, created_at, updated_at)
      select canaries.id, 'http', 'home ' || number, 'healthy', now(), now()
      from canaries, generate_series(1, ${CHECKS}) as number;
    insert into check_statuses (check_id, time, status, duration)
      select id, now() - minute * interval '1 minute', true, 12
      from checks, generate_series(1, ${RUNS_EACH}) as minute;
  `);
});

afterAll(() => db.close());

/** Rows of runs that were read since the database started, by index and without. */
async function rowsRead(): Promise<number> {
  await db.text('select pg_stat_force_next_flush()::text');
  return Number(
    await db.text(
      `select (seq_tup_read + idx_tup_fetch)::text from pg_stat_user_tables where relname = 'check_statuses'`,
    ),
  );
}

it('a batch reads little more than its own rows, and so does marking it', async () => {
  const atFirst = await rowsRead();
  const batch = await outgoingRows(db, runs, new Date());
  expect(batch).toHaveLength(runs.batchRows);
  const afterReading = await rowsRead();
  expect(await markPushed(db, runs, batch)).toBe(runs.batchRows);
  const afterMarking = await rowsRead();
  expect(afterReading - atFirst).toBeGreaterThanOrEqual(runs.batchRows);
  expect(afterReading - atFirst).toBeLessThan(2 * runs.batchRows);
  expect(afterMarking - afterReading).toBeLessThan(3 * runs.batchRows);
});

it('only columns that can be empty are compared as such', async () => {
  const keys = PUSH_TABLES.flatMap((table) => table.key.map((column) => ({ table, column })));
  const found = await db.rows(
    z.strictObject({ name: z.string() }),
    `select table_name || '.' || column_name as name from information_schema.columns
      where table_schema = 'public' and is_nullable = 'YES'`,
  );
  const maybeEmpty = new Set(found.map(({ name }) => name));
  for (const { table, column } of keys)
    expect([table.name, column, isSameRow(table, 'other').includes(`own.${column} is not`)]).toEqual([
      table.name,
      column,
      maybeEmpty.has(`${table.name}.${column}`),
    ]);
});
