/** docs/glossary.md has each word once, and the words that it retires are not used for anything new. */
import fastGlob from 'fast-glob';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';

const [terms = '', retired = ''] = readFileSync('docs/glossary.md', 'utf8').split('## Retired');

/** First cells of a table, without its head. */
const firstCells = (table: string) =>
  [...table.matchAll(/^\| ([^|]+?) \|/gm)].map(([, cell]) => cell ?? '').slice(1);

const retiredWords = new Set(firstCells(retired));

/** `KeptRows` and `kept-rows` are the words kept and rows. */
const wordsOf = (name: string) =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);

const retiredIn = (name: string) => wordsOf(name).filter((word) => retiredWords.has(word));

const DECLARED = /^export (?:abstract |async )*(?:function\*?|class|const|interface|type) (\w+)/gm;

describe('the glossary', () => {
  it('has each word once, and none that it retires', () => {
    const words = firstCells(terms);
    expect(words.length).toBeGreaterThan(20);
    expect(words).toEqual([...new Set(words)]);
    expect(words.filter((word) => retiredWords.has(word))).toEqual([]);
  });

  it('has its retired words left to no file and no exported name', () => {
    const files = fastGlob.sync('{src,server,workers,tests,e2e,bench,scripts}/**/*.{ts,tsx,mjs}');
    const found = files.flatMap((file) => {
      const names = [...readFileSync(file, 'utf8').matchAll(DECLARED)].map(([, name]) => name ?? '');
      return [basename(file).replace(/\..*$/, ''), ...names]
        .filter((name) => retiredIn(name).length > 0)
        .map((name) => `${file}: ${name}`);
    });
    expect(found).toEqual([]);
  });

  it.each(['KeptRows', 'createNudgeHub', 'kept-rows', 'readBirth'])('knows %s when it sees it', (name) => {
    expect(retiredIn(name)).not.toEqual([]);
  });
});
