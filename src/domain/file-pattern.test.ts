import { expect, test } from 'vitest';
import { leadsOut, patternProblem } from './file-pattern.ts';

test.each([
  ['*,\\\\\\\\', /two backslashes in a row/],
  ['logs/{a,b}\\\\\\\\', /two backslashes in a row/],
  ['{a,b}'.repeat(12), /more than 1000 patterns/],
  ['{1..99999}', /more than 1000 patterns/],
  ['+(a|aa)', /write @\(one\|two\)/],
  ['[a-z]+[a-z]+', /write @\(one\|two\)/],
  ['(a|aa)+', /write @\(one\|two\)/],
  ['logs/*a*a*a*a*', /more than 4 stars/],
  ['a'.repeat(1001), /longer than 1000/],
])('%s is refused', (pattern, why) => {
  expect(patternProblem(pattern)).toMatch(why);
});

test.each([
  '*.log',
  '**/*.log',
  '*-*-*-*.log',
  '[0-9]*',
  'var/**/app-*.{log,txt}',
  'logs/[a-z]?/*-app-*.log*',
  '@(web|api)/*.log',
  '!(old)/*.log',
  String.raw`one\*/\{two\}.log`,
  '{1..100}/*.csv',
])('%s is a pattern', (pattern) => {
  expect(patternProblem(pattern)).toBeNull();
});

test.each(['/etc/*', '{/etc,web}/*', 'web,/etc', '../*', '{..,web}/*', 'web/{a,..}/*', '..\\\\..', 'a\0'])(
  '%j leads out',
  (pattern) => {
    expect(leadsOut(pattern)).toBe(true);
  },
);

test.each(['web/*', '{web,api}/*.log', '*', '..web/*', 'a..b', 'a, b/*'])('%j stays inside', (pattern) => {
  expect(leadsOut(pattern)).toBe(false);
});
