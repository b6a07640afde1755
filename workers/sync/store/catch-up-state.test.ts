/** What a device showed, as the catch-up card compares it: read a part at a time, whatever the sizes. */
import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { randomUUID } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { readCatchUpState } from './catch-up-state.ts';
import { openUserStore } from './user-store.ts';

test('all checks, incidents and comments are in it, and no collection is read as a whole', async () => {
  const store = openUserStore({
    storeName: 'holdfast-before',
    idb: new IDBFactory(),
    newId: () => randomUUID(),
    onBroken: (error) => {
      throw error;
    },
  });
  const { checks, incidents, incident_records: records } = store.rows;
  const ids = Array.from({ length: 50 }, () => randomUUID());
  const deletedIds: string[] = [];
  await checks.apply({
    upserts: ids.map((id) => ({ id, name: `check ${id}`, status: 'healthy' })),
    deletedIds,
  });
  const incident = { incident_id: 'INC-1', title: 'Down', status: 'open', created_by: 'ada' };
  await incidents.apply({ upserts: ids.map((id) => ({ ...incident, id })), deletedIds });
  const comment = { kind: 'comment', incident_id: 'one', comment: 'Looks better', created_by: null };
  const kinds = ids.map((id, at) =>
    at % 2 === 0 ? { ...comment, id } : { ...comment, id, kind: 'history' },
  );
  await records.apply({ upserts: kinds, deletedIds });
  const whole = [checks, incidents, records].map((rows) => vi.spyOn(rows, 'loadAll'));

  const state = await readCatchUpState(store);

  expect(new Set(state.checks.keys())).toEqual(new Set(ids));
  expect(state.checks.get(ids[0] ?? '')).toEqual({ name: `check ${ids[0]}`, status: 'healthy' });
  expect(new Set(state.incidents.keys())).toEqual(new Set(ids));
  expect(state.incidents.get(ids[0] ?? '')).toEqual({
    incidentId: 'INC-1',
    title: 'Down',
    status: 'open',
    createdBy: 'ada',
    commanderId: null,
  });
  expect(new Set(state.comments.keys())).toEqual(new Set(ids.filter((_, at) => at % 2 === 0)));
  expect(state.comments.get(ids[0] ?? '')).toEqual({ incidentId: 'one', by: null, text: 'Looks better' });
  for (const spy of whole) expect(spy).not.toHaveBeenCalled();
  await store.close();
});
