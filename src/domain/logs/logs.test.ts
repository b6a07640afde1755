import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { readAnsi, withoutAnsi } from './ansi.ts';
import { linePieces } from './line-pieces.ts';
import { timeOfLine, timeOfValue } from './line-time.ts';
import { levelOf } from './log-level.ts';
import { effectiveMessage, parseLogLine } from './parse-line.ts';
import { hasWords, searchWords } from './search-words.ts';

const NOW = Date.UTC(2026, 2, 20, 12);

const casesSchema = z.object({
  cases: z.array(
    z.object({
      name: z.string(),
      input: z.string(),
      labels: z.record(z.string(), z.string()).optional(),
      messageFields: z.array(z.string()).optional(),
      expectations: z.array(z.record(z.string(), z.unknown())),
    }),
  ),
});
const casesOf = (name: string) =>
  casesSchema
    .parse(parse(readFileSync(`../shared/fixtures/logs/cases/${name}.yaml`, 'utf8')))
    .cases.map((one) => [one.name, one] as const);

describe('lines are taken apart as the published cases have it', () => {
  it.each([...casesOf('parse_json'), ...casesOf('parse_klogfmt'), ...casesOf('parse_logfmt')])(
    '%s',
    (_name, { input, expectations }) => {
      for (const expected of expectations) expect(parseLogLine(input)).toMatchObject(expected);
    },
  );
  it.each(casesOf('effective_message'))('%s', (_name, { input, labels, messageFields, expectations }) => {
    for (const expected of expectations)
      expect({ effectiveMessage: effectiveMessage(input, labels ?? {}, messageFields) }).toEqual(expected);
  });
});

const names = fc.constantFrom(...Object.getOwnPropertyNames(Object.prototype), 'level', 'msg', 'a');
const levels = (count: number) => `{"a":${'['.repeat(count)}${']'.repeat(count)}}`;
const anyLine = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.dictionary(names, fc.oneof(names, fc.jsonValue())).map((fields) => JSON.stringify(fields)),
  fc.tuple(names, names).map(([name, value]) => `${name}=${value} level=${value}`),
  fc.constantFrom(100, 5000, 90_000).map(levels),
);

test('any text comes through, whatever it looks like', () => {
  fc.assert(
    fc.property(anyLine, (line) => {
      expect(typeof parseLogLine(line).message).toBe('string');
      expect(typeof levelOf(line, {})).toBe('string');
      expect(typeof levelOf(line, parseLogLine(line).labels)).toBe('string');
      expect(typeof parseLogLine(line).severity).toBe('string');
      timeOfLine(line, NOW);
      const { text, runs } = readAnsi(line);
      expect(text).toBe(withoutAnsi(line));
      for (const { start, end } of runs) expect(start < end && end <= text.length).toBe(true);
    }),
  );
});

test.each([
  ['2026-03-13T09:02:52.532517Z started', Date.UTC(2026, 2, 13, 9, 2, 52, 532)],
  ['[2026-03-13 09:02:52,532] INFO', Date.UTC(2026, 2, 13, 9, 2, 52, 532)],
  ['2026-03-13T09:02:52+02:00 x', Date.UTC(2026, 2, 13, 7, 2, 52)],
  ['I0313 09:02:52.532517       1 request.go:752] x', Date.UTC(2026, 2, 13, 9, 2, 52, 532)],
  ['10.0.0.1 - - [13/Mar/2026:09:02:52 +0100] "GET / HTTP/1.1" 200', Date.UTC(2026, 2, 13, 8, 2, 52)],
  ['Mar 13 09:02:52 host sshd[1]: x', Date.UTC(2026, 2, 13, 9, 2, 52)],
  // Of a date without its year the last one: nothing is logged in the future.
  ['Dec 31 23:59:59 host cron: x', Date.UTC(2025, 11, 31, 23, 59, 59)],
  ['level=info ts=2026-03-13T09:02:52Z msg=x', Date.UTC(2026, 2, 13, 9, 2, 52)],
  ['    at Object.<anonymous> (main.js:1:1)', null],
  ['9999-99-99T99:99:99Z x', null],
])('the time of %s', (line, expected) => {
  expect(timeOfLine(line, NOW)).toBe(expected);
});

test.each([[1_773_392_572], [1_773_392_572_532], [1_773_392_572_532_517], ['1773392572532517000']])(
  'seconds, milli-, micro- and nanoseconds are told apart: %s',
  (value) => {
    expect(timeOfValue(value)).toBeGreaterThanOrEqual(1_773_392_572_000);
    expect(timeOfValue(value)).toBeLessThan(1_773_392_573_000);
  },
);

test.each([
  ['{"level":"error","msg":"x"}', {}, 'error'],
  ['E0313 09:06:00.000000       1 handler.go:100] "x"', {}, 'error'],
  ['level=warn msg=x', {}, 'warning'],
  ['2026-03-13 09:00:00 FATAL out of memory', {}, 'fatal'],
  ['no information about errors here', {}, 'unknown'],
  ['anything', { level: 'debug' }, 'debug'],
  ['{"level":50,"msg":"x"}', {}, 'error'],
] as const)('the level of %s is %o', (line, labels, expected) => {
  expect(levelOf(line, labels)).toBe(expected);
});

test('colours are taken out of the text and kept beside it', () => {
  const { text, runs } = readAnsi('\u001b[1;31mERROR\u001b[0m done \u001b[38;5;200mx\u001b[0m');
  expect(text).toBe('ERROR done x');
  expect(runs).toEqual([{ start: 0, end: 5, tone: 'red', isBold: true }]);
});

test('what is drawn of a line is the line, with what was found marked', () => {
  const word = fc.string({ minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(fc.string(), fc.array(word, { maxLength: 3 }), (line, given) => {
      const words = given.map((one) => one.toLowerCase());
      const pieces = linePieces(line, [], words);
      expect(pieces.map(({ text }) => text).join('')).toBe(
        linePieces(line, [], [])
          .map(({ text }) => text)
          .join(''),
      );
      for (const one of pieces)
        if (one.isFound === true)
          expect(
            words.some(
              (found) => one.text.toLowerCase().includes(found) || found.includes(one.text.toLowerCase()),
            ),
          ).toBe(true);
    }),
  );
  const pieces = linePieces('see https://example.com/error now', [], ['error']);
  expect(pieces.filter(({ isFound }) => isFound === true)).toEqual([
    { text: 'error', isFound: true, href: 'https://example.com/error' },
  ]);
  expect(linePieces('javascript:alert(1) <b>x</b>', [], [])).toEqual([
    { text: 'javascript:alert(1) <b>x</b>' },
  ]);
});

test('words all have to be there, quotes keep them together', () => {
  expect(searchWords(' Disk  FULL "on node 1" disk ')).toEqual(['disk', 'full', 'on node 1']);
  expect(hasWords('the disk is full', searchWords('full disk'))).toBe(true);
  expect(hasWords('the disk is full', searchWords('"full disk"'))).toBe(false);
  expect(searchWords('""')).toEqual([]);
});
