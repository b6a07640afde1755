import { expect, test } from 'vitest';
import { numberIn, pairsIn, textIn } from './columns.ts';

const row = {
  id: 'a',
  name: 'api',
  cost: '1.25',
  count: 3,
  tags: { env: 'prod' },
  labels: { replicas: 2, zone: 'a' },
  gone: null,
};

test('a column of another kind counts as none', () => {
  expect(textIn(row, 'name')).toBe('api');
  expect(textIn(row, 'count')).toBeNull();
  expect(textIn(row, 'gone')).toBeNull();
  expect(textIn(row, 'never-heard-of')).toBeNull();
  expect(numberIn(row, 'tags')).toBe(0);
  expect(numberIn(row, 'gone')).toBe(0);
  expect(pairsIn(row, 'name')).toBeNull();
  expect(pairsIn(row, 'gone')).toBeNull();
});

test('an exact number comes as text and counts as a number', () => {
  expect(numberIn(row, 'cost')).toBe(1.25);
  expect(numberIn(row, 'count')).toBe(3);
});

test('tags are not copied, and a value that is no text is shown as one', () => {
  expect(pairsIn(row, 'tags')).toBe(row.tags);
  expect(pairsIn(row, 'labels')).toEqual({ replicas: '2', zone: 'a' });
});
