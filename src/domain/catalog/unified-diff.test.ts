import { createTwoFilesPatch } from 'diff';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { diffCounts, parseUnifiedDiff, sidesOf } from './unified-diff.ts';

const line = fc.constantFrom('a', 'b', '', '--- x', '+++ y', '@@ -1 +1 @@', ' c', '-', '+');
const text = fc.array(line, { minLength: 1, maxLength: 30 }).map((lines) => `${lines.join('\n')}\n`);

test('each side, line by line, is what stood at that number', () => {
  fc.assert(
    fc.property(text, text, fc.integer({ min: 0, max: 4 }), (old, now, context) => {
      const hunks = parseUnifiedDiff(createTwoFilesPatch('a', 'b', old, now, '', '', { context }));
      const sides = sidesOf(hunks, '…');
      const [oldLines, newLines] = [old.split('\n'), now.split('\n')];
      const stands = ({ lines, numbers }: typeof sides.before, whole: string[]) =>
        numbers.every((number, at) => typeof number !== 'number' || whole[number - 1] === lines[at]);
      expect(stands(sides.before, oldLines)).toBe(true);
      expect(stands(sides.after, newLines)).toBe(true);
      expect(hunks.length === 0).toBe(old === now);
    }),
  );
});

test('what lies between two hunks is a gap with its lines', () => {
  const hunks = parseUnifiedDiff('--- a\n+++ b\n@@ -3,1 +3,1 @@\n-x\n+y\n@@ -9,2 +9,1 @@\n z\n-w\n');
  const { before, after } = sidesOf(hunks, '…');
  expect(before.numbers).toEqual([{ from: 1, to: 2 }, 3, { from: 4, to: 8 }, 9, 10]);
  expect(after.lines).toEqual(['…', 'y', '…', 'z']);
  expect(diffCounts(hunks)).toEqual({ added: 1, removed: 2 });
});

test('a text that is no diff has no hunks', () => {
  expect(parseUnifiedDiff('- not a diff\n+ at all')).toEqual([]);
});
