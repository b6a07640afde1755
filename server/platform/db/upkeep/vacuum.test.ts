import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '../database.ts';
import { openMigratedDatabase } from '../test-databases.ts';
import { runVacuum, vacuumTables } from './vacuum.ts';
import { dueTables } from './vacuum-query.ts';

const { signal } = new AbortController();

let db: Database;

beforeAll(async () => {
  db = await openMigratedDatabase('pglite');
});
afterAll(() => db.close());

const pages = async () => Number(await db.text(`select (pg_relation_size('worn') / 8192)::text`));

it('a table that is updated again and again stays small, and the planner learns how large it is', async () => {
  await db.script(`
    create table worn (id int primary key, text text);
    create index worn_text on worn (text);
    insert into worn select number, repeat('x', 200) from generate_series(1, 2000) as number;
  `);
  await vacuumTables(db, signal);
  expect(await db.text(`select reltuples::text from pg_class where relname = 'worn'`)).toBe('2000');
  const sizes: number[] = [];
  for (let round = 1; round <= 6; round += 1) {
    await db.run(`update worn set text = repeat('x', 199) || $1`, [String(round)]);
    await vacuumTables(db, signal);
    sizes.push(await pages());
  }
  // What the first rounds freed is used by the later ones.
  expect(Math.max(...sizes.slice(2))).toBeLessThanOrEqual(sizes[1] ?? 0);
});

it('what has not changed is left alone', async () => {
  await vacuumTables(db, signal);
  await vacuumTables(db, signal);
  expect((await dueTables(db)).filter(({ name }) => name.startsWith('public.'))).toEqual([]);
});

it('is done again and again until the server stops; a table that fails holds up none of the others', async () => {
  await db.script(`
    create table aa_failing as select number from generate_series(1, 100) as number;
    create table zz_added as select number from generate_series(1, 100) as number;
  `);
  const failing: Database = {
    kind: 'pglite',
    rows: (row, sql, params) => db.rows(row, sql, params),
    text: (sql, params) => db.text(sql, params),
    run: (sql, params) => db.run(sql, params),
    script: (sql) => (sql.includes('aa_failing') ? Promise.reject(new Error('damaged')) : db.script(sql)),
    transaction: (work) => db.transaction(work),
    asCaller: (caller) => db.asCaller(caller),
    close: () => db.close(),
  };
  const stop = new AbortController();
  let pauses = 0;
  const sleep = async () => {
    pauses += 1;
    if (pauses === 3) stop.abort();
  };
  const deps = { db: failing, logger: pino({ level: 'silent' }), platform: { now: () => Date.now(), sleep } };
  await runVacuum(deps, stop.signal);
  const counted = (name: string) =>
    db.text('select reltuples::text from pg_class where relname = $1', [name]);
  expect([await counted('aa_failing'), await counted('zz_added')]).toEqual(['-1', '100']);
});
