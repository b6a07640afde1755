/** What is remembered of the outbox saves reading it, and never stands against what is stored. */
import 'fake-indexeddb/auto';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { OutboxItem } from '../../../src/contract/outbox/outbox.ts';
import { guid } from '../../../tests/backends/guid.ts';
import { comment, create, incident, rename, setup } from '../../../tests/backends/outbox-scenario.ts';
import { openOutboxStore } from './outbox-store.ts';
import { STORE_NAME } from '../../../tests/backends/outbox-device.ts';
import type { Draft } from './outbox-port.ts';

const draft = (n: number, fields: Partial<Draft> = {}): Draft => ({
  commandId: guid(1000 + n),
  name: 'add_comment',
  version: 1,
  args: { id: guid(5000 + n), incidentId: incident, hypothesisId: null, responderId: null, comment: `${n}` },
  basedOn: null,
  expiresAt: null,
  userId: 'me',
  atMs: 5,
  touches: [guid(5000 + n)],
  creates: [guid(5000 + n)],
  failures: 0,
  state: { kind: 'kept' },
  ...fields,
});

const isItems = (store: unknown) => store instanceof IDBObjectStore && store.name === 'items';

/** Counts how often all items are read. */
function watchReads() {
  const watched = vi.spyOn(IDBObjectStore.prototype, 'getAll');
  return () => watched.mock.contexts.filter(isItems).length;
}

afterEach(() => vi.restoreAllMocks());

describe('sending many', () => {
  test.each([100, 500])('of %i commands, all are read as often', async (size) => {
    const { worker, drain, backend, outbox } = setup();
    const { store } = worker;
    for (let at = 0; at < size; at += 250)
      await store.appendAll(() => Array.from({ length: Math.min(250, size) }, (_, n) => draft(at + n)));
    const reads = watchReads();
    await drain();
    expect(backend.effects).toHaveLength(size);
    expect((await outbox.items()).every(({ state }) => state.kind === 'accepted')).toBe(true);
    // When the sender claims, and no more for any batch of fifty.
    expect(reads()).toBeLessThanOrEqual(2);
  });
});

describe('what somebody else wrote meanwhile', () => {
  /** Two tabs: the first remembers. */
  async function twoTabs() {
    const setting = setup();
    const { device, worker, write } = setting;
    await write(create);
    await write(comment(5));
    await worker.store.items();
    const other = openOutboxStore({
      idb: device.idb,
      storeName: STORE_NAME,
      newId: () => guid(9000 + Math.floor(Math.random() * 900)),
      serverNow: () => device.clock.now(),
    });
    return { ...setting, store: worker.store, other };
  }
  const namesOf = (items: readonly OutboxItem[]) => items.map(({ name }) => name);

  test('is seen at once, whatever it was', async () => {
    const { store, other } = await twoTabs();
    const { epoch } = await store.claim();
    await other.append(() => draft(1));
    expect(namesOf(await store.items())).toEqual(['create_incident', 'add_comment', 'add_comment']);
    const [first, second] = await store.items();
    await other.remove([second?.order ?? 0], () => true);
    expect(await store.items()).toHaveLength(2);
    const { batch } = await store.number([first?.order ?? 0, second?.order ?? 0], epoch);
    expect(namesOf(batch.items)).toEqual(['create_incident']);
    await other.claim();
    await expect(store.number([], epoch)).rejects.toThrow();
  });

  test('by a version that leaves no mark is never overwritten, nor brought back', async () => {
    const { store, raw } = await twoTabs();
    const { epoch } = await store.claim();
    const [first, second] = await store.items();
    const orders = [first?.order ?? 0, second?.order ?? 0];
    await raw((db) => db.table('items').delete(orders[1] ?? 0));
    const { batch } = await store.number(orders, epoch);
    expect(namesOf(batch.items)).toEqual(['create_incident']);
    expect(await raw((db) => db.table('items').count())).toBe(1);

    const { itemVersion, ...added } = { ...draft(2), itemVersion: 1 };
    await raw((db) => db.table('items').add({ ...added, itemVersion }));
    expect(namesOf(await store.items())).toEqual(['create_incident', 'add_comment']);
    await raw((db) => db.table('items').clear());
    expect(await store.items()).toEqual([]);
    await store.append(() => draft(3));
    expect(await raw((db) => db.table('items').count())).toBe(1);
  });

  test('a step that fails leaves what is remembered as the database is', async () => {
    const { store, other, write } = await twoTabs();
    vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError');
    });
    await expect(write(rename('Up'))).rejects.toMatchObject({ code: 'quota' });
    vi.restoreAllMocks();
    expect(await store.items()).toEqual(await other.items());
    expect(await store.items()).toHaveLength(2);
  });

  test('what is added to what was refused is blocked as it is written', async () => {
    const { store } = await twoTabs();
    const { epoch } = await store.claim();
    const [first] = await store.items();
    const order = first?.order ?? 0;
    await store.number([order], epoch);
    const refused = { kind: 'refused', code: 'gone', message: 'no', current: null, atMs: 1 } as const;
    await store.settle([{ order, state: refused }], epoch);
    const { item } = await store.append(() => draft(4, { touches: [incident] }));
    expect(item.state).toMatchObject({ kind: 'refused', code: 'blocked' });
    expect((await store.items()).map(({ state }) => state.kind)).toEqual(['refused', 'refused', 'refused']);
  });
});
