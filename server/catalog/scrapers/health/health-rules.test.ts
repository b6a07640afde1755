/** The tables of docs/health-rules.md against what is tested and what the words mean: no row stands there unproved. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastGlob from 'fast-glob';
import { describe, expect, test } from 'vitest';
import { KINDS_WITH_RULES } from './kubernetes-health.ts';
import { KNOWN_WORDS, stateHealth } from './status-words.ts';

const FOLDER = 'server/catalog/scrapers/health';
const RECORDED = '../shared/fixtures/kubernetes';

/** The rows of the first table below a heading or a line, as cells. */
function tableAfter(marker: string): string[][] {
  const [, rest = ''] = readFileSync('docs/health-rules.md', 'utf8').split(marker);
  const lines = rest.split('\n');
  const start = lines.findIndex((line) => line.startsWith('|'));
  const length = lines.slice(start).findIndex((line) => !line.startsWith('|'));
  return lines.slice(start + 2, start + length).map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  );
}

/** Kinds of objects whose health some test asserts: recorded ones, and those that tests make. */
function testedKinds(): Set<string> {
  const made = fastGlob
    .sync(`${FOLDER}/*.test.ts`)
    .flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/of\('\S+ (\w+)'/g)].map(([, kind = '']) => kind),
    );
  const recorded = Object.keys(
    JSON.parse(readFileSync(join(RECORDED, 'expected.json'), 'utf8')) as Record<string, unknown>,
  ).flatMap((file) =>
    [...readFileSync(join(RECORDED, file), 'utf8').matchAll(/^kind: *["']?(\w+)/gm)].map(
      ([, kind = '']) => kind,
    ),
  );
  return new Set([...made, ...recorded]);
}

describe('kinds of a cluster with a rule of their own', () => {
  const headings = ['## Core kinds', '## GitOps, certificates, operators', '## Our own kinds'];
  const written = headings.flatMap((heading) => tableAfter(heading).map(([cell = '']) => cell)).join(' ');
  const tested = testedKinds();
  const kinds = new Set(KINDS_WITH_RULES.map((key) => key.split('/')[1] ?? ''));
  test.each([...kinds])('%s stands in the table and has objects whose health is written down', (kind) => {
    expect(written).toMatch(new RegExp(`\\b${kind}s?\\b`));
    expect(tested).toContain(kind);
  });
});

describe('words', () => {
  const rows = tableAfter('are one):').flatMap(([health = '', stays = '', goesOn = '']) =>
    [stays, goesOn].flatMap((cell, at) =>
      cell
        .split(', ')
        .filter((word) => word !== '')
        .map((word) => ({ word: word.replaceAll('…', 'something'), health, ready: at === 0 })),
    ),
  );
  test.each(rows)('$word: $health', ({ word, health, ready }) => {
    expect(stateHealth(word)).toMatchObject({ health, ready });
  });
  test('each that is known stands in the table', () => {
    const written = new Set(rows.map(({ word }) => word));
    expect(KNOWN_WORDS.filter((word) => !written.has(word))).toEqual([]);
  });
});
