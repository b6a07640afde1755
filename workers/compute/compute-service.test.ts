import { describe, expect, onTestFinished, test } from 'vitest';
import { createPackedRowStore } from '../store/packed-row-store.ts';
import { documentShape, summaryDocumentId, wholeMark, type CachedDocument } from '../store/store-facts.ts';
import { packedDbName } from '../store/store-names.ts';
import { row, setUp, viewState } from '../../tests/backends/compute-world.ts';
import { HEALTH, WINDOW } from '../../tests/backends/live-query-samples.ts';
describe('the compute service', () => {
  test('answers before it has read, saying so, and again when it has', async () => {
    const world = await setUp([row('a'), row('b')]);
    const view = viewState();
    await world.service.ask('live-health', { query: HEALTH, window: WINDOW }, view.listener);
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
    const found = world.service.findChecks(HEALTH, null);
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
    const never = world.service.findChecks(HEALTH, null);
    world.pass(10_000);
    await expect(never).rejects.toThrow();
  });

  test('a board whose first load is unfinished is not shown as full', async () => {
    const world = await setUp([row('a')], false);
    const view = viewState();
    await world.service.ask('live-health', { query: HEALTH, window: WINDOW }, view.listener);
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
    await world.service.ask('live-health', { query: HEALTH, window: WINDOW }, view.listener);
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
    await world.service.ask('live-health', { query: HEALTH, window: WINDOW }, view.listener);
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
    await world.service.ask('live-health', { query: HEALTH, window: WINDOW }, view.listener);
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
    await mine.service.ask('live-health', { query: HEALTH, window: WINDOW }, view.listener);
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
    await world.service.ask('live-health', { query: HEALTH, window: WINDOW }, view.listener);
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
    const handle = await world.service.ask('live-health', { query: HEALTH, window: WINDOW }, view.listener);
    await expect
      .poll(() => {
        world.pass(60);
        return view.keys;
      })
      .toEqual(['a', 'b']);
    const answered = handle.update({ query: { ...HEALTH, query: 'b' }, window: WINDOW }, 1);
    expect(view.patches.at(-1)).toMatchObject({ generation: 1, frame: { rowCount: 1 } });
    await answered;
    const refused = handle.update({ query: { ...HEALTH, query: 3 }, window: WINDOW } as never, 2);
    await expect(refused).rejects.toMatchObject({ code: 'invalid' });
    // The next question is known by the number that its asker gave it, whatever was refused before.
    await handle.update({ query: { ...HEALTH, query: 'a' }, window: WINDOW }, 3);
    expect(view.patches.at(-1)).toMatchObject({ generation: 3, frame: { rowCount: 1 } });
  });

  test('uptime of another range is shown where the device has it, and the last hour where not', async () => {
    const world = await setUp([row('a'), row('b')]);
    const documents = createPackedRowStore<CachedDocument>(
      { name: packedDbName(world.storeName, 'documents'), idb: indexedDB },
      documentShape,
    );
    onTestFinished(() => documents.close());
    const body = { checks: [{ id: 'a', uptime: { passed: 7, failed: 3 }, latency: { p95: 4 } }] };
    await documents.apply({ upserts: [{ id: summaryDocumentId('1d'), asOfMs: 1, body }], deletedIds: [] });
    const view = viewState();
    await world.service.attach(world.storeName);
    const handle = await world.service.ask(
      'live-health',
      { query: { ...HEALTH, timeRange: '1w' }, window: WINDOW },
      view.listener,
    );
    await expect
      .poll(() => {
        world.pass(60);
        return view.keys;
      })
      .toEqual(['a', 'b']);
    expect(view.patches.findLast((patch) => patch.frame)?.frame?.summaryRange).toBe('1h');
    await handle.update({ query: { ...HEALTH, timeRange: '1d' }, window: WINDOW }, 1);
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
});
