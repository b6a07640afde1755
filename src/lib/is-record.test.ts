import { expect, test } from 'vitest';
import { recordOf, isRecord } from './is-record.ts';

test('a list and null are no records, whatever their type says', () => {
  expect([{}, { a: 1 }].map(isRecord)).toEqual([true, true]);
  expect([null, [], ['a'], 'text', 1, undefined].map(isRecord)).toEqual(Array(6).fill(false));
});

test('what is no record has no fields', () => {
  const row = { name: 'api' };
  expect(recordOf(row)).toBe(row);
  expect(recordOf('{"name":"api"}')).toEqual({});
  expect(recordOf([1])).toEqual({});
});
