/** Live queries over real stores: what a page hears from the first question on, whatever the store does. */
import 'fake-indexeddb/auto';
import { Dexie } from 'dexie';
import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import type { CollectionName, ReplicatedRow } from '../../../src/contract/collections.ts';
import type { CommandRequest } from '../../../src/contract/commands/all-commands.ts';
import type { LiveFrame, LivePatch, LiveQuestion, LiveRow } from '../../../src/contract/live-query.ts';
import { OUTBOX, OUTBOX_TABLE, type OutboxItem } from '../../../src/contract/outbox/outbox.ts';
import { outboxItem } from '../../../src/contract/outbox/testing/outbox-item.ts';
import type { StoreChange } from '../../../src/contract/worker.ts';
import { openKeyValue } from '../../store/key-value.ts';
import { createPackedRowStore } from '../../store/packed-row-store.ts';
import { isRowsRequest, type RowsRequest } from '../../store/row-requests.ts';
import { rowShape, wholeMark } from '../../store/store-facts.ts';
import { metaDbName, outboxDbName, packedDbName } from '../../store/store-names.ts';
import { loadReader } from './pending-edits.ts';
import { createComputeService } from '../compute-service.ts';
import { LIVE_HANDLERS } from '../../../tests/backends/live-query-handlers.ts';

const QUESTION: LiveQuestion = {
  collection: 'incidents',
  where: [],
  search: '',
  sort: [{ field: 'title', isDescending: false }],
  groupBy: null,
  window: { start: 0, end: 100 },
};
const id = (n: number) => `0192d5a4-0000-7000-8000-${String(n).padStart(12, '0')}`;
const incident = (n: number, over: Partial<ReplicatedRow> = {}): ReplicatedRow => ({
  id: id(n),
  incident_id: `INC-${n}`,
  title: `title ${n}`,
  status: 'open',
  severity: 'low',
  ...over,
});
const byId = { idOf: (row: ReplicatedRow) => row.id, partitionOf: () => '' };

let serial = 0;
const closers: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** A device: stores of one user, a writer that announces, a clock in hand, a service that reads. */
async function setUp() {
  serial += 1;
  const storeName = `holdfast-live-${serial}`;
  const incidents = createPackedRowStore<ReplicatedRow>(
    { name: packedDbName(storeName, 'incidents'), idb: indexedDB },
    byId,
  );
  const configs = createPackedRowStore<ReplicatedRow>(
    { name: packedDbName(storeName, 'configs'), idb: indexedDB },
    byId,
  );
  const meta = openKeyValue(metaDbName(storeName), indexedDB);
  const outboxDb = new Dexie(outboxDbName(storeName));
  outboxDb.version(1).stores({ [OUTBOX_TABLE]: 'order' });
  await outboxDb.open();
  closers.push(
    () => incidents.close(),
    () => configs.close(),
    () => meta.close(),
    () => outboxDb.close(),
  );
  const listeners = new Set<(message: unknown) => void>();
  let timers: { atMs: number; run: () => void }[] = [];
  const errors: unknown[] = [];
  let nowMs = 0;
  let reads = 0;
  const idb = {
    open(name: string) {
      reads += 1;
      return indexedDB.open(name);
    },
  } as IDBFactory;
  const service = createComputeService(
    {
      newId: () => randomUUID(),
      now: () => nowMs,
      later: (delayMs, run) => timers.push({ atMs: nowMs + delayMs, run }),
      every: () => {},
      announce: (message) => {
        for (const listener of listeners) listener(message);
      },
      idb,
      listen(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      report: (error) => errors.push(error),
    },
    LIVE_HANDLERS,
  );
  let sequence = 0;
  let order = 0;
  const announce = (collection: string, part: Partial<StoreChange> = {}) => {
    sequence = part.sequence ?? sequence + 1;
    const rest = { sender: 's', upserts: [], deletedIds: [], isReset: false };
    for (const listener of listeners) listener({ storeName, collection, ...rest, ...part, sequence });
  };
  const item = (request: CommandRequest) => {
    order += 1;
    return outboxItem(order, request);
  };
  return {
    storeName,
    service,
    incidents,
    configs,
    meta,
    errors,
    announce,
    tell: (message: unknown) => {
      for (const listener of listeners) listener(message);
    },
    hear: (listener: (message: unknown) => void) => void listeners.add(listener),
    item,
    keep: (kept: OutboxItem) => outboxDb.table(OUTBOX_TABLE).put(kept),
    reads: () => reads,
    markWhole: (name: CollectionName) => meta.set(`whole:${name}`, true),
    pass(ms: number) {
      nowMs += ms;
      const due = timers.filter(({ atMs }) => atMs <= nowMs);
      timers = timers.filter(({ atMs }) => atMs > nowMs);
      for (const timer of due) timer.run();
    },
  };
}
type World = Awaited<ReturnType<typeof setUp>>;

interface Answer extends LiveFrame {
  rows: LiveRow[];
}

function patched(known: Answer, patch: LivePatch): Answer {
  const byId = new Map([...known.rows, ...(patch.rows ?? [])].map((row) => [row.id, row]));
  const ids = patch.order?.ids ?? known.rows.map((row) => row.id);
  return { ...known, ...patch.frame, rows: ids.map((one) => byId.get(one)!) };
}

/** Takes patches as the page does. */
async function ask(world: World, question: Partial<LiveQuestion> = {}) {
  const patches: LivePatch[] = [];
  let answer: Answer = { isLoaded: false, total: 0, groups: [], rows: [] };
  const handle = await world.service.ask('live-rows', { ...QUESTION, ...question }, (patch) => {
    // As it comes through a worker's port.
    patches.push(structuredClone(patch));
    answer = patched(answer, patch);
  });
  return {
    handle,
    patches,
    answer: () => answer,
    titles: () => answer.rows.map(({ row }) => row.title),
    loaded: () =>
      expect
        .poll(() => {
          world.pass(60);
          return answer.isLoaded;
        })
        .toBe(true),
  };
}

async function withIncidents(...rows: ReplicatedRow[]) {
  const world = await setUp();
  await world.incidents.replaceAll(rows);
  await world.markWhole('incidents');
  await world.service.attach(world.storeName);
  const query = await ask(world);
  await query.loaded();
  return { world, query };
}

describe('a live query', () => {
  test('says that it has not looked yet, then answers from the store', async () => {
    const world = await setUp();
    await world.incidents.replaceAll([incident(2), incident(1)]);
    await world.markWhole('incidents');
    const query = await ask(world);
    expect(query.answer().isLoaded).toBe(false);
    await world.service.attach(world.storeName);
    await query.loaded();
    expect(query.titles()).toEqual(['title 1', 'title 2']);
    expect(world.errors).toEqual([]);
  });

  test('all that pass are found, beyond any window, with what of them is asked; nothing before it is known', async () => {
    const many = Array.from({ length: 250 }, (_, at) => incident(at + 1));
    const world = await setUp();
    expect(() => world.service.findRows(QUESTION, ['title'])).toThrow();
    await world.incidents.replaceAll(many);
    await world.markWhole('incidents');
    await world.service.attach(world.storeName);
    const query = await ask(world);
    await query.loaded();
    const found = world.service.findRows(QUESTION, ['title']);
    expect(found).toHaveLength(250);
    expect(found.map(({ id }) => id)).toEqual(expect.arrayContaining(many.map(({ id }) => id)));
    expect(Object.keys(found[0] ?? {}).toSorted()).toEqual(['id', 'title']);
    const one = { ...QUESTION, where: [{ field: 'title', op: 'eq' as const, value: 'title 7' }] };
    expect(world.service.findRows(one, ['title'])).toEqual([{ id: incident(7).id, title: 'title 7' }]);
  });

  test('a first load that is unfinished is not shown as all there is', async () => {
    const world = await setUp();
    await world.incidents.replaceAll([incident(1)]);
    await world.service.attach(world.storeName);
    const query = await ask(world);
    world.announce('incidents', { upserts: [incident(2)] });
    await new Promise((resolve) => setTimeout(resolve, 100));
    world.announce('incidents', { upserts: [incident(3)] });
    world.pass(60);
    expect(query.answer()).toMatchObject({ isLoaded: false, total: 0 });
    await world.markWhole('incidents');
    world.announce('incidents', { isReset: true });
    await query.loaded();
    expect(query.titles()).toEqual(['title 1']);
  });

  test('only the row that changed is sent again', async () => {
    const { world, query } = await withIncidents(incident(1), incident(2), incident(3));
    const before = query.patches.length;
    world.announce('incidents', { upserts: [incident(2, { status: 'closed' })] });
    world.pass(60);
    expect(query.patches.slice(before)).toEqual([
      { generation: 0, rows: [{ id: id(2), row: incident(2, { status: 'closed' }), pending: 'none' }] },
    ]);
    world.announce('incidents', { upserts: [incident(2, { status: 'closed' })] });
    world.pass(60);
    expect(query.patches.length).toBe(before + 1);
    world.announce('incidents', { deletedIds: [id(1)] });
    world.pass(60);
    expect(query.patches.at(-1)).toEqual({
      generation: 0,
      frame: { isLoaded: true, total: 2, groups: [] },
      order: { start: 0, ids: [id(2), id(3)] },
    });
  });

  test('a bulk of changes is a few answers, not one each', async () => {
    const { world, query } = await withIncidents(incident(1));
    const before = query.patches.length;
    for (let n = 10; n < 60; n += 1) world.announce('incidents', { upserts: [incident(n)] });
    world.pass(60);
    expect(query.patches.length - before).toBeLessThanOrEqual(2);
    expect(query.answer().total).toBe(51);
  });

  test('a change of a row that does not pass is no news', async () => {
    const { world } = await withIncidents(incident(1), incident(2, { status: 'closed' }));
    const open = await ask(world, { where: [{ field: 'status', op: 'eq', value: 'open' }] });
    world.announce('incidents', { upserts: [incident(2, { status: 'closed', title: 'other' })] });
    world.pass(60);
    expect(open.patches.length).toBe(1);
    world.announce('incidents', { upserts: [incident(2, { title: 'other' })] });
    world.pass(60);
    expect(open.titles()).toEqual(['other', 'title 1']);
  });

  test('reads the store again after a gap, and after everything was replaced', async () => {
    const { world, query } = await withIncidents(incident(1));
    world.announce('incidents', { upserts: [incident(2)] });
    await world.incidents.apply({ upserts: [incident(2), incident(3)], deletedIds: [id(1)] });
    world.announce('checks', { sequence: 9 });
    await expect
      .poll(() => {
        world.pass(60);
        return query.titles();
      })
      .toEqual(['title 2', 'title 3']);
    await world.incidents.replaceAll([incident(3), incident(4)]);
    const before = query.patches.length;
    world.announce('incidents', { isReset: true });
    await expect
      .poll(() => {
        world.pass(60);
        return query.titles();
      })
      .toEqual(['title 3', 'title 4']);
    const resent = query.patches.slice(before).flatMap((patch) => patch.rows ?? []);
    expect(resent.map((row) => row.id)).toEqual([id(4)]);
  });

  test('what comes while the store is being read is not lost', async () => {
    const world = await setUp();
    await world.incidents.replaceAll([incident(1)]);
    await world.markWhole('incidents');
    const query = await ask(world);
    await world.service.attach(world.storeName);
    world.announce('incidents', { upserts: [incident(9)] });
    await query.loaded();
    world.pass(60);
    expect(query.titles()).toEqual(['title 1', 'title 9']);
  });

  test('another question is answered before the call returns, without rows that are known', async () => {
    const rows = Array.from({ length: 30 }, (_, at) => incident(at + 10));
    const { query } = await withIncidents(...rows);
    await query.handle.update({ ...QUESTION, window: { start: 0, end: 10 } }, 1);
    const before = query.patches.length;
    const moved = query.handle.update({ ...QUESTION, window: { start: 5, end: 15 } }, 2);
    const [patch] = query.patches.slice(before);
    expect(patch).toMatchObject({ generation: 2, order: { start: 5 } });
    expect(patch?.rows?.length).toBe(5);
    await moved;
    await query.handle.update({ ...QUESTION, window: { start: 5, end: 15 } }, 3);
    expect(query.patches.at(-1)).toEqual({ generation: 3 });
    await expect(query.handle.update({ ...QUESTION, search: 5 } as never, 4)).rejects.toMatchObject({
      code: 'invalid',
    });
  });

  test('moves to another collection, packed ones too, and back', async () => {
    const { world, query } = await withIncidents(incident(1));
    await world.configs.replaceAll([
      { id: 'c1', title: 'kept' },
      { id: 'c2', title: 'old' },
    ]);
    await world.configs.apply({ upserts: [{ id: 'c3', title: 'new' }], deletedIds: ['c2'] });
    await world.markWhole('configs');
    await query.handle.update({ ...QUESTION, collection: 'configs' }, 1);
    await query.loaded();
    expect(query.titles()).toEqual(['kept', 'new']);
    await query.handle.update(QUESTION, 2);
    expect(query.titles()).toEqual(['title 1']);
  });

  test('the checks are read from the rows that their announcements follow', async () => {
    const { world, query } = await withIncidents();
    const place = { name: packedDbName(world.storeName, 'checks'), idb: indexedDB };
    const boot = createPackedRowStore<ReplicatedRow>(place, rowShape);
    closers.push(() => boot.close());
    await query.handle.update({ ...QUESTION, collection: 'checks' }, 1);
    await boot.replaceAll([{ id: 'c1', title: 'ping' }]);
    await world.meta.set(wholeMark('checks'), true);
    world.announce('checks', { isReset: true });
    await query.loaded();
    expect(query.titles()).toEqual(['ping']);
  });

  test('rows in RxDB are asked of the worker that keeps them, again until it answers', async () => {
    const { world, query } = await withIncidents();
    const asked: RowsRequest[] = [];
    world.hear((message) => {
      if (isRowsRequest(message, world.storeName)) asked.push(message);
    });
    await query.handle.update({ ...QUESTION, collection: 'playbooks' }, 1);
    expect(asked).toMatchObject([{ collection: 'playbooks' }]);
    world.pass(1000);
    expect(asked.length).toBeGreaterThan(1);
    const rows = [{ id: 'p1', title: 'restart' }];
    // One of another time says nothing.
    world.tell({ type: 'rows-answer', id: 'another', isWhole: true, rows: [] });
    world.tell({ type: 'rows-answer', id: asked[0]?.id, isWhole: true, rows });
    world.announce('playbooks', { upserts: [{ id: 'p2', title: 'scale' }] });
    await query.loaded();
    await expect.poll(() => query.titles()).toEqual(['restart', 'scale']);
    const count = asked.length;
    world.pass(1000);
    expect(asked.length).toBe(count);
  });

  test('a closed query hears nothing more, and its collection is let go after a minute', async () => {
    const { world, query } = await withIncidents(incident(1));
    await query.handle.close();
    const [heard, reads] = [query.patches.length, world.reads()];
    world.announce('incidents', { upserts: [incident(2)] });
    world.pass(59_000);
    const soon = await ask(world);
    expect(soon.titles()).toEqual(['title 1', 'title 2']);
    expect(world.reads()).toBe(reads);
    await soon.handle.close();
    world.pass(2000);
    expect((await ask(world)).answer().isLoaded).toBe(true);
    const late = await ask(world);
    await late.handle.close();
    expect(query.patches.length).toBe(heard);
  });

  test('a collection that nobody asked about for a minute is read anew', async () => {
    const { world, query } = await withIncidents(incident(1));
    await query.handle.close();
    world.pass(61_000);
    await world.incidents.apply({ upserts: [incident(2)], deletedIds: [] });
    const late = await ask(world);
    expect(late.answer().isLoaded).toBe(false);
    await late.loaded();
    expect(late.titles()).toEqual(['title 1', 'title 2']);
  });

  test('another user sees nothing of the one before', async () => {
    const { world, query } = await withIncidents(incident(1));
    await world.service.attach('holdfast-someone-else');
    expect(query.answer()).toMatchObject({ isLoaded: false, total: 0, rows: [] });
    await world.service.detach();
    await world.service.attach(world.storeName);
    await query.loaded();
    expect(query.titles()).toEqual(['title 1']);
  });
});

/** What reads commands is there by then. */
async function aWhileAfter(world: World): Promise<void> {
  world.pass(1500);
  await loadReader();
}

describe('a pending command', () => {
  const rename = { name: 'edit_incident', args: { id: id(1), changes: { title: 'mine' } } } as const;

  test('that was kept before this start shows from the first answer on', async () => {
    const world = await setUp();
    await world.incidents.replaceAll([incident(1)]);
    await world.markWhole('incidents');
    await world.keep(world.item(rename));
    await world.keep({ ...world.item(rename), name: 5 } as never);
    await world.service.attach(world.storeName);
    const query = await ask(world);
    await query.loaded();
    expect(query.answer().rows).toMatchObject([{ row: { title: 'mine', severity: 'low' }, pending: 'kept' }]);
  });

  test('shows at once, follows its state, and gives way to the server', async () => {
    const { world, query } = await withIncidents(incident(1));
    await aWhileAfter(world);
    // Within the pace at which changes from the server are told.
    world.announce('incidents', { upserts: [incident(5)] });
    const kept = world.item(rename);
    world.announce(OUTBOX, { upserts: [kept] });
    const first = () => query.answer().rows.find((row) => row.id === id(1));
    expect(first()).toMatchObject({ row: { title: 'mine' }, pending: 'kept' });
    world.announce(OUTBOX, { upserts: [{ ...kept, state: { kind: 'sent', seq: 1 } }] });
    expect(first()).toMatchObject({ row: { title: 'mine' }, pending: 'sent' });
    world.announce('incidents', { upserts: [incident(1, { title: 'theirs', severity: 'high' })] });
    world.pass(60);
    expect(first()).toMatchObject({ row: { title: 'mine', severity: 'high' }, pending: 'sent' });
    world.announce(OUTBOX, { upserts: [{ ...kept, state: { kind: 'accepted', position: 'e.1' } }] });
    expect(first()).toMatchObject({ pending: 'sent' });
    world.announce(OUTBOX, { deletedIds: [kept.commandId] });
    expect(first()).toMatchObject({ row: { title: 'theirs' }, pending: 'none' });
  });

  test('that is refused shows no more', async () => {
    const { world, query } = await withIncidents(incident(1));
    await aWhileAfter(world);
    const kept = world.item(rename);
    world.announce(OUTBOX, { upserts: [kept] });
    expect(query.titles()).toEqual(['mine']);
    const state = { kind: 'refused', code: 'gone', message: '', current: null, atMs: 0 } as const;
    world.announce(OUTBOX, { upserts: [{ ...kept, state }] });
    expect(query.titles()).toEqual(['title 1']);
  });

  test('makes a row that can be found before the server knows it, even before the first load', async () => {
    const world = await setUp();
    await world.service.attach(world.storeName);
    const query = await ask(world, { where: [{ field: 'id', op: 'eq', value: id(7) }] });
    const create = world.item({
      name: 'create_incident',
      args: { id: id(7), rootHypothesisId: id(8), title: 'Down' },
    });
    world.announce(OUTBOX, { upserts: [create] });
    await expect.poll(() => query.titles()).toEqual(['Down']);
    expect(query.answer()).toMatchObject({ isLoaded: false, rows: [{ pending: 'kept' }] });
    const records = await ask(world, { collection: 'incident_records' });
    expect(records.answer().rows).toMatchObject([{ row: { kind: 'hypothesis', incident_id: id(7) } }]);
  });

  test('is not lost with a gap: the outbox is read again', async () => {
    const { world, query } = await withIncidents(incident(1));
    world.announce('checks');
    await world.keep(world.item(rename));
    world.announce('checks', { sequence: 7 });
    await expect
      .poll(() => {
        world.pass(60);
        return query.titles();
      })
      .toEqual(['mine']);
  });
});
