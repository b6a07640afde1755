import 'fake-indexeddb/auto';
import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import type { HealthPatch, HealthQuery, HealthRow, StoreChange } from '../../src/contract/worker.ts';
import type {
  OutlineQuery,
  TopologyFrame,
  TopologyPatch,
  TopologyQuery,
} from '../../src/contract/topology-view.ts';
import type { ReplicatedRow } from '../../src/contract/collections.ts';
import { checkSchema } from '../../src/contract/http/canary.ts';
import type { Check } from '../../src/domain/check/check.ts';
import { openKeyValue } from '../store/key-value.ts';
import { createPackedRowStore } from '../store/packed-row-store.ts';
import {
  rowShape,
  wholeMark,
  documentShape,
  summaryDocumentId,
  type CachedDocument,
} from '../store/store-facts.ts';
import { metaDbName, packedDbName } from '../store/store-names.ts';
import { createComputeService } from './compute-service.ts';
import { LIVE_HANDLERS } from '../../tests/backends/live-query-handlers.ts';

const NOW = Date.parse('2026-01-01T12:00:00Z');
const QUERY: HealthQuery = {
  hidePassing: false,
  query: '',
  labels: {},
  groupBy: 'none',
  tabBy: 'namespace',
  tab: 'All',
  pivotBy: null,
  sortBy: 'name',
  sortDesc: false,
  timeRange: '1h',
  expanded: [],
};
const OUTLINE: OutlineQuery = {
  rootId: null,
  search: '',
  status: {},
  types: {},
  teams: {},
  agents: {},
  labels: {},
  hidesHidden: false,
  sortBy: 'name',
  isDescending: false,
  toggled: [],
};
const { toggled: _toggled, ...LOOKED_FOR } = OUTLINE;
const TOPOLOGY: TopologyQuery = { ...LOOKED_FOR, isFlat: false };
const row = (id: string, over: Partial<Check> = {}): Check => ({
  ...checkSchema.parse({ id, canary_id: 'c', name: id, type: 'http', status: 'healthy' }),
  ...over,
});
let serial = 0;
const closers: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** A writer, a clock in hand, and a service that reads. */
async function setUp(rows: Check[], isWhole = true) {
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
  closers.push(
    () => checks.close(),
    () => meta.close(),
  );
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
      closers.push(() => store.close());
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
function viewState() {
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
const WINDOW = { start: 0, end: 100 };

describe('the compute service', () => {
  test('answers before it has read, saying so, and again when it has', async () => {
    const world = await setUp([row('a'), row('b')]);
    const view = viewState();
    await world.service.ask('live-health', { query: QUERY, window: WINDOW }, view.listener);
    expect(view.isLoaded).toBe(false);
    await world.service.attach(world.storeName);
    await expect
      .poll(() => {
        world.pass(60);
        return view.isLoaded;
      })
      .toBe(true);
    expect(view.keys).toEqual(['a', 'b']);
  });

  test('checks are looked for once they were read, and not where that takes too long', async () => {
    const world = await setUp([row('b'), row('a')]);
    const found = world.service.findChecks(QUERY, null);
    await world.service.attach(world.storeName);
    let isFound = false;
    void found.then(() => (isFound = true));
    await expect
      .poll(() => {
        world.pass(60);
        return isFound;
      })
      .toBe(true);
    expect((await found).map(({ id }) => id)).toEqual(['a', 'b']);
    await world.service.detach();
    const never = world.service.findChecks(QUERY, null);
    world.pass(10_000);
    await expect(never).rejects.toThrow();
  });

  test('a board whose first load is unfinished is not shown as full', async () => {
    const world = await setUp([row('a')], false);
    const view = viewState();
    await world.service.ask('live-health', { query: QUERY, window: WINDOW }, view.listener);
    await world.service.attach(world.storeName);
    world.pass(60);
    await new Promise((resolve) => setTimeout(resolve, 50));
    world.pass(60);
    expect(view.isLoaded).toBe(false);
    await world.meta.set(wholeMark('checks'), true);
    world.announce({ isReset: true });
    await expect
      .poll(() => {
        world.pass(60);
        return view.isLoaded;
      })
      .toBe(true);
    expect(view.keys).toEqual(['a']);
  });

  test('a change reaches the view, and only the row that changed is sent', async () => {
    const world = await setUp([row('a'), row('b'), row('c')]);
    const view = viewState();
    await world.service.attach(world.storeName);
    await world.service.ask('live-health', { query: QUERY, window: WINDOW }, view.listener);
    await expect
      .poll(() => {
        world.pass(60);
        return view.keys;
      })
      .toEqual(['a', 'b', 'c']);
    world.announce({ upserts: [row('b', { status: 'unhealthy' })] });
    world.pass(60);
    const last = view.patches.at(-1);
    expect(last?.rows?.start).toBe(1);
    expect(last?.rows?.rows.map((next) => next.key)).toEqual(['b']);
    world.announce({ deletedIds: ['a'] });
    world.pass(60);
    expect(view.keys).toEqual(['b', 'c']);
  });

  test('changes that come while the store is being read are not lost', async () => {
    const world = await setUp([row('a')]);
    const view = viewState();
    await world.service.ask('live-health', { query: QUERY, window: WINDOW }, view.listener);
    await world.service.attach(world.storeName);
    world.announce({ upserts: [row('z')] });
    await expect
      .poll(() => {
        world.pass(60);
        return view.keys;
      })
      .toEqual(['a', 'z']);
  });

  test('a gap in the announcements makes it read the store again', async () => {
    const world = await setUp([row('a')]);
    const view = viewState();
    await world.service.attach(world.storeName);
    await world.service.ask('live-health', { query: QUERY, window: WINDOW }, view.listener);
    world.announce({ upserts: [row('b')] });
    await expect
      .poll(() => {
        world.pass(60);
        return view.keys;
      })
      .toEqual(['a', 'b']);
    await world.checks.apply({ upserts: [row('b'), row('missed')], deletedIds: ['a'] });
    world.announce({ upserts: [] }, 5);
    await expect
      .poll(() => {
        world.pass(60);
        return view.keys;
      })
      .toEqual(['b', 'missed']);
  });

  test('another user sees nothing of the one before', async () => {
    const mine = await setUp([row('mine')]);
    const view = viewState();
    await mine.service.attach(mine.storeName);
    await mine.service.ask('live-health', { query: QUERY, window: WINDOW }, view.listener);
    await expect
      .poll(() => {
        mine.pass(60);
        return view.keys;
      })
      .toEqual(['mine']);
    await mine.service.attach('holdfast-someone-else');
    mine.pass(60);
    expect(view.keys).toEqual([]);
    expect(view.isLoaded).toBe(false);
  });

  test('a bulk of changes is one answer, not one each', async () => {
    const world = await setUp([row('a')]);
    const view = viewState();
    await world.service.attach(world.storeName);
    await world.service.ask('live-health', { query: QUERY, window: WINDOW }, view.listener);
    await expect
      .poll(() => {
        world.pass(60);
        return view.keys;
      })
      .toEqual(['a']);
    const before = view.patches.length;
    for (let at = 0; at < 50; at += 1) world.announce({ upserts: [row(`n${at}`)] });
    world.pass(60);
    expect(view.patches.length - before).toBeLessThanOrEqual(2);
    expect(view.keys.length).toBe(51);
  });

  test('a question is answered before the call returns, whatever else is waiting', async () => {
    const world = await setUp([row('a'), row('b')]);
    const view = viewState();
    await world.service.attach(world.storeName);
    const handle = await world.service.ask('live-health', { query: QUERY, window: WINDOW }, view.listener);
    await expect
      .poll(() => {
        world.pass(60);
        return view.keys;
      })
      .toEqual(['a', 'b']);
    const answered = handle.update({ query: { ...QUERY, query: 'b' }, window: WINDOW }, 1);
    expect(view.patches.at(-1)).toMatchObject({ generation: 1, frame: { rowCount: 1 } });
    await answered;
    const refused = handle.update({ query: { ...QUERY, query: 3 }, window: WINDOW } as never, 2);
    await expect(refused).rejects.toMatchObject({ code: 'invalid' });
    // The next question is known by the number that its asker gave it, whatever was refused before.
    await handle.update({ query: { ...QUERY, query: 'a' }, window: WINDOW }, 3);
    expect(view.patches.at(-1)).toMatchObject({ generation: 3, frame: { rowCount: 1 } });
  });

  test('uptime of another range is shown where the device has it, and the last hour where not', async () => {
    const world = await setUp([row('a'), row('b')]);
    const documents = createPackedRowStore<CachedDocument>(
      { name: packedDbName(world.storeName, 'documents'), idb: indexedDB },
      documentShape,
    );
    closers.push(() => documents.close());
    const body = { checks: [{ id: 'a', uptime: { passed: 7, failed: 3 }, latency: { p95: 4 } }] };
    await documents.apply({ upserts: [{ id: summaryDocumentId('1d'), asOfMs: 1, body }], deletedIds: [] });
    const view = viewState();
    await world.service.attach(world.storeName);
    const handle = await world.service.ask(
      'live-health',
      { query: { ...QUERY, timeRange: '1w' }, window: WINDOW },
      view.listener,
    );
    await expect
      .poll(() => {
        world.pass(60);
        return view.keys;
      })
      .toEqual(['a', 'b']);
    expect(view.patches.findLast((patch) => patch.frame)?.frame?.summaryRange).toBe('1h');
    await handle.update({ query: { ...QUERY, timeRange: '1d' }, window: WINDOW }, 1);
    await expect
      .poll(() => {
        world.pass(60);
        return view.patches.findLast((patch) => patch.frame)?.frame?.summaryRange;
      })
      .toBe('1d');
    expect(view.rows[0]).toMatchObject({ check: { uptime: { passed: 7, failed: 3 } } });
  });

  test('one check is followed until it is gone, which is said of no store that is still read', async () => {
    const world = await setUp([row('a'), row('b')]);
    const seen: (string | null)[] = [];
    await world.service.attach(world.storeName);
    const check = await world.service.ask('live-check', { checkId: 'a' }, (view) =>
      seen.push(view === undefined ? 'not yet' : (view?.check.status ?? null)),
    );
    await expect
      .poll(() => {
        world.pass(60);
        return seen;
      })
      .toEqual(['not yet', 'healthy']);
    world.announce({ upserts: [row('a', { status: 'unhealthy' })] });
    world.pass(60);
    world.announce({ deletedIds: ['a'] });
    world.pass(60);
    expect(seen).toEqual(['not yet', 'healthy', 'unhealthy', null]);
    await check.close();
    expect(world.errors).toEqual([]);
  });

  test('hands over its present answer for the next start, of the store that is attached and of no other', async () => {
    const world = await setUp([row('a'), row('b')]);
    const view = viewState();
    const args = { query: QUERY, window: WINDOW };
    expect(await world.service.firstWindow('live-health', args)).toBeNull();
    await world.service.attach(world.storeName);
    await world.service.ask('live-health', args, view.listener);
    await expect
      .poll(() => {
        world.pass(60);
        return view.isLoaded;
      })
      .toBe(true);
    const handedOver = async () => {
      const found = world.service.firstWindow('live-health', args);
      world.pass(60);
      return found;
    };
    const found = await handedOver();
    expect(found?.storeName).toBe(world.storeName);
    expect(JSON.parse(found?.text ?? '')).toMatchObject({
      patch: { frame: { isLoaded: true, rowCount: 2 } },
      later: { whenOverdue: { frame: { rowCount: 2 } } },
    });
    const late = world.service.firstWindow('live-health', args);
    await world.service.attach('holdfast-of-somebody-else');
    world.pass(60);
    expect(await late).toBeNull();
    // A store that is not read yet has no answer that could be cached.
    expect(await world.service.firstWindow('live-health', args)).toBeNull();
    await expect(world.service.firstWindow('no-query', args)).rejects.toMatchObject({ code: 'invalid' });
  });

  test('says nothing of a topology until its checks are read, and hands it over for as long as they are current', async () => {
    const runs = { last_runtime: '2026-01-01T11:59:00Z', next_runtime: '2026-01-01T12:00:30Z' };
    const world = await setUp([row('a', runs), row('b', { ...runs, status: 'unhealthy' })], false);
    await world.addComponents([{ id: 'api', name: 'api', checks: { healthy: 2 }, check_ids: ['a', 'b'] }]);
    const args = { query: TOPOLOGY, window: WINDOW };
    const seen: TopologyFrame[] = [];
    await world.service.attach(world.storeName);
    await world.service.ask('live-topology', args, ({ frame }: TopologyPatch) => frame && seen.push(frame));
    await expect
      .poll(() => {
        world.pass(200);
        return seen.at(-1)?.totalCount;
      })
      .toBe(1);
    // The server counted two that pass.
    expect(seen.at(-1)?.isLoaded).toBe(false);
    expect(await world.service.firstWindow('live-topology', args)).toBeNull();
    await world.meta.set(wholeMark('checks'), true);
    world.announce({ isReset: true });
    await expect
      .poll(() => {
        world.pass(200);
        return seen.at(-1);
      })
      .toMatchObject({ isLoaded: true, health: { unhealthy: 1, healthy: 0 } });
    for (const [name, query] of [
      ['live-topology', TOPOLOGY],
      ['live-topology-outline', OUTLINE],
    ] as const) {
      const handedOver = world.service.firstWindow(name, { query, window: WINDOW });
      world.pass(60);
      const found = await handedOver;
      const healthyUntilMs = Date.parse('2026-01-01T12:02:00Z');
      const patch = { frame: { isLoaded: true, rowCount: 1 } };
      expect(JSON.parse(found?.text ?? '')).toMatchObject({ patch, overdue: { healthyUntilMs, patch } });
    }
  });
});
