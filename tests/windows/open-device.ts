/** A device that has loaded these collections, with the compute worker's service over them and a clock that stands. */
import { randomUUID } from 'node:crypto';
import type { CollectionName, ReplicatedRow } from '../../src/contract/collections.ts';
import type { LiveQueryName, QueryArgs } from '../../src/contract/queries/queries.ts';
import { createComputeService, type ComputeService } from '../../workers/compute/compute-service.ts';
import { openKeyValue } from '../../workers/store/key-value.ts';
import { createPackedRowStore } from '../../workers/store/packed-row-store.ts';
import { rowShape, wholeMark } from '../../workers/store/store-facts.ts';
import { metaDbName, packedDbName } from '../../workers/store/store-names.ts';
import { LIVE_HANDLERS } from '../backends/live-query-handlers.ts';

export type DeviceRows = Partial<Record<CollectionName, readonly ReplicatedRow[]>>;

export interface Device {
  /** What would be cached of this query now, parsed; null while the store is read. */
  window: (name: string, args: unknown) => Promise<unknown>;
  /** Looks at a query from now on: its rows are read, and kept in memory. */
  look: <Name extends LiveQueryName>(name: Name, args: QueryArgs<Name>) => Promise<void>;
  setTime: (nowMs: number) => void;
  /** The page is closed, and opened again on the same store. */
  restart: () => Promise<void>;
  close: () => Promise<void>;
}

async function fillStore(storeName: string, rows: DeviceRows): Promise<void> {
  const meta = openKeyValue(metaDbName(storeName), indexedDB);
  for (const [name, own] of Object.entries(rows)) {
    const packed = { name: packedDbName(storeName, name as CollectionName), idb: indexedDB };
    const store = createPackedRowStore<ReplicatedRow>(packed, rowShape);
    await store.replaceAll([...own]);
    await meta.set(wholeMark(name as CollectionName), true);
    await store.close();
  }
  meta.close();
}

/** The caller has loaded an IndexedDB (fake-indexeddb/auto). */
export async function openDevice(rows: DeviceRows): Promise<Device> {
  const storeName = `holdfast-device-${randomUUID()}`;
  await fillStore(storeName, rows);
  let nowMs = 0;
  const ticks: (() => void)[] = [];
  const open = async (): Promise<ComputeService> => {
    ticks.length = 0;
    const service = createComputeService(
      {
        newId: () => randomUUID(),
        now: () => nowMs,
        later: (_, run) => setTimeout(run, 0),
        every: (_, run) => ticks.push(run),
        announce: () => {},
        idb: indexedDB,
        listen: () => () => {},
        report: (error) => {
          throw error;
        },
      },
      LIVE_HANDLERS,
    );
    await service.attach(storeName);
    return service;
  };
  let service = await open();
  return {
    async window(name, args) {
      const found = await service.firstWindow(name, args);
      return found === null ? null : JSON.parse(found.text);
    },
    async look(name, args) {
      await service.ask(name, args, () => {});
    },
    setTime(next) {
      nowMs = next;
      for (const tick of ticks) tick();
    },
    async restart() {
      await service.detach();
      service = await open();
    },
    close: () => service.detach(),
  };
}
