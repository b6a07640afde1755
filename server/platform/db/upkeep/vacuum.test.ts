import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '../database.ts';
import { openMigratedDatabase } from '../test-databases.ts';
import { tidyTables } from './vacuum.ts';
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
  await tidyTables(db, signal);
  expect(await db.text(`select reltuples::text from pg_class where relname = 'worn'`)).toBe('2000');
  const sizes: number[] = [];
  for (let round = 1; round <= 6; round += 1) {
    await db.run(`update worn set text = repeat('x', 199) || $1`, [String(round)]);
    await tidyTables(db, signal);
    sizes.push(await pages());
  }
  // What the first rounds freed is used by the later ones.
  expect(Math.max(...sizes.slice(2))).toBeLessThanOrEqual(sizes[1] ?? 0);
});

it('what has not changed is left alone', async () => {
  await tidyTables(db, signal);
  await tidyTables(db, signal);
  expect((await dueTables(db)).filter(({ name }) => name.startsWith('public.'))).toEqual([]);
});
