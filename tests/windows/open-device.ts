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

/** So many times in a row an answer stays the same before it is taken for the last. */
const SETTLED = 10;

export interface Device {
  /** What would be cached of this query now, parsed; null while the store is read. */
  window: (name: string, args: unknown) => Promise<unknown>;
  /** What a new listener of that query is told first, once everything that it is made of was read. */
  answer: <Name extends LiveQueryName>(name: Name, args: QueryArgs<Name>) => Promise<unknown>;
  setTime: (nowMs: number) => void;
  /** The page is closed, and opened again on the same store. */
  restart: () => Promise<void>;
  close: () => Promise<void>;
}

/** The caller has loaded an IndexedDB (fake-indexeddb/auto). */
export async function openDevice(rows: DeviceRows): Promise<Device> {
  const storeName = `holdfast-device-${randomUUID()}`;
  const meta = openKeyValue(metaDbName(storeName), indexedDB);
  for (const [name, own] of Object.entries(rows)) {
    const packed = { name: packedDbName(storeName, name as CollectionName), idb: indexedDB };
    const store = createPackedRowStore<ReplicatedRow>(packed, rowShape);
    await store.replaceAll([...own]);
    await meta.set(wholeMark(name as CollectionName), true);
    await store.close();
  }
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
    async answer(name, args) {
      // Rows are read, and kept in memory, while somebody looks.
      await service.ask(name, args, () => {});
      let text: string | null = null;
      // What is read last changes the answer once more.
      for (let same = 0; same < SETTLED;) {
        await new Promise((resolve) => setTimeout(resolve, 1));
        const now = (await service.firstWindow(name, args))?.text ?? null;
        same = now !== null && now === text ? same + 1 : 0;
        text = now;
      }
      const seen: unknown[] = [];
      await service.ask(name, args, (message) => seen.push(JSON.parse(JSON.stringify(message))));
      return seen[0];
    },
    setTime(next) {
      nowMs = next;
      for (const tick of ticks) tick();
    },
    async restart() {
      await service.detach();
      service = await open();
    },
    async close() {
      await service.detach();
      meta.close();
    },
  };
}
