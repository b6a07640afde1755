import { expect, test } from 'vitest';
import { heapOf, outboxCounts } from './outbox-counts.ts';

test('what may have arrived is never counted as kept on this device only', () => {
  expect(heapOf({ state: { kind: 'kept' } })).toBe('kept');
  expect(heapOf({ state: { kind: 'kept', mayHaveArrived: true } })).toBe('sending');
  expect(heapOf({ state: { kind: 'sent' } })).toBe('sending');
});

test('what the server did but this device has not seen yet still counts as sending', () => {
  const items = (['accepted', 'sent', 'refused', 'kept'] as const).map((kind) => ({ state: { kind } }));
  expect(outboxCounts(items)).toEqual({ kept: 1, sending: 2, refused: 1, prepared: 0 });
});

test('an empty outbox counts nothing', () => {
  expect(outboxCounts([])).toEqual({ kept: 0, sending: 0, refused: 0, prepared: 0 });
});

test('a run that nobody confirmed waits for the user, and was refused by nobody', () => {
  const items = [{ state: { kind: 'refused' as const, code: 'unconfirmed' } }];
  expect(outboxCounts(items)).toEqual({ kept: 0, sending: 0, refused: 0, prepared: 1 });
});
