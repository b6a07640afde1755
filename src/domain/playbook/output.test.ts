import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  createLineReader,
  createLineSearch,
  linksOf,
  outputFile,
  outputLines,
  stepOutput,
} from './output.ts';

const about = { playbook: 'Restart service', startedAt: '2026-01-01T10:00:00Z' };

test('text is saved as .log, everything else as .json, named after playbook and start', () => {
  expect(outputFile({ stdout: 'a\n', exitCode: 0 }, about)).toMatchObject({
    name: 'Restart-service-2026-01-01T10-00-00Z.log',
    content: 'a\n',
  });
  expect(outputFile({ rows: [{ id: 1 }], count: 1 }, about).name).toMatch(/\.json$/);
});

test('results of every kind of action say what they wrote', () => {
  expect(stepOutput({ stdout: 'out', stderr: 'err', exitCode: 1, path: '/bin/sh', args: [] })).toEqual({
    text: 'out',
    errors: 'err',
    rest: {},
    isText: true,
  });
  expect(stepOutput({ Logs: 'from the pod' }).text).toBe('from the pod');
  expect(stepOutput({ rows: [] }).rest).toEqual({ rows: [] });
  expect(stepOutput(null)).toEqual({ text: '', errors: '', rest: {}, isText: false });
});

test('links of a result are addresses that a browser may open, and nothing else', () => {
  const link = 'https://git.example.com/acme/shop/pull/7';
  expect(linksOf({ links: [link, 'javascript:alert(1)', 7, ' https://x', 'HTTP://y/'] })).toEqual([
    link,
    'HTTP://y/',
  ]);
  expect(stepOutput({ logs: 'opened', links: [link], pr: 7 })).toMatchObject({
    text: 'opened',
    rest: { pr: 7 },
  });
  expect([linksOf({ links: 'https://x' }), linksOf(null), linksOf('text')]).toEqual([[], [], []]);
});

test('what only a terminal understands is taken out, and a line that was written over is its last writing', () => {
  expect(outputLines('\u001b[31mred\u001b[0m\r\n10%\r50%\r100%\nlast')).toEqual(['red', '100%', 'last']);
  expect(outputLines('')).toEqual([]);
});

test('a text that grows has the lines that it has as a whole, however it comes', () => {
  const token = fc.constantFrom('a', 'b', '\n', '\r', '\u001b[31m', '\u001b]0;t\u0007');
  const piece = fc.array(token, { maxLength: 6 }).map((tokens) => tokens.join(''));
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const read = createLineReader();
      let text = '';
      for (const next of pieces) {
        text += next;
        expect(read(text)).toEqual(outputLines(text));
      }
      // Another text altogether, as after a step that was begun anew.
      expect(read('c\nd')).toEqual(['c', 'd']);
    }),
  );
});

test('a search finds the lines that have its text, whatever was looked for before', () => {
  const line = fc.string({ unit: fc.constantFrom('a', 'B', 'ß', ' ', 'İ'), maxLength: 6 });
  fc.assert(
    fc.property(fc.array(line), fc.array(line), (lines, texts) => {
      const search = createLineSearch(lines);
      for (const text of texts) {
        const wanted = text.toLowerCase();
        const found = lines.flatMap((one, at) => (one.toLowerCase().includes(wanted) ? [at] : []));
        expect(search(text)).toEqual(found);
      }
    }),
  );
});
