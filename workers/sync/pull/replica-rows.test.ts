/** Rows in RxDB, which keeps no ledger: what the marks vouch for is there, or it is found out before the next pull. */
import 'fake-indexeddb/auto';
import fc from 'fast-check';
import { IDBFactory } from 'fake-indexeddb';
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { COLLECTION_FACTS, COLLECTIONS } from '../../../src/contract/collections.ts';
import { rxdbPlace } from '../store/store-vouch.ts';
import { damageRxdb, RXDB_DAMAGES, type RxdbDamage } from '../../../tests/backends/damage-rxdb.ts';
import type { RowStore } from '../../store/row-store.ts';
import { openUserStore } from '../store/user-store.ts';
import { createReplicaRows } from './replica-rows.ts';

const IN_RXDB = COLLECTIONS.filter((name) => COLLECTION_FACTS[name].store === 'rxdb');
type InRxdb = (typeof IN_RXDB)[number];
interface Row {
  id: string;
  title: string;
}

/** A worker of that device: the store, and whoever keeps that collection in it. */
function openWorker(idb: IDBFactory, storeName: string, collection: InRxdb) {
  const broken: unknown[] = [];
  const store = openUserStore({
    storeName,
    idb,
    newId: () => randomUUID(),
    onBroken: (error) => void broken.push(error),
  });
  // Rows of both collections are kept as they come.
  const rows = store.rows[collection] as unknown as RowStore<Row>;
  const kept = createReplicaRows<Row>({
    collection,
    store: rows,
    announce: () => {},
    ahead: store.vouch.writeAhead(rxdbPlace(collection)),
  });
  store.vouchFor(collection, kept.tally);
  return { store, kept, rows, broken };
}

type Step =
  | { do: 'merge'; ids: string[]; gone: string[]; title: string }
  | { do: 'swap'; ids: string[] }
  | { do: 'mark' }
  | { do: 'another worker' };

const ids = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), { maxLength: 5 });
const title = fc.constantFrom('one', 'two', 'three');
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('merge' as const), ids, gone: ids, title }) },
  fc.record({ do: fc.constant('swap' as const), ids }),
  fc.constant({ do: 'mark' as const }),
  fc.constant({ do: 'another worker' as const }),
);
const rowsOf = (names: readonly string[], text = 'swapped') => names.map((id) => ({ id, title: text }));

class Device {
  private readonly idb = new IDBFactory();
  private readonly storeName = `holdfast-${randomUUID()}`;
  private readonly collection: InRxdb;
  worker;

  constructor(collection: InRxdb) {
    this.collection = collection;
    this.worker = this.open();
  }

  async perform(steps: readonly Step[]): Promise<void> {
    for (const one of steps) {
      if (one.do === 'merge') await this.worker.kept.merge(rowsOf(one.ids, one.title), one.gone);
      else if (one.do === 'swap') await this.worker.kept.replaceAll(rowsOf(one.ids));
      else if (one.do === 'mark') await this.mark();
      else await this.reopen();
    }
  }

  mark(): Promise<void> {
    return this.worker.store.meta.set('cursor', randomUUID());
  }

  async reopen(): Promise<void> {
    await this.worker.store.close();
    this.worker = this.open();
  }

  /** As before a pull. */
  verify(isThorough = false): Promise<void> {
    return this.worker.store.vouch.verify({ isThorough });
  }

  /** Somebody else changes what is there; false when there was nothing to change. */
  damage(how: RxdbDamage): Promise<boolean> {
    return damageRxdb(this.idb, { storeName: this.storeName, collection: this.collection }, how);
  }

  private open() {
    return openWorker(this.idb, this.storeName, this.collection);
  }
}

const scene = fc.record({ collection: fc.constantFrom(...IN_RXDB), steps: fc.array(step, { maxLength: 6 }) });

/** What a crash leaves of a swap is loaded anew by whoever began it. */
const marked = (steps: readonly Step[]) =>
  steps.flatMap((one): Step[] => (one.do === 'swap' ? [one, { do: 'mark' }] : [one]));

test('what its own workers leave is in order, also when one ended between a write and the next mark', async () => {
  await fc.assert(
    fc.asyncProperty(scene, async ({ collection, steps }) => {
      const device = new Device(collection);
      await device.perform(marked(steps));
      await device.verify();
      await device.reopen();
      await device.verify(true);
      await device.worker.kept.known();
      await device.perform([{ do: 'merge', ids: ['a'], gone: ['b'], title: 'four' }]);
      await device.verify(true);
      expect(device.worker.broken).toEqual([]);
      await device.worker.store.close();
    }),
    { numRuns: 40 },
  );
}, 180_000);

test('a worker that ended halfway through a write leaves no loss: it comes again', async () => {
  const device = new Device('canaries');
  await device.perform([{ do: 'swap', ids: ['a', 'b', 'c'] }, { do: 'mark' }]);
  const { rows, kept } = device.worker;
  const apply = rows.apply.bind(rows);
  rows.apply = async ({ deletedIds }) => {
    await apply({ upserts: [], deletedIds });
    throw new Error('ended');
  };
  await expect(kept.merge(rowsOf(['a', 'd'], 'six'), ['b'])).rejects.toThrow('ended');
  await device.reopen();
  await device.verify(true);
  expect(await device.worker.kept.merge(rowsOf(['a', 'd'], 'six'), ['b'])).toEqual(['a', 'd']);
  await device.mark();
  await device.verify(true);
  await device.worker.store.close();
});

test('whatever was taken, left or changed is found at the next pull; by another worker before it writes', async () => {
  const damaged = fc.record({
    how: fc.constantFrom(...RXDB_DAMAGES),
    isNewWorker: fc.boolean(),
    isMarkedSince: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(scene, damaged, async ({ collection, steps }, { how, isNewWorker, isMarkedSince }) => {
      const device = new Device(collection);
      await device.perform([
        ...marked(steps),
        { do: 'swap', ids: ['a', 'b', 'c'] },
        { do: 'merge', ids: ['a'], gone: ['b'], title: 'five' },
        { do: 'mark' },
      ]);
      if (isNewWorker) await device.reopen();
      fc.pre(await device.damage(how));
      const lost = { code: 'storage' };
      if (isNewWorker) {
        // Whatever it would write next would stand for what is lost.
        await expect(device.worker.kept.merge(rowsOf(['f']), [])).rejects.toMatchObject(lost);
        if (isMarkedSince) await device.mark();
        await expect(device.verify(true)).rejects.toMatchObject(lost);
      } else await expect(device.verify()).rejects.toMatchObject(lost);
      await device.worker.store.close();
    }),
    { numRuns: 60 },
  );
}, 180_000);

test('of much that nobody has read yet the number is compared at each pull, all of it at a thorough one', async () => {
  const device = new Device('canaries');
  const much = Array.from({ length: 1500 }, (_, at) => ({ id: `row ${at}`, title: 'x'.repeat(1000) }));
  await device.worker.kept.replaceAll(much);
  await device.mark();
  await device.verify();
  await device.damage('a row changed');
  await device.verify();
  await expect(device.verify(true)).rejects.toMatchObject({ code: 'storage' });
  await device.damage('a row gone');
  await expect(device.verify()).rejects.toMatchObject({ code: 'storage' });
  await device.worker.store.close();
}, 60_000);
