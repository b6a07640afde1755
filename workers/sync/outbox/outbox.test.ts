/** What the outbox promises to whoever writes: durable or refused, shown as it is, never lost (laws 4 to 9, 14, 15). */
import 'fake-indexeddb/auto';
import { Dexie } from 'dexie';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { CommandRequest } from '../../../src/contract/commands/all-commands.ts';
import {
  OUTBOX,
  OUTBOX_SAVING,
  type OutboxItem,
  type OutboxState,
  type OutboxView,
} from '../../../src/contract/outbox.ts';
import type { StoreChange } from '../../../src/contract/worker.ts';
import { createCommandBackend } from '../../../tests/backends/command-backend.ts';
import { guid } from '../../../tests/backends/guid.ts';
import { createDevice, createTestClock, STORE_NAME } from '../../../tests/backends/outbox-device.ts';
import { outboxDbName, storeNameOf } from '../../store/store-names.ts';
import { storageError } from './storage-error.ts';
import { ITEM_VERSION, readStoredItem } from './stored-item.ts';

const [incident, root] = [guid(1), guid(2)];
const create: CommandRequest = {
  name: 'create_incident',
  args: { id: incident, rootHypothesisId: root, title: 'Down' },
};
function rename(title: string): CommandRequest {
  return { name: 'edit_incident', args: { id: incident, changes: { title } } };
}
function comment(n: number): CommandRequest {
  return { name: 'add_comment', args: { id: guid(n), incidentId: incident, comment: `comment ${n}` } };
}

function setup() {
  const clock = createTestClock();
  const backend = createCommandBackend(clock.now);
  const device = createDevice({ fetch: (url, init) => backend.fetch(url, init), clock });
  const worker = device.open();
  const { outbox } = worker;
  const write = async (request: CommandRequest) => (await outbox.append(request, device.context())).commandId;
  const redo = async (commandId: string) => (await outbox.redo(commandId, device.context())).commandId;
  const states = async () => (await outbox.items()).map(({ state }) => state);
  const drain = async () => {
    const run = await worker.start();
    await clock.runUntil(async () =>
      (await states()).every(({ kind }) => kind !== 'kept' && kind !== 'sent'),
    );
    await run.stop();
  };
  const raw = async <T>(work: (db: Dexie) => Promise<T>): Promise<T> => {
    const db = new Dexie(outboxDbName(STORE_NAME), { indexedDB: device.idb, IDBKeyRange });
    await db.open();
    try {
      return await work(db);
    } finally {
      db.close();
    }
  };
  return { clock, backend, device, worker, outbox, write, redo, states, drain, raw };
}

afterEach(() => void vi.restoreAllMocks());

function refuse(
  code: 'forbidden' | 'precondition_failed' | 'gone',
  current: Record<string, unknown> | null = null,
) {
  return { kind: 'refused', code, message: 'no', current } as const;
}

test('what was written about a thing carries the name that it had, for when it is gone', async () => {
  const { write, outbox } = setup();
  await write(create);
  await write(comment(3));
  await write(rename('Up'));
  await write(comment(4));
  expect((await outbox.items()).map(({ about }) => about)).toEqual([undefined, 'Down', 'Down', 'Up']);
});

describe('writing', () => {
  test('what resolved is there after a crash', async () => {
    const { write, device } = setup();
    const id = await write(create);
    expect((await device.open().outbox.items()).map(({ commandId }) => commandId)).toEqual([id]);
  });

  test('what the user did is one transaction of the strict kind; what became of it needs none', async () => {
    const spy = vi.spyOn(IDBDatabase.prototype, 'transaction');
    const kinds = () => {
      const writes = spy.mock.calls.filter(([, mode]) => mode === 'readwrite');
      spy.mockClear();
      return writes.map(([, , options]) => options?.durability);
    };
    const { write, drain, outbox, backend } = setup();
    await write(create);
    expect(kinds()).toEqual(['strict']);
    await drain();
    await outbox.seen(backend.head());
    expect(new Set(kinds())).toEqual(new Set(['relaxed']));
    const commandId = await write(comment(4));
    await outbox.drop(commandId);
    expect(kinds()).toEqual(['strict', 'strict']);
  });

  test('a full device refuses the write, visibly, and keeps what was there', async () => {
    const { write, outbox } = setup();
    await write(create);
    vi.spyOn(IDBObjectStore.prototype, 'add').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError');
    });
    await expect(write(comment(4))).rejects.toMatchObject({ code: 'quota' });
    vi.restoreAllMocks();
    expect(await outbox.items()).toHaveLength(1);
    await write(comment(5));
    expect(await outbox.items()).toHaveLength(2);
  });

  test('readers hear of a command before it is durable, and when it never will be', async () => {
    const { write, device, outbox } = setup();
    const heard: [string, string[], string[]][] = [];
    device.listen((message) => {
      const { collection, upserts, deletedIds } = message as StoreChange;
      heard.push([collection, (upserts as OutboxItem[]).map(({ commandId }) => commandId), deletedIds]);
    });
    const kept = await write(create);
    expect(heard).toEqual([
      [OUTBOX_SAVING, [kept], []],
      [OUTBOX, [kept], []],
    ]);
    heard.length = 0;
    vi.spyOn(IDBObjectStore.prototype, 'add').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError');
    });
    await expect(write(comment(4))).rejects.toMatchObject({ code: 'quota' });
    vi.restoreAllMocks();
    const [saving] = heard[0]?.[1] ?? [];
    expect(heard).toEqual([
      [OUTBOX_SAVING, [saving], []],
      [OUTBOX_SAVING, [], [saving]],
    ]);
    expect(await outbox.items()).toHaveLength(1);
  });

  test('a full device is told apart also when the browser only aborts the transaction', () => {
    const full = new DOMException('full', 'QuotaExceededError');
    expect(storageError(new Dexie.AbortError('aborted', full)).code).toBe('quota');
    expect(storageError(new Dexie.AbortError('aborted')).code).toBe('storage');
  });

  test('wrong arguments are refused before anything is kept', async () => {
    const { write, outbox } = setup();
    await expect(write({ name: 'run_check', args: { checkId: 'x' } })).rejects.toMatchObject({
      code: 'invalid',
    });
    expect(await outbox.items()).toEqual([]);
  });

  test('an edit stands on what its author saw: the row with the pending edits on top', async () => {
    const { write, outbox, device } = setup();
    device.rows.set(incident, { id: incident, title: 'Down', severity: 'low' });
    await write(rename('Slow'));
    await write(rename('Up'));
    const items = await outbox.items();
    expect(items.map(({ basedOn }) => basedOn)).toEqual([{ title: 'Down' }, { title: 'Slow' }]);
  });

  test('an edit of something made offline stands on what was made', async () => {
    const { write, outbox } = setup();
    await write(create);
    await write(rename('Up'));
    expect((await outbox.items())[1]?.basedOn).toEqual({ title: 'Down' });
  });

  test('an edit whose forerunner leaves the outbox while the row is read still stands on it', async () => {
    const { write, outbox, device, drain, backend } = setup();
    device.rows.set(incident, { id: incident, title: 'Down' });
    await write(rename('Slow'));
    await drain();
    const old = { id: incident, title: 'Down' };
    const context = {
      ...device.context(),
      readRow: async () => {
        await outbox.seen(backend.head());
        return old;
      },
    };
    await outbox.append(rename('Up'), context);
    expect((await outbox.items()).at(-1)?.basedOn).toEqual({ title: 'Slow' });
  });

  test('only what acts outside expires, two minutes after it was written on the server clock', async () => {
    const { write, outbox, clock } = setup();
    await write(create);
    await write({ name: 'run_check', args: { checkId: guid(9) } });
    const at = new Date(clock.now() + 120_000).toISOString();
    expect((await outbox.items()).map(({ expiresAt }) => expiresAt)).toEqual([null, at]);
  });

  test('every tab sees what any tab wrote', async () => {
    const { write, device, clock } = setup();
    const views: OutboxView[] = [];
    const stop = device.open().outbox.subscribe((view) => views.push(view));
    await clock.runUntil(() => views.length > 0, 0);
    const id = await write(create);
    await clock.runUntil(() => views.length > 1, 0);
    stop();
    await write(comment(4));
    await clock.runUntil(() => false, 0);
    expect(views.map(({ items }) => items.map(({ commandId }) => commandId))).toEqual([[], [id]]);
  });

  test('another user of the browser has another outbox', () => {
    const [mine, theirs] = ['me', 'you'].map((user) => outboxDbName(storeNameOf('https://h', user)));
    expect(mine).not.toBe(theirs);
  });
});

describe('seen', () => {
  test('a command leaves when the feed has passed it, not when the server said yes', async () => {
    const { write, drain, outbox, backend, states } = setup();
    await write(create);
    const before = backend.head();
    await drain();
    await outbox.seen(before);
    expect((await states()).map(({ kind }) => kind)).toEqual(['accepted']);
    await outbox.seen(backend.head());
    expect(await states()).toEqual([]);
  });

  test('what the feed brought before the answer came leaves with the answer', async () => {
    const { write, drain, outbox, backend, states } = setup();
    await write(create);
    const answer = backend.fetch;
    backend.fetch = async (url, init) => {
      const response = await answer(url, init);
      // The stream is quicker, and has nothing more to tell afterwards.
      await outbox.seen(backend.head());
      return response;
    };
    await drain();
    expect(await states()).toEqual([]);
  });

  test('what was done in a database that was replaced is offered again, and done there once', async () => {
    const { write, drain, outbox, backend, states } = setup();
    const id = await write(create);
    await drain();
    backend.forget();
    backend.epoch = 'e2';
    await outbox.seen(backend.head());
    expect(await states()).toEqual([{ kind: 'kept', mayHaveArrived: true }]);
    await drain();
    expect(backend.effects.map(({ commandId }) => commandId)).toEqual([id, id]);
    await outbox.seen(backend.head());
    expect(await states()).toEqual([]);
  });
});

describe('taking out', () => {
  test('what was kept or refused goes; what may have arrived stays', async () => {
    const { write, outbox, drain, backend, states } = setup();
    const kept = await write(comment(4));
    await outbox.drop(kept);
    backend.judge = () => refuse('forbidden');
    const refused = await write(comment(5));
    await drain();
    await outbox.drop(refused);
    expect(await states()).toEqual([]);
    const sent = await write(comment(6));
    const epoch = await outbox.claim();
    const [item] = await outbox.items();
    await outbox.number([item?.order ?? 0], epoch);
    await expect(outbox.drop(sent)).rejects.toMatchObject({ code: 'conflict' });
    await outbox.newDevice(epoch);
    await expect(outbox.drop(sent)).rejects.toMatchObject({ code: 'conflict' });
    expect(await states()).toEqual([{ kind: 'kept', mayHaveArrived: true }]);
    await expect(outbox.drop('nothing')).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('doing it again', () => {
  test('a refused edit becomes a new command on the values that the server has now', async () => {
    const { write, redo, drain, backend, outbox, device, states } = setup();
    device.rows.set(incident, { id: incident, title: 'Down' });
    const first = await write(rename('Up'));
    backend.judge = () => refuse('precondition_failed', { title: 'Theirs' });
    await drain();
    expect((await states())[0]).toMatchObject({ kind: 'refused', current: { title: 'Theirs' } });
    backend.judge = () => null;
    const again = await redo(first);
    expect(again).not.toBe(first);
    const [item] = await outbox.items();
    expect(item).toMatchObject({ commandId: again, basedOn: { title: 'Theirs' }, state: { kind: 'kept' } });
    await drain();
    expect(backend.effects.map(({ commandId }) => commandId)).toEqual([again]);
  });

  test('a refused status is set again from the one that the server has', async () => {
    const { write, redo, drain, backend, outbox } = setup();
    const args = { id: incident, from: 'open', to: 'resolved' } as const;
    const first = await write({ name: 'set_incident_status', args });
    backend.judge = () => refuse('precondition_failed', { status: 'mitigated' });
    await drain();
    await redo(first);
    expect((await outbox.items())[0]?.args).toEqual({ ...args, from: 'mitigated' });
  });

  test('what an incident was to contain goes again together with it, in order', async () => {
    const { write, redo, drain, backend, outbox } = setup();
    const first = await write(create);
    const edit = await write(rename('Up'));
    const later = await write(comment(4));
    backend.judge = ({ commandId }) => (commandId === first ? refuse('forbidden') : refuse('gone'));
    await drain();
    await expect(redo(later)).rejects.toMatchObject({ code: 'conflict' });
    backend.judge = () => null;
    await redo(first);
    expect((await outbox.items()).map(({ name, basedOn }) => [name, basedOn])).toEqual([
      ['create_incident', null],
      ['edit_incident', { title: 'Down' }],
      ['add_comment', null],
    ]);
    await drain();
    expect(backend.effects.map(({ name }) => name)).toEqual([
      'create_incident',
      'edit_incident',
      'add_comment',
    ]);
    expect(backend.effects.some(({ commandId }) => commandId === edit)).toBe(false);
  });

  test('two tabs that redo the same make one command', async () => {
    const { write, drain, backend, device, outbox } = setup();
    const id = await write(comment(4));
    backend.judge = () => refuse('forbidden');
    await drain();
    const both = await Promise.allSettled([
      outbox.redo(id, device.context()),
      device.open().outbox.redo(id, device.context()),
    ]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(await outbox.items()).toHaveLength(1);
  });

  test('a run that expired gets a fresh time', async () => {
    const { write, redo, drain, clock, outbox, backend } = setup();
    const id = await write({ name: 'run_check', args: { checkId: guid(9) } });
    clock.later(180_000, () => {});
    await clock.runUntil(() => false);
    await drain();
    await redo(id);
    const [item] = await outbox.items();
    expect(Date.parse(item?.expiresAt ?? '')).toBe(clock.now() + 120_000);
    await drain();
    expect(backend.effects).toHaveLength(1);
  });

  test('what is on its way is not done again', async () => {
    const { write, redo } = setup();
    await expect(redo(await write(create))).rejects.toMatchObject({ code: 'conflict' });
  });
});

describe('what older and newer versions kept', () => {
  /** As version 0 stored it. */
  const old = {
    commandId: guid(70),
    name: 'add_comment',
    version: 1,
    args: { id: guid(4), incidentId: incident, hypothesisId: null, responderId: null, comment: 'hello' },
    basedOn: null,
    expiresAt: null,
    userId: 'me',
    atMs: 5,
    touches: [incident, guid(4)],
    creates: [guid(4)],
    state: { kind: 'kept' },
  };

  test('an item of an older version is brought up to date and arrives', async () => {
    const { outbox, raw, drain, backend } = setup();
    await outbox.items();
    await raw((db) => db.table('items').add(old));
    await drain();
    expect(backend.effects.map(({ commandId }) => commandId)).toEqual([old.commandId]);
    const [stored] = await raw((db) => db.table('items').toArray());
    expect(stored).toMatchObject({ itemVersion: ITEM_VERSION, failures: 0 });
  });

  test('each step of a migration is taken, in order', () => {
    const format = {
      version: 3,
      migrations: {
        1: (item: Record<string, unknown>) => ({ ...item, failures: 1 }),
        2: (item: Record<string, unknown>) => ({ ...item, failures: Number(item.failures) * 10 }),
      },
    };
    const read = readStoredItem({ ...old, order: 1, itemVersion: 1 }, format);
    expect(read).toMatchObject({ isReadable: true, isOld: true, item: { failures: 10 } });
    expect(readStoredItem({ ...old, order: 1, itemVersion: 0 }, format).isReadable).toBe(false);
  });

  test('what cannot be read is shown with what is known of it, stays as it is, and holds up nothing', async () => {
    const { outbox, raw, drain, write, backend } = setup();
    await outbox.items();
    const broken = { ...old, state: { kind: 'from the future' }, itemVersion: ITEM_VERSION + 1 };
    await raw((db) => db.table('items').bulkAdd([broken, { nonsense: true }]));
    const id = await write({ ...comment(5) });
    await drain();
    expect(backend.effects.map(({ commandId }) => commandId)).toEqual([id]);
    const items: OutboxItem[] = await outbox.items();
    expect(items[0]).toMatchObject({ commandId: old.commandId, name: 'add_comment', args: old.args });
    const kinds = items.map(({ state }: { state: OutboxState }) => state.kind);
    expect(kinds).toEqual(['refused', 'refused', 'accepted']);
    const stored = await raw((db) => db.table('items').toArray());
    expect(stored.slice(0, 2)).toEqual([
      { ...broken, order: 1 },
      { nonsense: true, order: 2 },
    ]);
    await outbox.drop(items[1]?.commandId ?? '');
    expect(await outbox.items()).toHaveLength(2);
  });
});
