import { expect, test } from 'vitest';
import { heapOf, outboxCounts } from './outbox-counts.ts';

test('what may have arrived is never counted as kept on this device only', () => {
  expect(heapOf({ state: { kind: 'kept' } })).toBe('kept');
  expect(heapOf({ state: { kind: 'kept', mayHaveArrived: true } })).toBe('sending');
  expect(heapOf({ state: { kind: 'sent' } })).toBe('sending');
});

test('what the server did but this device has not seen yet still counts as sending', () => {
  const items = (['accepted', 'sent', 'refused', 'kept'] as const).map((kind) => ({ state: { kind } }));
  expect(outboxCounts(items)).toEqual({ kept: 1, sending: 2, refused: 1 });
});

test('an empty outbox counts nothing', () => {
  expect(outboxCounts([])).toEqual({ kept: 0, sending: 0, refused: 0 });
});
