import { expect, test } from 'vitest';
import { createElementKeys } from './element-keys.ts';

test('in a list of the same each thing keeps its element, and no element goes to another thing', () => {
  const keysOf = createElementKeys();
  const [a, b, c] = keysOf('all', ['a', 'b', 'c']);
  expect(keysOf('all', ['c', 'a', 'b'])).toEqual([c, a, b]);
  const [d, stillB] = keysOf('all', ['d', 'b']);
  expect(stillB).toBe(b);
  expect([a, b, c]).not.toContain(d);
});

test('a list of something else takes the elements that are there, in their places', () => {
  const keysOf = createElementKeys();
  const before = keysOf('all', ['a', 'b', 'c']);
  expect(keysOf('found', ['c', 'x'])).toEqual(before.slice(0, 2));
  const [c, x, more] = keysOf('found', ['c', 'x', 'y']);
  expect([c, x]).toEqual(before.slice(0, 2));
  expect(before.slice(0, 2)).not.toContain(more);
});
