import { describe, expect, test } from 'vitest';
import type { OutboxState } from '../outbox/outbox.ts';
import { outboxItem } from '../outbox/testing/outbox-item.ts';
import type { CommandRequest } from './all-commands.ts';
import { pendingRow } from './pending-row.ts';

const id = '0192d5a4-0000-7000-8000-00000000000a';
const root = '0192d5a4-0000-7000-8000-00000000000b';
const here = { collection: 'incidents', id } as const;

let order = 0;
function item(request: CommandRequest, state?: OutboxState) {
  order += 1;
  return outboxItem(order, request, state);
}

const create = item({ name: 'create_incident', args: { id, rootHypothesisId: root, title: 'Down' } });
const rename = item({ name: 'edit_incident', args: { id, changes: { title: 'Up' } } });
const refused: OutboxState = { kind: 'refused', code: 'gone', message: '', current: null, atMs: 0 };

describe('a row with pending commands', () => {
  test('is there before the server knows it, with later edits on top', () => {
    expect(pendingRow(null, [create, rename], here)).toMatchObject({ title: 'Up', incident_id: '' });
  });

  test('takes what the server made of a new row', () => {
    const fromServer = { id, incident_id: 'INC-7', title: 'Down' };
    expect(pendingRow(fromServer, [create], here)).toMatchObject({ incident_id: 'INC-7', status: 'open' });
  });

  test('shows nothing of a refused command', () => {
    const wrong = { ...rename, state: refused };
    expect(pendingRow({ id, title: 'Down' }, [wrong], here)).toEqual({ id, title: 'Down' });
  });

  test('an edit does not bring back what is gone', () => {
    expect(pendingRow(null, [rename], here)).toBeNull();
  });

  test('an item that this version cannot read shows nothing', () => {
    const unreadable = { ...rename, args: { id: 5 } };
    const unknown = { ...rename, name: 'from_the_future' };
    expect(pendingRow({ id, title: 'Down' }, [unreadable, unknown], here)).toEqual({ id, title: 'Down' });
  });
});
