/** Exported functions and classes say what they are for, right above themselves (style.md). */
import fastGlob from 'fast-glob';
import { readFileSync } from 'node:fs';
import { parseSync } from 'oxc-parser';
import { expect, it } from 'vitest';
import { bareExports } from '../../scripts/bare-exports.mjs';

function bareIn(source: string, file = 'example.ts'): string[] {
  const { program, comments } = parseSync(file, source);
  return bareExports({ program, comments, source });
}

it('every exported function and class of a program has a docstring', () => {
  const programs = fastGlob.sync('{server,src,workers}/**/*.{ts,tsx}', {
    ignore: ['**/*.test.ts', '**/*.test.tsx', '**/testing/**'],
  });
  const bare = programs.flatMap((file) =>
    bareIn(readFileSync(file, 'utf8'), file).map((name) => `${file} ${name}`),
  );
  expect(bare).toEqual([]);
});

it.each([
  ['export function bare() {}', ['bare']],
  ['export class Bare {}', ['Bare']],
  ['export const bare = () => 1;', ['bare']],
  ['/** Elsewhere. */\nconst other = 1;\nexport function bare() { return other; }', ['bare']],
  ['// No docstring.\nexport function bare() {}', ['bare']],
  ['/** What it is for. */\nexport function told() {}', []],
  ['/** What it is for. */\nexport const told = () => 1;', []],
  ['function own() {}', []],
])('%s', (source, names) => {
  expect(bareIn(source)).toEqual(names);
});
