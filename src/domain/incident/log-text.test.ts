import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseLogText } from './log-text.ts';

const only = (text: string) => parseLogText(text)[0];

describe('a line of a log', () => {
  test.each([
    ['2026-11-21T23:10:00Z started', '2026-11-21T23:10:00.000Z', 'started'],
    ['2026-11-21T23:10:00.123456Z started', '2026-11-21T23:10:00.123Z', 'started'],
    ['2026-11-21 23:10:00,5 started', '2026-11-21T23:10:00.500Z', 'started'],
    ['[2026-11-21 23:10:00] started', '2026-11-21T23:10:00.000Z', 'started'],
    ['2026-11-21T23:10:00+0200 started', '2026-11-21T21:10:00.000Z', 'started'],
    ['2026-11-21 23:10 -05:00 started', '2026-11-22T04:10:00.000Z', 'started'],
    ['2026-11-21 23:10:00 Zebra started', '2026-11-21T23:10:00.000Z', 'Zebra started'],
  ])('has the time that it begins with: %s', (text, timestamp, message) => {
    expect(only(text)).toEqual({ timestamp, message, labels: {} });
  });

  test.each([
    'no time here',
    '2026-99-99T23:10:00Z bad',
    '12:00 noon',
    '2026-11-21 only a day',
    '',
    '{"half',
  ])('without one stays as it is: %s', (text) => {
    expect(only(`${text}\n`)).toEqual({ timestamp: null, message: text, labels: {} });
  });

  test('of structured logging has its message, its time, and the rest as labels', () => {
    expect(only('{"ts":1763766600,"level":"error","msg":"boom","ctx":{"id":1}}')).toEqual({
      timestamp: '2025-11-21T23:10:00.000Z',
      message: 'boom',
      labels: { level: 'error', ctx: '{"id":1}' },
    });
    expect(only('{"time":"2026-11-21T23:10:00Z","message":"x"}')?.timestamp).toBe('2026-11-21T23:10:00.000Z');
    expect(only('{"a":1}')).toEqual({ timestamp: null, message: '{"a":1}', labels: {} });
  });

  test('loses the colours of the terminal', () => {
    expect(only('\u001b[31mred\u001b[0m')?.message).toBe('red');
  });
});

test('a file that is one JSON array has one line an entry', () => {
  expect(parseLogText('[{"message":"a"},\n{"message":"b"}, 5]').map(({ message }) => message)).toEqual([
    'a',
    'b',
    '5',
  ]);
});

test('any text has as many lines as it has line ends, and a plain line ends as its text does', () => {
  // oxlint-disable-next-line no-control-regex -- escape sequences are taken out before
  const line = fc.string({ unit: 'grapheme' }).map((text) => text.replace(/[\r\n\u001b\ufeff]/g, ''));
  fc.assert(
    fc.property(
      fc.array(
        line.filter((text) => !/^\s*[[{]/.test(text)),
        { minLength: 1 },
      ),
      (lines) => {
        const found = parseLogText(`${lines.join('\n')}\n`);
        expect(found.length).toBe(lines.length);
        for (const [at, { message, timestamp }] of found.entries()) {
          expect(lines[at]?.endsWith(message)).toBe(true);
          if (timestamp === null) expect(message).toBe(lines[at]);
        }
      },
    ),
  );
});

test('whatever is pasted, reading it never fails', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ maxLength: 80 }),
        fc.json({ maxDepth: 2 }),
        fc.stringMatching(/^\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d/),
      ),
      (text) => {
        for (const { timestamp } of parseLogText(text)) {
          if (timestamp !== null) expect(new Date(timestamp).toISOString()).toBe(timestamp);
        }
      },
    ),
  );
});
