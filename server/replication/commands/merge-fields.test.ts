import { expect, test } from 'vitest';
import { conflictingFields, missingFields } from './merge-fields.ts';

const edit = (current: unknown, wanted: unknown, basedOn: unknown) =>
  conflictingFields({ current: { f: current }, wanted: { f: wanted }, basedOn: { f: basedOn } });

test('a field conflicts only when it is neither what was seen nor what is wanted', () => {
  expect(edit('a', 'b', 'a')).toEqual([]);
  expect(edit('b', 'b', 'a')).toEqual([]);
  expect(edit('c', 'b', 'a')).toEqual(['f']);
});

test('nothing there and null are the same; so are equal documents in another order of keys', () => {
  expect(edit(null, 'b', undefined)).toEqual([]);
  expect(edit('a', 'b', undefined)).toEqual(['f']);
  expect(edit({ a: 1, b: [2] }, null, { b: [2], a: 1 })).toEqual([]);
  expect(edit({ a: 1, b: [2] }, null, { a: 1, b: [3] })).toEqual(['f']);
});

test('only what differs is written', () => {
  expect(missingFields({ current: { a: 1, b: null }, wanted: { a: 1, b: 2 } })).toEqual({ b: 2 });
});
