import fc from 'fast-check';
import { expect, test } from 'vitest';
import { guardFormulas } from './csv-guard.ts';

/** A cell as PostgreSQL writes it. */
const written = (text: string) =>
  /[",\\\s()]/.test(text) || text === '' ? `"${text.replaceAll('"', '""')}"` : text;

/** The cells of a line, read as a spreadsheet reads them. */
function read(line: string): string[] {
  const cells: string[] = [];
  for (let rest = line; ;) {
    const quoted = /^"((?:[^"]|"")*)"/.exec(rest);
    const plain = /^[^,]*/.exec(rest)?.[0] ?? '';
    const taken = quoted?.[0] ?? plain;
    cells.push(quoted === null ? plain : (quoted[1] ?? '').replaceAll('""', '"'));
    if (rest.length === taken.length) return cells;
    rest = rest.slice(taken.length + 1);
  }
}

const sign = fc.constantFrom('=', '+', '-', '@', '\t', '\r', ',', '"', '\n', "'", 'a', '1', '.', ' ', '(');
const cell = fc.string({ unit: sign, maxLength: 6 });

test('no cell of a CSV begins as a formula does, and all keep their text', () => {
  fc.assert(
    fc.property(fc.array(cell, { minLength: 1, maxLength: 4 }), (cells) => {
      const guarded = read(guardFormulas(cells.map(written).join(',')));
      expect(guarded).toHaveLength(cells.length);
      guarded.forEach((text, at) => {
        const isNumber = /^-?\d+(?:\.\d+)?$/.test(text);
        if (!isNumber) expect(text).not.toMatch(/^[=+\-@\t\r]/);
        expect([cells[at], `'${cells[at]}`]).toContain(text);
      });
    }),
    { numRuns: 500 },
  );
});

test('numbers stay numbers', () => {
  expect(guardFormulas('n,m\n-1,-2.5e+10\n"-1+1",x')).toBe('n,m\n-1,-2.5e+10\n"\'-1+1",x');
});
