/** What a store's marks vouch for is there, or it is found out: each collection, each kind of damage, each moment. */
import 'fake-indexeddb/auto';
import fc from 'fast-check';
import { IDBFactory } from 'fake-indexeddb';
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { COLLECTION_FACTS, COLLECTIONS, type CollectionName } from '../../../src/contract/collections.ts';
import { dexieOn, deleteDatabase } from '../../store/dexie-on.ts';
import { packedDbName } from '../../store/store-names.ts';
import { openUserStore, type UserStore } from './user-store.ts';

const STORE = 'holdfast-test';
const PACKED = COLLECTIONS.filter((name) => COLLECTION_FACTS[name].store === 'packed');

function device() {
  const idb = new IDBFactory();
  const broken: unknown[] = [];
  const open = () =>
    openUserStore({
      storeName: STORE,
      idb,
      newId: () => randomUUID(),
      onBroken: (error) => broken.push(error),
    });
  return { idb, broken, open };
}

/** Everything of a database's table is changed by somebody else. */
async function tamper(idb: IDBFactory, collection: CollectionName, how: Damage): Promise<boolean> {
  const name = packedDbName(STORE, collection);
  if (how === 'removed') {
    await deleteDatabase(name, idb);
    return true;
  }
  const db = dexieOn(name, idb);
  await db.open();
  try {
    for (const table of how === 'emptied' ? ['pages', 'deltas', 'ledger'] : ['pages', 'deltas']) {
      const keys = await db.table(table).toCollection().primaryKeys();
      const [first] = keys;
      if (first === undefined) continue;
      let isOther = true;
      if (how === 'emptied') await db.table(table).clear();
      else if (how === 'a record gone') await db.table(table).delete(first);
      else {
        const record: Record<string, unknown> = await db.table(table).get(first);
        const field = table === 'pages' ? 'body' : 'upserts';
        const text = String(record[field]);
        const other = how === 'garbage' ? '[{"id":' : JSON.stringify((JSON.parse(text) as []).slice(1));
        isOther = other !== text;
        await db.table(table).put({ ...record, [field]: other });
      }
      if (how !== 'emptied' && isOther) return true;
    }
    return how === 'emptied';
  } finally {
    db.close();
  }
}

const DAMAGES = ['removed', 'emptied', 'a record gone', 'a row gone', 'garbage'] as const;
type Damage = (typeof DAMAGES)[number];

type Step =
  | { do: 'write'; ids: string[]; gone: string[] }
  | { do: 'swap'; ids: string[] }
  | { do: 'tidy' }
  | { do: 'mark' }
  | { do: 'reopen' };

const ids = fc.array(fc.constantFrom('a1', 'a2', 'b1', 'c3', 'd4', 'e5'), { maxLength: 5 });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('write' as const), ids, gone: ids }),
  fc.record({ do: fc.constant('swap' as const), ids }),
  fc.constant({ do: 'tidy' as const }),
  fc.constant({ do: 'mark' as const }),
  fc.constant({ do: 'reopen' as const }),
);
const rowsOf = (names: readonly string[]) => [...new Set(names)].map((id) => ({ id, title: `of ${id}` }));

async function perform(
  store: UserStore,
  open: () => UserStore,
  { collection, steps }: { collection: CollectionName; steps: readonly Step[] },
): Promise<UserStore> {
  let current = store;
  for (const one of steps) {
    const rows = current.rows[collection];
    if (one.do === 'write') await rows.apply({ upserts: rowsOf(one.ids), deletedIds: one.gone });
    else if (one.do === 'swap') await rows.replaceAll(rowsOf(one.ids));
    else if (one.do === 'tidy') await rows.tidy();
    else if (one.do === 'mark') await current.meta.set('cursor', 'somewhere');
    else {
      await current.close();
      current = open();
    }
  }
  return current;
}

const scene = fc.record({
  collection: fc.constantFrom(...PACKED),
  steps: fc.array(step, { maxLength: 6 }),
  how: fc.constantFrom(...DAMAGES),
  isWritten: fc.boolean(),
});

describe('a store', () => {
  test('is in order after anything that its own workers do, cut short between any two writes', async () => {
    await fc.assert(
      fc.asyncProperty(scene, async ({ collection, steps }) => {
        const { open, broken } = device();
        const store = await perform(open(), open, { collection, steps });
        await store.vouch.verify({ isThorough: true });
        await store.close();
        // A worker that was ended: what it wrote after the last mark is more than what is vouched for.
        const again = open();
        await again.vouch.verify({ isThorough: true });
        await again.close();
        expect(broken).toEqual([]);
      }),
      { numRuns: 60 },
    );
  }, 120_000);

  test('is found to lack what it vouches for, whatever took it away, and whatever is written after that', async () => {
    await fc.assert(
      fc.asyncProperty(scene, async ({ collection, steps, how, isWritten }) => {
        const { open, idb, broken } = device();
        const all: Step[] = [...steps, { do: 'write', ids: ['a1', 'a2'], gone: [] }, { do: 'mark' }];
        const store = await perform(open(), open, { collection, steps: all });
        await store.close();
        const isDamaged = await tamper(idb, collection, how);
        fc.pre(isDamaged);
        const again = open();
        if (isWritten) await again.rows[collection].apply({ upserts: rowsOf(['z9']), deletedIds: [] });
        const found = again.vouch.verify({ isThorough: true });
        await expect(found).rejects.toMatchObject({ code: 'storage' });
        await again.close();
        // Told at once where a write made it anew; by each look before a pull in any case.
        expect(broken.length).toBeLessThanOrEqual(1);
      }),
      { numRuns: 100 },
    );
  }, 120_000);

  test('that was set back to an earlier state, as after a power cut, is found to lack the rest', async () => {
    const { open, idb } = device();
    const store = open();
    const rows = store.rows.incidents;
    await rows.apply({ upserts: rowsOf(['a1']), deletedIds: [] });
    const db = dexieOn(packedDbName(STORE, 'incidents'), idb);
    await db.open();
    const before: unknown[] = await db.table('ledger').toArray();
    await rows.apply({ upserts: rowsOf(['b1']), deletedIds: [] });
    await store.meta.set('cursor', 'somewhere');
    await db.table('deltas').delete(2);
    await db.table('ledger').bulkPut(before);
    db.close();
    await expect(store.vouch.verify({ isThorough: false })).rejects.toMatchObject({ code: 'storage' });
    await store.close();
  });

  test('tells at once when what it vouches for was removed and is made anew', async () => {
    const { open, idb, broken } = device();
    const store = open();
    await store.rows.incidents.apply({ upserts: rowsOf(['a1']), deletedIds: [] });
    await store.meta.set('cursor', 'somewhere');
    await store.close();
    await deleteDatabase(packedDbName(STORE, 'incidents'), idb);
    const again = open();
    await again.rows.incidents.loadAll();
    await expect.poll(() => broken).toMatchObject([{ code: 'storage' }]);
    await again.close();
  });
});
