import { expect, it } from 'vitest';
import { toCsv } from './csv.ts';

it.each([
  ['=cmd|/c calc', `'=cmd|/c calc`],
  ['+1', `'+1`],
  ['-1+1', `'-1+1`],
  ['@SUM(A1)', `'@SUM(A1)`],
  ['\t=1', `'\t=1`],
  [-5, '-5'],
  ['a "b", c', '"a ""b"", c"'],
  ['=a\nb', `"'=a\nb"`],
  [null, ''],
  [{ a: 1 }, '"{""a"":1}"'],
])('writes %j so that no spreadsheet runs it', (value, expected) => {
  expect(toCsv(['x'], [{ x: value }])).toBe(`x\r\n${expected}\r\n`);
});

it('guards the header too, and has one without rows', () => {
  expect(toCsv(['=a', 'b'], [])).toBe(`'=a,b\r\n`);
});
