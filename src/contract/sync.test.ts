import { expect, test } from 'vitest';
import { isAtOrAfter } from './sync.ts';

test('a cursor has seen what lies at or before it', () => {
  expect(isAtOrAfter('e.5', 'e.5')).toBe(true);
  expect(isAtOrAfter('e.10', 'e.9')).toBe(true);
  expect(isAtOrAfter('e.4', 'e.5')).toBe(false);
});

test('what was done in another epoch does not count as seen', () => {
  expect(isAtOrAfter('new.501', 'old.500')).toBe(false);
  expect(isAtOrAfter('old.500', 'new.1')).toBe(false);
});
