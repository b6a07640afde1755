/** The catalog's front over real stores: what a page hears, and that nothing is held without one. */
import 'fake-indexeddb/auto';
import { randomUUID } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import type { CatalogPatch, CatalogQuery } from '../../../src/contract/catalog-view.ts';
import type { InsightPatch, InsightQuery } from '../../../src/contract/insight-view.ts';
import type { ReplicatedRow } from '../../../src/contract/collections.ts';
import { openKeyValue } from '../../store/key-value.ts';
import { createPackedRowStore } from '../../store/packed-row-store.ts';
import { metaDbName, packedDbName } from '../../store/store-names.ts';
import { createComputeService } from '../compute-service.ts';
import { LIVE_HANDLERS } from '../../../tests/backends/live-query-handlers.ts';

const QUERY: CatalogQuery = {
  search: '',
  types: {},
  status: {},
  health: {},
  labels: {},
  hideDeleted: true,
  sortBy: 'type',
  isDescending: false,
  groupBy: [],
  hasItems: true,
  closed: [],
  favorites: [],
  wantsFacets: false,
};
const INSIGHTS: InsightQuery = {
  search: '',
  severity: null,
  type: null,
  analyzer: null,
  configId: null,
  configType: null,
  configIds: null,
  sortBy: 'severity',
  isDescending: false,
};
const WINDOW = { start: 0, end: 100 };
const byId = { idOf: (row: ReplicatedRow) => row.id, partitionOf: () => '' };
const STORES = ['configs', 'config_changes', 'config_insights'] as const;

let serial = 0;
const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function setUp(rows: Partial<Record<(typeof STORES)[number], ReplicatedRow[]>>) {
  serial += 1;
  const storeName = `holdfast-catalog-${serial}`;
  const meta = openKeyValue(metaDbName(storeName), indexedDB);
  closers.push(() => meta.close());
  for (const name of STORES) {
    const store = createPackedRowStore<ReplicatedRow>(
      { name: packedDbName(storeName, name), idb: indexedDB },
      byId,
    );
    closers.push(() => store.close());
    await store.apply({ upserts: rows[name] ?? [], deletedIds: [] });
    await meta.set(`whole:${name}`, true);
  }
  const listeners = new Set<(message: unknown) => void>();
  const errors: unknown[] = [];
  const service = createComputeService(
    {
      newId: () => randomUUID(),
      now: () => 0,
      later: (delayMs, run) => void setTimeout(run, Math.min(delayMs, 20)),
      every: () => {},
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
  await service.attach(storeName);
  let sequence = 0;
  return {
    service,
    errors,
    announce(collection: string, upserts: ReplicatedRow[]) {
      sequence += 1;
      const change = {
        storeName,
        collection,
        sender: 's',
        sequence,
        upserts,
        deletedIds: [],
        isReset: false,
      };
      for (const listener of listeners) listener(change);
    },
  };
}

function heard<Patch extends { frame?: { isLoaded: boolean }; rows?: { rows: unknown[] } }>() {
  const patches: Patch[] = [];
  return {
    listener: (patch: Patch) => void patches.push(patch),
    last: () => patches.at(-1),
    until: async (isIt: (patch: Patch) => boolean) => {
      await expect.poll(() => patches.some(isIt)).toBe(true);
      return patches.find(isIt);
    },
    count: () => patches.length,
  };
}

const config = (id: string, over: Partial<ReplicatedRow> = {}): ReplicatedRow => ({
  id,
  name: id,
  type: 'A::B',
  health: 'healthy',
  deleted_at: null,
  ...over,
});

test('a page hears of the items, then of what changes in them and beside them', async () => {
  const world = await setUp({ configs: [config('a'), config('b')] });
  const page = heard<CatalogPatch>();
  await world.service.ask('live-catalog', { query: QUERY, window: WINDOW }, page.listener);
  await page.until(({ frame }) => frame?.isLoaded === true && frame.rowCount === 2);
  world.announce('config_changes', [{ id: 'x', config_id: 'b', created_at: '2026-01-01T00:00:00Z' }]);
  const counted = await page.until(({ rows }) => rows?.rows.some((row) => row.changes === 1) === true);
  expect(counted?.rows?.rows.map(({ key }) => key)).toEqual(['b']);
  world.announce('configs', [config('b', { health: 'unhealthy' })]);
  await page.until(({ frame }) => frame?.health.unhealthy === 1);
  expect(world.errors).toEqual([]);
});

test('a new question is answered before the call returns', async () => {
  const world = await setUp({ configs: [config('a'), config('zebra')] });
  const page = heard<CatalogPatch>();
  const view = await world.service.ask('live-catalog', { query: QUERY, window: WINDOW }, page.listener);
  await page.until(({ frame }) => frame?.isLoaded === true);
  const asked = view.update({ query: { ...QUERY, search: 'zeb' }, window: WINDOW }, 1);
  expect(page.last()).toMatchObject({ generation: 1, frame: { itemCount: 1 } });
  await asked;
});

test('a closed page hears nothing more, and one that opens again finds what came meanwhile', async () => {
  const world = await setUp({ configs: [config('a')] });
  const first = heard<CatalogPatch>();
  const view = await world.service.ask('live-catalog', { query: QUERY, window: WINDOW }, first.listener);
  await first.until(({ frame }) => frame?.isLoaded === true);
  await view.close();
  const count = first.count();
  world.announce('configs', [config('c')]);
  const second = heard<CatalogPatch>();
  await world.service.ask('live-catalog', { query: QUERY, window: WINDOW }, second.listener);
  await second.until(({ frame }) => frame?.isLoaded === true);
  expect(first.count()).toBe(count);
});

test('open insights come with their items, worst first, and are narrowed by each filter', async () => {
  const insight = (id: string, over: Partial<ReplicatedRow>): ReplicatedRow => ({
    id,
    config_id: 'a',
    analysis_type: 'security',
    analyzer: 'scan',
    severity: 'low',
    status: 'open',
    summary: `about ${id}`,
    ...over,
  });
  const world = await setUp({
    configs: [config('a', { name: 'web' }), config('b', { type: 'C::D' })],
    config_insights: [
      insight('1', {}),
      insight('2', { severity: 'critical', config_id: 'b' }),
      insight('3', { analysis_type: 'cost' }),
    ],
  });
  const page = heard<InsightPatch>();
  const view = await world.service.ask('live-insights', { query: INSIGHTS, window: WINDOW }, page.listener);
  await page.until(({ frame, rows }) => frame?.isLoaded === true && rows?.rows[0]?.configName === 'b');
  let generation = 0;
  const idsFor = async (query: Partial<InsightQuery>) => {
    generation += 1;
    await view.update({ query: { ...INSIGHTS, ...query }, window: WINDOW }, generation);
    return page.last()?.rows?.rows.map(({ id }) => id);
  };
  expect(await idsFor({})).toEqual(['2', '1', '3']);
  expect(await idsFor({ severity: 'CRITICAL' })).toEqual(['2']);
  expect(await idsFor({ severity: 'critical,low' })).toEqual(await idsFor({}));
  expect(await idsFor({ type: 'cost' })).toEqual(['3']);
  expect(await idsFor({ configType: 'C__D' })).toEqual(['2']);
  expect(await idsFor({ configIds: ['a'] })).toEqual(['1', '3']);
  expect(await idsFor({ configId: 'b' })).toEqual(['2']);
  expect(await idsFor({ search: 'web about 3' })).toEqual(['3']);
  expect(page.last()?.frame).toMatchObject({ rowCount: 1, totalCount: 3 });
});

test.each([
  ['a window that is none', QUERY, { start: -1, end: 2 }],
  ['an unknown column', { ...QUERY, sortBy: 'config' }, WINDOW],
  ['a sign that is none', { ...QUERY, labels: { a: 2 } }, WINDOW],
])('%s is refused', async (_, query, window) => {
  const world = await setUp({});
  const opened = world.service.ask('live-catalog', { query: query as CatalogQuery, window }, () => {});
  await expect(opened).rejects.toMatchObject({ code: 'invalid' });
});

test('all items that pass are found whatever is grouped or closed, beyond any window', async () => {
  const many = Array.from({ length: 230 }, (_, at) =>
    config(`n${at}`, { type: at % 2 === 0 ? 'A::B' : 'C::D' }),
  );
  const world = await setUp({ configs: many });
  const page = heard<CatalogPatch>();
  const query: CatalogQuery = { ...QUERY, types: { 'C::D': 1 } };
  await world.service.ask('live-catalog', { query, window: WINDOW }, page.listener);
  await page.until(({ frame }) => frame?.isLoaded === true && frame.rowCount === 115);
  const found = world.service.findItems({ ...query, groupBy: ['type'], closed: ['C::D'] });
  expect(found).toHaveLength(115);
  expect(found).toContainEqual({ id: 'n229', name: 'n229' });
});
