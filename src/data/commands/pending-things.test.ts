import { expect, test } from 'vitest';
import type { OutboxState } from '../../contract/outbox/outbox.ts';
import type { BulkKind } from '../../domain/bulk/bulk-verbs.ts';
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

test('checks wait with their document, their run and their acknowledgement; integrations with whichever table', () => {
  const kept: OutboxState = { kind: 'kept' };
  const items = [
    {
      name: 'change_thing',
      args: { table: 'canaries', id: 'x', shows: ['a', 'b'], change: { do: 'pause' } },
      state: kept,
    },
    { name: 'run_check', args: { checkId: 'c' }, state: kept },
    { name: 'acknowledge', args: { id: 'y', kind: 'check', resourceId: 'd' }, state: kept },
    { name: 'acknowledge', args: { id: 'z', kind: 'incident', resourceId: 'e' }, state: kept },
    change('f', 'delete'),
  ];
  const verbs = (kind: BulkKind) => [...pendingThings(items, kind)].map(([id, { verb }]) => `${verb} ${id}`);
  expect(verbs('checks')).toEqual(['pause a', 'pause b', 'run c', 'acknowledge d']);
  expect(verbs('incidents')).toEqual(['acknowledge e']);
  expect(verbs('integrations')).toEqual(['delete f']);
  expect(verbs('canaries')).toEqual(['pause x']);
});
