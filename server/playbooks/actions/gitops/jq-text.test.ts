/** Templates in jq: whatever is put in stays a value (spec: templates never turn user text into code). */
import { raw } from 'jq-wasm';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { TemplatePiece } from '../../templates/template-pieces.ts';
import { editDocument } from './edit-document.ts';
import { jqText } from './jq-text.ts';

const HOSTILE = [
  '" | del(.)',
  '\\"',
  '\\(1)',
  '"; env',
  '#',
  '\n',
  '$__loc__',
  "'",
  ') | .a = 1',
  'é"',
  '--arg',
  '[]',
];
const values = fc.oneof(fc.string(), fc.constantFrom(...HOSTILE), fc.string({ unit: 'grapheme' }));
const SHAPES: readonly (readonly [string, string])[] = [
  ['.a = "', '"'],
  ['.a = "x\\("', '")y"'],
  ['.a = ("', '" | .)'],
  ['.a = ', ''],
];
const pieces = ([before, after]: readonly [string, string], value: string): TemplatePiece[] => [
  { kind: 'text', text: before },
  { kind: 'value', value },
  { kind: 'text', text: after },
];

it('whatever the value, it is the only thing that changes, and it is the text that was given', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...SHAPES), values, async (shape, value) => {
      fc.pre(!/\p{Surrogate}/u.test(value));
      const { expression, variables } = jqText(pieces(shape, value));
      const given = Object.entries(variables).flatMap(([name, one]) => [
        '--argjson',
        name,
        JSON.stringify(one),
      ]);
      const out: unknown = JSON.parse(await raw('{"a":0,"kept":[1]}', expression, ['-c', ...given]));
      const { a, ...rest } = out as { a: unknown };
      expect(rest).toEqual({ kept: [1] });
      const wanted = shape[0].includes('x\\(') ? `x${value}y` : value;
      if (shape[0] === '.a = ')
        expect(String(a)).toBe(/^-?\d|^(true|false|null)$/.test(value) ? String(a) : value);
      else expect(a).toBe(wanted);
    }),
    { numRuns: 200 },
  );
});

it('a number outside of quotes is a number', async () => {
  const jq = jqText([
    { kind: 'text', text: '.spec.replicas = ' },
    { kind: 'value', value: '3' },
  ]);
  expect(await editDocument('a.yaml', 'spec:\n  replicas: 1 # how many\n', jq)).toBe(
    'spec:\n  replicas: 3 # how many\n',
  );
});
