/** The catalog's front against a model that knows no index, no narrowing and no cache. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CatalogItemRow, CatalogQuery, CatalogRow } from '../../../src/contract/catalog-view.ts';
import type { ReplicatedRow } from '../../../src/contract/collections.ts';
import { CollectionIndex, prepareRows } from '../../../src/contract/row-index/collection-index.ts';
import type { LiveSource } from '../../../src/contract/row-index/live-answer.ts';
import { createCatalogBoard } from './catalog-board.ts';
import { CatalogItems } from './catalog-items.ts';
import { createTallies } from './tallies.ts';

const ALL: CatalogQuery = {
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
const NOW_MS = Date.parse('2026-03-01T12:00:00Z');

async function sourceOf(collection: 'configs' | 'config_changes' | 'config_insights', rows: ReplicatedRow[]) {
  const index = new CollectionIndex(collection, {
    touchedIds: () => [],
    shown: (row) => (row === null ? null : { row, pending: 'none' }),
  });
  index.replaceAll(await prepareRows(rows, () => Promise.resolve()));
  return { index, isLoaded: () => true } satisfies LiveSource;
}

interface Estate {
  configs: ReplicatedRow[];
  changes?: ReplicatedRow[];
  insights?: ReplicatedRow[];
}

async function boardOf({ configs, changes = [], insights = [] }: Estate) {
  const tallies = createTallies({
    changes: await sourceOf('config_changes', changes),
    insights: await sourceOf('config_insights', insights),
  });
  const items = new CatalogItems(await sourceOf('configs', configs), tallies);
  const answer = createCatalogBoard({
    items,
    hasChanges: () => true,
    hasAnalysis: () => true,
    nowMs: () => NOW_MS,
  });
  return (query: Partial<CatalogQuery>) => {
    const board = answer({ ...ALL, ...query });
    return { frame: board.frame, rows: board.rows(0, board.frame.rowCount) };
  };
}

const idsOf = (rows: readonly CatalogRow[]) => rows.map(({ key }) => key);
const namesOf = (rows: readonly CatalogRow[]) =>
  rows.map((row) => (row.kind === 'item' ? row.name : row.value));

const configs = fc
  .array(
    fc.record({
      name: fc.constantFrom('api', 'api-gateway', 'my-api', 'rapid', 'db', 'web', 'API'),
      type: fc.constantFrom('Kubernetes::Pod', 'AWS::EC2', 'My__Type', 'Plain', null),
      status: fc.constantFrom('Running', 'Failing', null),
      health: fc.constantFrom('healthy', 'unhealthy', 'warning', 'unknown', null),
      tags: fc.dictionary(fc.constantFrom('cluster', 'a:b'), fc.constantFrom('eu', 'us:1'), { maxKeys: 2 }),
      labels: fc.dictionary(fc.constantFrom('app', 'cluster'), fc.constantFrom('eu', 'shop'), { maxKeys: 2 }),
      deleted_at: fc.constantFrom(null, null, '2026-02-28T00:00:00Z'),
    }),
    { maxLength: 40 },
  )
  .map((rows) => rows.map((row, at): ReplicatedRow => ({ id: `c${String(at).padStart(3, '0')}`, ...row })));

const tri = (...values: string[]) =>
  fc.dictionary(fc.constantFrom(...values), fc.constantFrom(1 as const, -1 as const), { maxKeys: 2 });
const questions = fc.record({
  search: fc.constantFrom('', 'api', 'a', 'ap', 'pod run', 'cluster=eu', 'nothing'),
  types: tri('Kubernetes::Pod', 'kubernetes__pod', 'My__Type', 'AWS::EC2'),
  status: tri('Running', 'failing'),
  health: tri('healthy', 'unknown', 'unhealthy'),
  labels: tri('cluster:eu', 'app:shop', 'a:b:us:1'),
  hideDeleted: fc.boolean(),
  isDescending: fc.boolean(),
  sortBy: fc.constantFrom('type' as const, 'name' as const, 'health' as const, 'tags' as const),
});

type Question = typeof questions extends fc.Arbitrary<infer Q> ? Q : never;
type Map1 = Record<string, string>;

function fits(
  values: readonly string[],
  filter: Record<string, 1 | -1>,
  same: (a: string) => string,
): boolean {
  const own = values.map(same);
  const has = (value: string) => own.includes(same(value));
  const entries = Object.entries(filter);
  if (entries.some(([value, sign]) => sign === -1 && has(value))) return false;
  const yes = entries.filter(([, sign]) => sign === 1);
  return yes.length === 0 || yes.some(([value]) => has(value));
}

const typed = (value: string) => value.toLowerCase().replaceAll('::', '__');

/** The rules, one after the other, of one row. */
function passes(row: ReplicatedRow, question: Question): boolean {
  const text = (value: unknown) => (typeof value === 'string' ? value : '');
  const [tags, labels] = [row['tags'] as Map1, row['labels'] as Map1];
  if (question.hideDeleted && row['deleted_at'] !== null) return false;
  if (!fits([text(row['type'])], question.types, typed)) return false;
  if (!fits([text(row['status'])], question.status, (value) => value.toLowerCase())) return false;
  if (!fits([text(row['health']) || 'unknown'], question.health, (value) => value)) return false;
  const pairs = [...Object.entries(tags), ...Object.entries(labels)];
  const own = pairs.map(([key, value]) => `${key}:${value}`);
  const keys = new Set(Object.keys(question.labels).map((entry) => entry.split(':')[0]));
  for (const key of keys) {
    const part = Object.entries(question.labels).filter(([entry]) => entry.split(':')[0] === key);
    if (!fits(own, Object.fromEntries(part), (value) => value)) return false;
  }
  const searched = [row.id, row['name'], row['type'], row['status'], ...pairs.map((pair) => pair.join('='))];
  const haystack = searched.join('\n').toLowerCase();
  return question.search.split(' ').every((word) => haystack.includes(word));
}

describe('what passes', () => {
  test('is what the rules say of each row alone, whatever was asked before', async () => {
    await fc.assert(
      fc.asyncProperty(configs, fc.array(questions, { minLength: 1, maxLength: 5 }), async (rows, asked) => {
        const ask = await boardOf({ configs: rows });
        for (const question of asked) {
          const found = ask(question);
          const expected = rows.filter((row) => passes(row, question)).map(({ id }) => id);
          expect(idsOf(found.rows).toSorted()).toEqual(expected.toSorted());
          expect(found.frame.itemCount).toBe(expected.length);
        }
      }),
      { numRuns: 150 },
    );
  });

  test('typing on finds what asking anew finds', async () => {
    await fc.assert(
      fc.asyncProperty(configs, fc.constantFrom('api', 'pod running', 'my-api'), async (rows, text) => {
        const typing = await boardOf({ configs: rows });
        for (let end = 1; end <= text.length; end += 1) {
          const search = text.slice(0, end);
          const anew = await boardOf({ configs: rows });
          expect(idsOf(typing({ search }).rows)).toEqual(idsOf(anew({ search }).rows));
        }
      }),
      { numRuns: 40 },
    );
  });

  test('whatever it is grouped by, the groups hold each item once and add up to all', async () => {
    const keys = fc.uniqueArray(
      fc.constantFrom('config_class', 'type', 'name', 'analysis', 'changed', 'tag:cluster'),
      { minLength: 1, maxLength: 3 },
    );
    await fc.assert(
      fc.asyncProperty(configs, keys, async (rows, groupBy) => {
        const ask = await boardOf({ configs: rows });
        const { rows: shown, frame } = ask({ groupBy });
        const items = shown.filter(({ kind }) => kind === 'item');
        expect(idsOf(items).toSorted()).toEqual(idsOf(ask({}).rows).toSorted());
        const tops = shown.filter((row) => row.kind === 'group' && row.depth === 0);
        const sum = tops.reduce((all, row) => all + (row.kind === 'group' ? row.count : 0), 0);
        expect(sum).toBe(frame.itemCount);
        const closed = ask({ groupBy, closed: idsOf(tops) });
        expect(idsOf(closed.rows)).toEqual(idsOf(tops));
      }),
      { numRuns: 80 },
    );
  });
});

const item = (name: string, over: Partial<ReplicatedRow> = {}): ReplicatedRow => ({
  id: name,
  name,
  type: 'Kubernetes::Pod',
  status: 'Running',
  health: 'healthy',
  tags: {},
  labels: {},
  deleted_at: null,
  ...over,
});

describe('order', () => {
  test('a search puts the exact name first, then beginnings, words, places within, then other fields', async () => {
    const ask = await boardOf({
      configs: [
        item('other', { tags: { app: 'api' } }),
        item('rapid-apis'),
        item('xapix'),
        item('my-api'),
        item('api-gateway'),
        item('api', { type: 'Z::Last' }),
      ],
    });
    expect(namesOf(ask({ search: 'api' }).rows)).toEqual([
      'api',
      'api-gateway',
      'my-api',
      'rapid-apis',
      'xapix',
      'other',
    ]);
  });

  test('a chosen order stands above the rank, and turns round', async () => {
    const ask = await boardOf({ configs: [item('api'), item('z-api'), item('b-api')] });
    const order = { search: 'api', sortBy: 'name' as const };
    expect(namesOf(ask(order).rows)).toEqual(['api', 'b-api', 'z-api']);
    expect(namesOf(ask({ ...order, isDescending: true }).rows)).toEqual(['z-api', 'b-api', 'api']);
  });

  test('a pinned type comes first, with its class', async () => {
    const ask = await boardOf({
      configs: [
        item('a', { type: 'AWS::EC2' }),
        item('b', { type: 'K8s::Node' }),
        item('c', { type: 'K8s::Pod' }),
      ],
    });
    const summary = { groupBy: ['config_class', 'type'], hasItems: false, favorites: ['K8s::Pod'] };
    expect(namesOf(ask(summary).rows)).toEqual(['K8s', 'K8s::Pod', 'K8s::Node', 'AWS', 'AWS::EC2']);
  });
});

describe('what stands beside an item', () => {
  const estate: Estate = {
    configs: [
      item('a', { cost_total_30d: 30, created_at: '2026-01-01' }),
      item('b', { cost_total_30d: 12.5, health: 'unhealthy', created_at: '2026-02-01' }),
    ],
    changes: [
      { id: '1', config_id: 'a', created_at: '2026-02-25T00:00:00Z' },
      { id: '2', config_id: 'a', created_at: '2026-03-01T11:00:00Z' },
    ],
    insights: [
      { id: '1', config_id: 'b', analysis_type: 'security' },
      { id: '2', config_id: 'b', analysis_type: 'security' },
      { id: '3', config_id: 'b', analysis_type: 'cost' },
    ],
  };

  test('changes and open insights are counted for the item and for its groups', async () => {
    const ask = await boardOf(estate);
    const [a, b] = ask({}).rows as CatalogItemRow[];
    expect(a).toMatchObject({ changes: 2, changedAt: '2026-03-01T11:00:00Z', analysis: {} });
    expect(b).toMatchObject({ changes: 0, changedAt: null, analysis: { security: 2, cost: 1 } });
    expect(ask({ groupBy: ['type'], hasItems: false }).rows).toMatchObject([
      {
        kind: 'group',
        value: 'Kubernetes::Pod',
        count: 2,
        changes: 2,
        analysis: { security: 2, cost: 1 },
        cost30d: 42.5,
        health: { healthy: 1, unhealthy: 1, warning: 0, unknown: 0 },
        createdAt: '2026-02-01',
        isOpen: null,
      },
    ]);
  });

  test('items are grouped by when they changed and by what was found', async () => {
    const ask = await boardOf(estate);
    expect(namesOf(ask({ groupBy: ['changed'], hasItems: false }).rows)).toEqual([
      'In the last day',
      'Not in the last 7 days',
    ]);
    expect(namesOf(ask({ groupBy: ['analysis'], hasItems: false }).rows)).toEqual(['cost, security', null]);
  });

  test('filter menus offer tags and labels with how many items have them, once asked', async () => {
    const ask = await boardOf({
      configs: [item('a', { tags: { zone: 'a' } }), item('b', { tags: { zone: 'a' }, labels: { app: 'x' } })],
    });
    expect(ask({}).frame.facets).toEqual([]);
    expect(ask({ wantsFacets: true }).frame.facets).toEqual([
      { key: 'zone', values: [{ value: 'a', total: 2 }] },
      { key: 'app', values: [{ value: 'x', total: 1 }] },
    ]);
  });
});
