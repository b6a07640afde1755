import { expect, test } from 'vitest';
import { shownPause } from './outbox-pause.ts';

test('a sender that has not tried yet is paused by a missing connection', () => {
  expect(shownPause(null, 'offline')).toBe('offline');
  expect(shownPause(null, 'server-unreachable')).toBe('server-unreachable');
  expect(shownPause(null, 'live')).toBeNull();
});

test('what the sender says comes first', () => {
  expect(shownPause('signed-out', 'offline')).toBe('signed-out');
});
