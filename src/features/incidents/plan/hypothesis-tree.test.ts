import { expect, test } from 'vitest';
import { hypothesisTree, typeBelow, unfolded, withDescendants } from './hypothesis-tree.ts';

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

const FAMILY = hypothesisTree([
  row('a', null, 'root'),
  row('b', 'a'),
  row('c', 'b', 'solution'),
  row('d', 'a'),
  row('e', 'gone'),
]);

test('a folded branch hides everything below it and nothing else', () => {
  const seen = (...folded: string[]) => unfolded(FAMILY, new Set(folded)).map((node) => node.row.id);
  expect(seen()).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect(seen('b')).toEqual(['a', 'b', 'd', 'e']);
  expect(seen('a')).toEqual(['a']);
  expect(seen('a', 'b')).toEqual(['a']);
});

test('a hypothesis with everything below it is what it cannot be moved below', () => {
  expect([...withDescendants(FAMILY, 'b')]).toEqual(['b', 'c']);
  expect([...withDescendants(FAMILY, 'a')]).toEqual(['a', 'b', 'c', 'd', 'e']);
});

test('below a root stand factors, below factors solutions, and below those nothing', () => {
  expect(['root', 'factor', 'solution', 'else'].map(typeBelow)).toEqual(['factor', 'solution', null, null]);
});
