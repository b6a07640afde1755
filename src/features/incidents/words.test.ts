import { expect, test } from 'vitest';
import { optionsFor, wordFor } from './words.ts';

test('a value that this version does not know is shown as it is', () => {
  expect(wordFor('types', 'technicalDebt')).toBe('Technical debt');
  expect(wordFor('types', 'toString')).toBe('toString');
});

test('the present value can be chosen even when it is not offered', () => {
  expect(optionsFor('severities', ['low'], 'blocker').map(({ value }) => value)).toEqual(['blocker', 'low']);
  expect(optionsFor('severities', ['low'], 'low')).toEqual([{ value: 'low', label: 'Low' }]);
});
