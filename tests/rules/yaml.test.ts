/** YAML is read in one place (src/lib/read-yaml.ts): the library's own readers take the square of a map's keys. */
import fastGlob from 'fast-glob';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const READER = 'src/lib/read-yaml.ts';
const FROM_YAML = /import\s*\{([^}]*)\}\s*from 'yaml'/g;

const readers = (text: string) =>
  [...text.matchAll(FROM_YAML)].flatMap(([, names = '']) =>
    [...names.matchAll(/\b(?:parse|parseDocument|parseAllDocuments|Composer)\b/g)].map(([name]) => name),
  );

describe('YAML', () => {
  it('is read in one place', () => {
    const programs = fastGlob.sync('{server,src,workers}/**/*.{ts,tsx}', {
      ignore: ['**/*.test.{ts,tsx}', '**/testing/**', READER],
    });
    expect(programs.filter((file) => readers(readFileSync(file, 'utf8')).length > 0)).toEqual([]);
    expect(readers(readFileSync(READER, 'utf8'))).not.toEqual([]);
  });
});
