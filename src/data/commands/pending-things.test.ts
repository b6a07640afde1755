import { expect, test } from 'vitest';
import type { OutboxState } from '../../contract/outbox.ts';
import { pendingThings } from './pending-things.ts';

const change = (id: string, verb: string, state: OutboxState = { kind: 'kept' }) => ({
  name: 'change_thing',
  args: { table: 'topologies', id, change: { do: verb } },
  state,
});

test('what waits for a thing is the last that was asked for, until the server has answered', () => {
  const refused: OutboxState = { kind: 'refused', code: 'gone', message: '', current: null, atMs: 0 };
  const items = [
    change('a', 'pause'),
    change('a', 'resume', { kind: 'sent', seq: 1 }),
    change('b', 'delete', { kind: 'accepted', position: null }),
    change('c', 'delete', refused),
    change('d', 'a verb of a newer version'),
    { ...change('e', 'pause'), args: { table: 'agents', id: 'e', change: { do: 'pause' } } },
    { ...change('f', ''), name: 'run_thing', args: { table: 'topologies', id: 'f' } },
    { ...change('g', 'pause'), args: null },
  ];
  expect([...pendingThings(items, 'topologies')]).toEqual([
    ['a', { verb: 'resume', state: 'sent' }],
    ['f', { verb: 'run', state: 'kept' }],
  ]);
});
