import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { EvidenceLogLine } from './evidence-draft.ts';
import { nearSelection, packLog, readLog, withContext } from './evidence-log.ts';

const line = (message: string): EvidenceLogLine => ({ timestamp: null, message, labels: {} });
const lines = (count: number) => Array.from({ length: count }, (_, at) => line(`line ${at + 1}`));

const selection = fc
  .integer({ min: 1, max: 200 })
  .chain((total) => fc.tuple(fc.constant(total), fc.uniqueArray(fc.integer({ min: 0, max: total - 1 }))));

describe('the context of a selection', () => {
  test('is every line that is at most three from a selected one, in order, each once', () => {
    fc.assert(
      fc.property(selection, ([total, selected]) => {
        const expected = Array.from({ length: total }, (_, at) => at).filter((at) =>
          selected.some((one) => Math.abs(one - at) <= 3),
        );
        expect(withContext(selected, total)).toEqual(expected);
      }),
    );
  });
});

describe('a packed log', () => {
  test('reads back as what was selected, with its context and its numbers', () => {
    fc.assert(
      fc.property(selection, ([total, selected]) => {
        const { payload, cut } = packLog(lines(total), new Set(selected));
        const read = readLog(payload);
        expect(cut).toEqual({ lines: 0, shortened: 0, context: 0 });
        expect(read.map(({ number }) => number - 1)).toEqual(withContext(selected, total));
        expect(read.filter(({ isSelected }) => isSelected).map(({ number }) => number - 1)).toEqual(
          selected.toSorted((a, b) => a - b),
        );
        expect(read.every(({ message, number }) => message === `line ${number}`)).toBe(true);
      }),
    );
  });

  test('is never larger than there is room for, and tells every line that it leaves out', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '"', '\\', '\u0001', '\ud83d', 'é'), maxLength: 40 });
    fc.assert(
      fc.property(
        fc.array(text, { minLength: 1, maxLength: 30 }),
        fc.array(fc.nat({ max: 29 })),
        fc.integer({ min: 0, max: 3000 }),
        (messages, picks, room) => {
          const all = messages.map(line);
          const selected = new Set(picks.filter((at) => at < all.length));
          const { payload, cut } = packLog(all, selected, room);
          const chars = payload.lines.reduce((sum, one) => sum + JSON.stringify(one).length, 0);
          expect(chars).toBeLessThanOrEqual(room);
          expect(payload.selected_lines.length + cut.lines).toBe(selected.size);
          expect(payload.lines.length + cut.lines + cut.context).toBe(
            withContext(selected, all.length).length,
          );
        },
      ),
    );
  });

  test('of the largest log fits into a command', () => {
    const huge = Array.from({ length: 2000 }, () => line('"\\\u0001'.repeat(5000)));
    const { payload, cut } = packLog(huge, new Set(huge.keys()));
    expect(JSON.stringify(payload).length).toBeLessThan(200_000);
    expect(payload.lines.length).toBeGreaterThan(0);
    expect(cut.lines).toBe(2000 - payload.lines.length);
  });

  test('keeps selected lines before context when there is no room for both', () => {
    const { payload, cut } = packLog(lines(9), new Set([4]), 90);
    expect(payload.selected_lines).toEqual([5]);
    expect(payload.lines.map(({ number }) => number)).toContain(5);
    expect(cut.context).toBeGreaterThan(0);
  });

  test('keeps the beginning of a long line, and says that it is short', () => {
    const { payload, cut } = packLog([line(`${'x'.repeat(9999)}😀${'y'.repeat(90_000)}`)], new Set([0]));
    expect(cut.shortened).toBe(1);
    expect(payload.lines[0]?.message).toBe('x'.repeat(9999));
  });
});

describe('a log evidence of another client', () => {
  test('may hold bare texts, texts by their number, or nothing that is known', () => {
    expect(readLog({ lines: ['a', 'b'], start: 7, selected_lines: [8] })).toMatchObject([
      { number: 7, message: 'a', isSelected: false },
      { number: 8, message: 'b', isSelected: true },
    ]);
    expect(readLog({ lines: { 3: 'c', 4: 'd' }, selected_lines: { 4: 'd' } })).toMatchObject([
      { number: 3, isSelected: false },
      { number: 4, isSelected: true },
    ]);
    expect(readLog({ lines: [5, null, { text: 1 }] })).toEqual([]);
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(readLog(value).length).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  test('shows everything where nothing was selected', () => {
    const read = readLog({ lines: ['a', 'b', 'c'] });
    expect(nearSelection(read)).toEqual(read);
  });
});
