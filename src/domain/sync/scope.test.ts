import { expect, test } from 'vitest';
import { isOutOfScope, oldestFirst } from './scope.ts';

const NOW = Date.parse('2024-06-30T00:00:00Z');
const daysAgo = (days: number) => new Date(NOW - days * 86_400_000).toISOString();

test.each([
  ['incidents', { closed: daysAgo(89) }, false],
  ['incidents', { closed: daysAgo(91) }, true],
  ['incidents', { closed: null, created_at: daysAgo(400) }, false],
  ['config_changes', { created_at: daysAgo(8) }, true],
  ['job_histories', { created_at: daysAgo(1) }, false],
  ['job_histories', { created_at: daysAgo(3) }, true],
  ['configs', { deleted_at: daysAgo(8) }, true],
  ['configs', { deleted_at: null }, false],
  ['components', { created_at: daysAgo(4000) }, false],
])('%s %o is out of scope: %s', (collection, row, isOut) => {
  expect(isOutOfScope(collection, row, NOW)).toBe(isOut);
});

test('what changed longest ago goes first; what has no time goes before it', () => {
  const rows = [{ id: 'a', updated_at: daysAgo(1) }, { id: 'b', created_at: daysAgo(5) }, { id: 'c' }];
  expect(oldestFirst(rows).map(({ id }) => id)).toEqual(['c', 'b', 'a']);
});
