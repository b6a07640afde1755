/** SQL has its places: migrations are `.sql` files, every other statement is in a `*-query.ts` beside its reader. */
import fastGlob from 'fast-glob';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/** The database port itself, and the engine that makes statements out of the catalogue. */
const MAKE_STATEMENTS = ['server/platform/db/', 'server/replication/data-api/'];

/** The beginning of a text that is a statement. */
const STATEMENT =
  /[`'"]\s*(?:select\s+[^`'"]+?\sfrom\s|insert\s+into\s|update\s+\S+\s+set\s|delete\s+from\s|with\s+\w+\s+as\s+\(|(?:create|alter|drop)\s+(?:table|index|view|function|trigger|schema|role|type)\s)/i;

const isPlaceForSql = (file: string) =>
  file.endsWith('-query.ts') || MAKE_STATEMENTS.some((folder) => file.startsWith(folder));

describe('SQL', () => {
  const programs = fastGlob.sync('{server,src,workers}/**/*.{ts,tsx}', {
    ignore: ['**/*.test.ts', '**/*.test.tsx', '**/testing/**'],
  });

  it('stands in queries and migrations alone', () => {
    const elsewhere = programs.filter(
      (file) => !isPlaceForSql(file) && STATEMENT.test(readFileSync(file, 'utf8')),
    );
    expect(elsewhere).toEqual([]);
  });

  it('is given JSON that the database takes', () => {
    const others = programs.filter(
      (file) =>
        file.startsWith('server/') &&
        file.endsWith('-query.ts') &&
        readFileSync(file, 'utf8').includes('JSON.stringify('),
    );
    expect(others, 'use toJson').toEqual([]);
  });

  it('of migrations is in .sql files', () => {
    const programsAmong = fastGlob.sync('server/platform/db/migrations/**/*.ts', {
      ignore: ['**/*.test.ts'],
    });
    expect(programsAmong).toEqual([]);
  });

  it.each([
    'await tx.run(`delete from checks where id = $1`)',
    "db.rows('select id from checks')",
    'const text = `\n  insert into a (b) values (1)`',
    '"update checks set name = $1"',
    '`with seen as (select 1) …`',
    "'create table a (b text)'",
  ])('is known when seen: %s', (text) => {
    expect(text).toMatch(STATEMENT);
  });
});
