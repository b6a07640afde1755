/**
 * Rows are read through a schema. Without one a statement does not compile (`Queryable.rows`); a schema that checks
 * nothing would, so programs may not hand one in, nor say after reading what the rows are.
 */
import fastGlob from 'fast-glob';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/** `rows(` with what checks nothing. */
const CHECKS_NOTHING = /\.rows(?:<[^>]*>)?\(\s*z\s*\.\s*(?:custom|any|unknown)\b/;
/** The same under a name. */
const CLAIMS_A_TYPE = /\bz\s*\.\s*custom<(?:[^()]|\([^()]*\))*>\(\s*\)/;
/** A claim about what came back. */
const CLAIMS = /\.rows\((?:[^()]|\([^()]*\))*\)\)?\s+as\s/;
const isUnchecked = (source: string) =>
  [CHECKS_NOTHING, CLAIMS_A_TYPE, CLAIMS].some((pattern) => pattern.test(source));

describe('statements', () => {
  it('have a schema that checks their rows', () => {
    const programs = fastGlob.sync('{server,scripts}/**/*.ts', { ignore: ['**/*.test.ts', '**/testing/**'] });
    expect(programs.length).toBeGreaterThan(400);
    expect(programs.filter((file) => isUnchecked(readFileSync(file, 'utf8')))).toEqual([]);
  });

  it.each([
    'await db.rows(z.custom<{ id: string }>(), `select 1`)',
    'tx\n  .rows(\n    z.unknown(), `select 1`)',
    'db.rows<Row>(z.any(), sql)',
    'const row = z.custom<{ id: string }>();',
    '(await db.rows(idRow, sql)) as Row[]',
    '(await db.rows(idRow, sqlOf(table), [id])) as unknown',
  ])('are known when unchecked: %s', (source) => {
    expect(isUnchecked(source)).toBe(true);
  });

  it.each([
    'db.rows(idRow, `select id from checks where id = $1`, [id])',
    'const [row] = await db.rows(jobRow.pick({ id: true }), sql);',
  ])('are let through when checked: %s', (source) => {
    expect(isUnchecked(source)).toBe(false);
  });
});
