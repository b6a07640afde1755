/** A compute service with a clock in hand, on a real store that a test writes. */
import 'fake-indexeddb/auto';
import { randomUUID } from 'node:crypto';
import { onTestFinished } from 'vitest';
import type { HealthPatch, HealthRow, StoreChange } from '../../src/contract/worker.ts';
import type { ReplicatedRow } from '../../src/contract/collections.ts';
import { checkSchema } from '../../src/contract/http/canary.ts';
import type { Check } from '../../src/domain/check/check.ts';
import { openKeyValue } from '../../workers/store/key-value.ts';
import { createPackedRowStore } from '../../workers/store/packed-row-store.ts';
import { rowShape, wholeMark } from '../../workers/store/store-facts.ts';
import { metaDbName, packedDbName } from '../../workers/store/store-names.ts';
import { createComputeService } from '../../workers/compute/compute-service.ts';
import { LIVE_HANDLERS } from './live-query-handlers.ts';

export const NOW = Date.parse('2026-01-01T12:00:00Z');
export const row = (id: string, over: Partial<Check> = {}): Check => ({
  ...checkSchema.parse({ id, canary_id: 'c', name: id, type: 'http', status: 'healthy' }),
  ...over,
});
let serial = 0;

/** A writer, a clock in hand, and a service that reads. */
export async function setUp(rows: Check[], isWhole = true) {
  serial += 1;
  const storeName = `holdfast-compute-${serial}`;
  const checks = createPackedRowStore<Check>(
    { name: packedDbName(storeName, 'checks'), idb: indexedDB },
    rowShape,
  );
  const meta = openKeyValue(metaDbName(storeName), indexedDB);
  if (rows.length > 0) await checks.replaceAll(rows);
  await meta.set(wholeMark('checks'), isWhole);
  const listeners = new Set<(message: unknown) => void>();
  const timers: { atMs: number; run: () => void }[] = [];
  const ticks: (() => void)[] = [];
  let nowMs = NOW;
  const errors: unknown[] = [];
  const service = createComputeService(
    {
      newId: () => randomUUID(),
      now: () => nowMs,
      later: (delayMs, run) => timers.push({ atMs: nowMs + delayMs, run }),
      every: (_, run) => ticks.push(run),
      announce: () => {},
      idb: indexedDB,
      listen(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      report: (error) => errors.push(error),
    },
    LIVE_HANDLERS,
  );
  let sequence = 0;
  onTestFinished(async () => {
    await checks.close();
    meta.close();
  });
  return {
    storeName,
    service,
    checks,
    meta,
    errors,
    async addComponents(components: ReplicatedRow[]) {
      const store = createPackedRowStore<ReplicatedRow>(
        { name: packedDbName(storeName, 'components'), idb: indexedDB },
        rowShape,
      );
      onTestFinished(() => store.close());
      await store.replaceAll(components);
      await meta.set(wholeMark('components'), true);
    },
    announce(part: Partial<StoreChange>, sequenceNow = (sequence += 1)) {
      sequence = sequenceNow;
      const change = {
        storeName,
        collection: 'checks',
        sender: 's',
        upserts: [],
        deletedIds: [],
        isReset: false,
      };
      for (const listener of listeners) listener({ ...change, sequence: sequenceNow, ...part });
    },
    pass(ms: number) {
      nowMs += ms;
      for (const tick of ticks) tick();
      for (const timer of timers.splice(0)) {
        if (timer.atMs <= nowMs) timer.run();
        else timers.push(timer);
      }
    },
  };
}

/** Follows a view's patches as the client does. */
export function viewState() {
  const rows: HealthRow[] = [];
  const patches: HealthPatch[] = [];
  return {
    rows,
    patches,
    listener: (patch: HealthPatch) => {
      patches.push(patch);
      patch.rows?.rows.forEach((next, at) => {
        rows[(patch.rows?.start ?? 0) + at] = next;
      });
    },
    get keys() {
      return rows.slice(0, patches.findLast((patch) => patch.frame)?.frame?.rowCount).map((next) => next.key);
    },
    get isLoaded() {
      return patches.findLast((patch) => patch.frame)?.frame?.isLoaded;
    },
  };
}
