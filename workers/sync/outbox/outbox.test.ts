/** What the outbox promises to whoever writes: durable or refused, and told at once (laws 4 to 9). */
import 'fake-indexeddb/auto';
import { Dexie } from 'dexie';
import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  OUTBOX,
  OUTBOX_SAVING,
  type OutboxItem,
  type OutboxView,
} from '../../../src/contract/outbox/outbox.ts';
import type { StoreChange } from '../../../src/contract/worker.ts';
import { guid } from '../../../tests/backends/guid.ts';
import { storeNameOf } from '../../../src/domain/store-name.ts';
import { outboxDbName } from '../../store/store-names.ts';
import { storageError } from './storage/storage-error.ts';
import { comment, create, incident, rename, setup } from '../../../tests/backends/outbox-scenario.ts';

afterEach(() => void vi.restoreAllMocks());

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

  test.each<[string, (run: ReturnType<typeof setup>, ...texts: number[]) => Promise<unknown>, number]>([
    ['a command', ({ write }, one) => write(comment(one ?? 0)), 1],
    [
      'many',
      ({ outbox, device }, ...texts) =>
        outbox.appendAll(
          texts.map((text) => ({ request: comment(text), about: '' })),
          device.context(),
        ),
      3,
    ],
  ])('readers hear of %s before it is durable, and when it never will be', async (_, add, count) => {
    const run = setup();
    await run.write(create);
    const heard: [string, string[], string[]][] = [];
    run.device.listen((message) => {
      const { collection, upserts, deletedIds } = message as StoreChange;
      heard.push([collection, (upserts as OutboxItem[]).map(({ commandId }) => commandId), deletedIds]);
    });
    await add(run, 4, 5, 6);
    const added = (await run.outbox.items()).slice(1).map(({ commandId }) => commandId);
    expect(added).toHaveLength(count);
    expect(heard).toEqual([
      [OUTBOX_SAVING, added, []],
      [OUTBOX, added, []],
    ]);
    heard.length = 0;
    vi.spyOn(IDBObjectStore.prototype, 'add').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError');
    });
    await expect(add(run, 7, 8, 9)).rejects.toMatchObject({ code: 'quota' });
    vi.restoreAllMocks();
    const saving = heard[0]?.[1] ?? [];
    expect(saving).toHaveLength(count);
    expect(heard).toEqual([
      [OUTBOX_SAVING, saving, []],
      [OUTBOX_SAVING, [], saving],
    ]);
    expect(await run.outbox.items()).toHaveLength(1 + count);
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

  test('what its author named is written down without looking for a name, as ten thousand rows would be read for ten thousand', async () => {
    const { device, outbox } = setup();
    const read: string[] = [];
    const readRow = async (_collection: string, id: string) => {
      read.push(id);
      return null;
    };
    const asked = { ...device.context(), readRow };
    await outbox.appendAll([{ request: comment(10), about: 'INC-7 till is slow' }], asked);
    expect(read).toEqual([]);
    expect((await outbox.items())[0]?.about).toBe('INC-7 till is slow');
  });

  test('of many items, not each change is a copy of all of them, and the last one is shown', async () => {
    const { device, outbox, clock } = setup();
    const requests = Array.from({ length: 400 }, (_, at) => ({ request: comment(at + 10), about: '' }));
    const { commandIds } = await outbox.appendAll(requests, device.context());
    const views: OutboxView[] = [];
    const stop = device.open().outbox.subscribe((view) => views.push(view));
    await clock.runUntil(() => views.length > 0, 0);
    for (const id of commandIds.slice(0, 20)) await outbox.drop(id);
    await clock.runUntil(() => views.at(-1)?.items.length === 380, 1000);
    stop();
    expect(views.at(-1)?.items).toHaveLength(380);
    expect(views.length).toBeLessThan(5);
  });

  test('another user of the browser has another outbox', () => {
    const [mine, theirs] = ['me', 'you'].map((user) => outboxDbName(storeNameOf('https://h', user)));
    expect(mine).not.toBe(theirs);
  });
});
