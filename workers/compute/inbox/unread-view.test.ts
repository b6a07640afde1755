/** What is new, over real stores and the outbox of a device. */
import 'fake-indexeddb/auto';
import { Dexie } from 'dexie';
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { CollectionName, ReplicatedRow } from '../../../src/contract/collections.ts';
import { OUTBOX, OUTBOX_TABLE, type OutboxItem } from '../../../src/contract/outbox/outbox.ts';
import type { StoreChange } from '../../../src/contract/worker.ts';
import type { UnreadNews } from '../../../src/domain/incident/unread.ts';
import { openKeyValue } from '../../store/key-value.ts';
import { createPackedRowStore } from '../../store/packed-row-store.ts';
import { wholeMark } from '../../store/store-facts.ts';
import { metaDbName, outboxDbName, packedDbName } from '../../store/store-names.ts';
import { createComputeService } from '../compute-service.ts';
import { LIVE_HANDLERS } from '../../../tests/backends/live-query-handlers.ts';

const id = (n: number) => `0192d5a4-0000-7000-8000-${String(n).padStart(12, '0')}`;
const [me, ada, shop, team] = [id(1), id(2), id(3), id(4)];
const at = (second: number) => new Date(second * 1000).toISOString();
const PEOPLE: ReplicatedRow[] = [
  { id: ada, kind: 'person', name: 'Ada' },
  { id: team, kind: 'team', name: 'Payments', members: [me] },
];
const INCIDENT: ReplicatedRow = {
  id: shop,
  incident_id: 'INC-1',
  title: 'Shop is slow',
  created_by: ada,
  commander_id: null,
  communicator_id: null,
};
const CALL: ReplicatedRow = {
  id: id(10),
  kind: 'responder',
  incident_id: shop,
  person_id: null,
  team_id: team,
  created_by: ada,
  created_at: at(10),
};
const said = (n: number): ReplicatedRow => ({
  id: id(n),
  kind: 'comment',
  incident_id: shop,
  comment: `said ${n}`,
  created_by: ada,
  created_at: at(n),
});

async function openDevice(name: string) {
  const meta = openKeyValue(metaDbName(name), indexedDB);
  const keep = async (collection: CollectionName, rows: ReplicatedRow[]) => {
    const store = createPackedRowStore<ReplicatedRow>(
      { name: packedDbName(name, collection), idb: indexedDB },
      { idOf: (row) => row.id, partitionOf: () => '' },
    );
    await store.replaceAll(rows);
    await store.close();
  };
  const outbox = new Dexie(outboxDbName(name));
  outbox.version(1).stores({ [OUTBOX_TABLE]: 'order' });
  await outbox.open();
  const listeners = new Set<(message: unknown) => void>();
  let timers: { atMs: number; run: () => void }[] = [];
  let nowMs = 100_000;
  const service = createComputeService(
    {
      newId: () => randomUUID(),
      now: () => nowMs,
      later: (delayMs, run) => timers.push({ atMs: nowMs + delayMs, run }),
      every: () => {},
      announce: () => {},
      idb: indexedDB,
      listen(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      report: (error) => {
        throw error;
      },
    },
    LIVE_HANDLERS,
  );
  const told: UnreadNews[] = [];
  await service.attach(name);
  const unread = await service.ask('live-unread', { userId: me }, (news) => told.push(structuredClone(news)));
  const pass = (ms: number) => {
    nowMs += ms;
    const due = timers.filter(({ atMs }) => atMs <= nowMs);
    timers = timers.filter(({ atMs }) => atMs > nowMs);
    for (const { run } of due) run();
  };
  let sequence = 0;
  return {
    keep,
    told,
    stop: () => void unread.close(),
    pass,
    markWhole: (collection: CollectionName) => meta.set(wholeMark(collection), true),
    announce(collection: string, upserts: StoreChange['upserts'], isReset = false) {
      sequence += 1;
      for (const listener of listeners)
        listener({ storeName: name, collection, sender: 's', sequence, upserts, deletedIds: [], isReset });
    },
    until: (total: number) =>
      expect
        .poll(() => {
          pass(600);
          return told.at(-1)?.total;
        })
        .toBe(total),
    async close() {
      await unread.close();
      meta.close();
      outbox.close();
    },
  };
}

const markItem: OutboxItem = {
  order: 1,
  commandId: 'command-1',
  name: 'mark_incident_read',
  version: 1,
  args: { id: id(90), incidentId: shop, readAt: at(30) },
  basedOn: null,
  expiresAt: null,
  userId: me,
  atMs: 0,
  touches: [id(90)],
  creates: [],
  failures: 0,
  state: { kind: 'kept' },
};

test('counts what came, by team as well, names who it was, and a mark of this device counts before it is sent', async () => {
  const device = await openDevice('holdfast-unread-1');
  await device.keep('incidents', [INCIDENT]);
  await device.keep('incident_records', [CALL, said(20)]);
  await device.keep('resources', PEOPLE);
  for (const name of ['incidents', 'incident_records', 'resources'] as const) await device.markWhole(name);
  await device.until(2);
  expect(device.told.at(-1)?.news.map(({ kind, byName }) => [kind, byName])).toEqual([
    ['comment', 'Ada'],
    ['responder', 'Ada'],
  ]);
  device.announce('incident_records', [said(30)]);
  await device.until(3);
  expect(device.told.at(-1)?.incidents).toEqual([{ id: shop, count: 3, newestAt: at(30) }]);
  device.announce(OUTBOX, [markItem]);
  await device.until(0);
  expect(device.told.at(-1)?.news).toHaveLength(3);
  await device.close();
});

test('says nothing while only a part was read', async () => {
  const device = await openDevice('holdfast-unread-2');
  await device.keep('incidents', [INCIDENT]);
  await device.keep('incident_records', [CALL, said(20)]);
  for (const name of ['incidents', 'incident_records'] as const) await device.markWhole(name);
  device.pass(1000);
  await new Promise((resolve) => setTimeout(resolve, 200));
  device.pass(1000);
  expect(device.told).toEqual([]);
  await device.keep('resources', PEOPLE);
  await device.markWhole('resources');
  device.announce('resources', [], true);
  await device.until(2);
  await device.close();
});
