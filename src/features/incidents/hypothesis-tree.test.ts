import { expect, test } from 'vitest';
import { hypothesisTree } from './hypothesis-tree.ts';

const row = (id: string, parent: string | null, type = 'factor') => ({ id, parent_id: parent, type });
const drawn = (rows: ReturnType<typeof row>[]) =>
  hypothesisTree(rows).map(({ row: { id }, depth }) => `${'-'.repeat(depth)}${id}`);

test('children stand below their parent, in the order they came', () => {
  expect(drawn([row('b', 'a'), row('c', 'b'), row('a', null, 'root'), row('d', 'a')])).toEqual([
    'a',
    '-b',
    '--c',
    '-d',
  ]);
});

test('what hung below something deleted moves up beneath the root', () => {
  expect(drawn([row('a', null, 'root'), row('c', 'gone')])).toEqual(['a', '-c']);
});

test('rows that hang below each other are shown all the same, once', () => {
  expect(drawn([row('a', null, 'root'), row('x', 'y'), row('y', 'x')])).toEqual(['a', '-x', '--y']);
});

test('without a root everything stands at the edge', () => {
  expect(drawn([row('x', 'gone')])).toEqual(['x']);
  expect(drawn([])).toEqual([]);
});
