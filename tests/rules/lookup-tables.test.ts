/** A table that texts are looked up in has no more than what is written in it (src/lib/lookup-table.ts). */
import fastGlob from 'fast-glob';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { lookupTable } from '../../src/lib/lookup-table.ts';

/** An object of a module that any text may be asked of: `TABLE['constructor']` is a function. */
const PLAIN = /^(?:export )?const \w+: (?:Readonly<)?Record<string,/m;

describe('a table', () => {
  it('is made by lookupTable wherever any text may be asked for', () => {
    const programs = fastGlob.sync('{server,src,workers}/**/*.{ts,tsx}', {
      ignore: ['**/*.test.{ts,tsx}', '**/testing/**'],
    });
    expect(programs.filter((file) => PLAIN.test(readFileSync(file, 'utf8')))).toEqual([]);
    expect('export const WORDS: Readonly<Record<string, string>> = {').toMatch(PLAIN);
  });

  it('has what is written in it', () => {
    const table = lookupTable({ open: 1, closed: 2 });
    expect(Object.entries(table)).toEqual([
      ['open', 1],
      ['closed', 2],
    ]);
  });

  it.each([...Object.getOwnPropertyNames(Object.prototype), 'other'])('has nothing under %s', (name) => {
    expect(lookupTable({ open: 1 })[name]).toBeUndefined();
  });
});
