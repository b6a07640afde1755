import { expect, test } from 'vitest';
import type { OutboxItem } from '../../../../src/contract/outbox/outbox.ts';
import { ItemReader } from './item-reader.ts';
import { readStoredItem, toStored } from './stored-item.ts';

const item: OutboxItem = {
  order: 3,
  commandId: 'c',
  name: 'run_check',
  version: 1,
  args: { checkId: 'x' },
  basedOn: null,
  expiresAt: null,
  userId: 'u',
  atMs: 1,
  touches: ['x'],
  creates: [],
  failures: 0,
  state: { kind: 'kept' },
};

test('what is read again is what parsing it would give, whatever was read under its number before', () => {
  const reader = new ItemReader();
  const forms: unknown[] = [
    toStored(item),
    toStored(item),
    toStored({ ...item, failures: 1 }),
    toStored({ ...item, state: { kind: 'kept', mayHaveArrived: true } }),
    toStored({ ...item, state: { kind: 'sent', seq: 1 } }),
    toStored({ ...item, state: { kind: 'sent', seq: 2 } }),
    toStored({ ...item, state: { kind: 'accepted', position: null } }),
    toStored({ ...item, commandId: 'another', args: {} }),
    { ...item, itemVersion: 0 },
    { ...item, itemVersion: 99 },
    { order: 3, commandId: 'c', name: 'broken' },
    toStored(item),
    toStored({ ...item, state: { kind: 'refused', code: 'gone', message: '1', current: null, atMs: 2 } }),
    toStored({ ...item, state: { kind: 'refused', code: 'gone', message: '2', current: null, atMs: 2 } }),
  ];
  for (const raw of forms) expect(reader.read(raw)).toEqual(readStoredItem(raw));
});

test('what waits is parsed once', () => {
  const reader = new ItemReader();
  expect(reader.read(toStored(item)).item).toBe(reader.read(toStored(item)).item);
});
