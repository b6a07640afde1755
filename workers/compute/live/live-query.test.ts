/** What a question means: conditions, words, order, counts, windows; and that size doesn't change the answer. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ReplicatedRow } from '../../../src/contract/collections.ts';
import type { LivePatch, LiveQuestion } from '../../../src/contract/live-query.ts';
import { CollectionIndex, prepareRows } from '../../../src/contract/row-index/collection-index.ts';
import { commandReader } from './command-reader.ts';
import { createLiveQuery } from './live-query.ts';
import { Overlay } from './overlay.ts';

const QUESTION: LiveQuestion = {
  collection: 'configs',
  where: [],
  search: '',
  sort: [],
  groupBy: null,
  window: { start: 0, end: 100 },
};

async function indexOf(rows: ReplicatedRow[]) {
  const index = new CollectionIndex('configs', new Overlay(commandReader));
  index.replaceAll(await prepareRows(rows, () => Promise.resolve()));
  return index;
}

function answer(index: CollectionIndex, question: Partial<LiveQuestion>): LivePatch {
  let found: LivePatch = { generation: -1 };
  const source = { index, isLoaded: () => true };
  createLiveQuery({ question: { ...QUESTION, ...question }, source }, (patch) => {
    found = patch;
  });
  return found;
}

const ROWS: ReplicatedRow[] = [
  { id: 'a', name: 'Zebra', size: 10, type: 'Pod', tags: { env: 'prod' }, deleted_at: null },
  { id: 'b', name: 'apple', size: 9, type: 'Pod', description: 'red fruit', deleted_at: '2026-01-01' },
  { id: 'c', name: 'mango', size: null, type: 'Node', labels: { team: 'core' } },
  { id: 'd', name: 'Apple', type: 'Node', external_id: ['x-77'], isOn: true },
];
const idsOf = async (question: Partial<LiveQuestion>) => answer(await indexOf(ROWS), question).order?.ids;

describe('a question', () => {
  test.each<[LiveQuestion['where'][number], string[]]>([
    [{ field: 'type', op: 'eq', value: 'Pod' }, ['a', 'b']],
    [{ field: 'type', op: 'not', value: 'Pod' }, ['c', 'd']],
    [{ field: 'deleted_at', op: 'eq', value: null }, ['a', 'c', 'd']],
    [{ field: 'size', op: 'gte', value: 10 }, ['a']],
    [{ field: 'size', op: 'lte', value: 10 }, ['a', 'b']],
    [{ field: 'deleted_at', op: 'gte', value: '2025-12-31' }, ['b']],
    [{ field: 'size', op: 'gte', value: '1' }, []],
    [{ field: 'id', op: 'in', values: ['d', 'a', 'z'] }, ['a', 'd']],
    [{ field: 'size', op: 'in', values: [null] }, ['c', 'd']],
    [{ field: 'size', op: 'not-in', values: [null, 9] }, ['a']],
    [{ field: 'isOn', op: 'eq', value: true }, ['d']],
    [{ field: 'id', op: 'eq', value: 'c' }, ['c']],
    [{ field: 'id', op: 'eq', value: 7 }, []],
  ])('%o finds %o', async (condition, ids) => {
    expect(await idsOf({ where: [condition] })).toEqual(ids);
  });

  test('all conditions and all words have to hold, upper and lower case alike', async () => {
    expect(await idsOf({ search: ' APP ' })).toEqual(['b', 'd']);
    expect(await idsOf({ search: 'apple fruit' })).toEqual(['b']);
    expect(await idsOf({ search: 'env=prod' })).toEqual(['a']);
    expect(await idsOf({ search: 'team=core' })).toEqual(['c']);
    expect(await idsOf({ search: 'x-77' })).toEqual(['d']);
    expect(await idsOf({ search: 'apple', where: [{ field: 'type', op: 'eq', value: 'Node' }] })).toEqual([
      'd',
    ]);
    const byId: LiveQuestion['where'] = [{ field: 'id', op: 'eq', value: 'a' }];
    expect(await idsOf({ search: 'apple', where: byId })).toEqual([]);
  });

  test('text is ordered by code unit, numbers by size, and what is unknown comes last either way', async () => {
    const by = (field: string, isDescending: boolean) => idsOf({ sort: [{ field, isDescending }] });
    expect(await by('name', false)).toEqual(['d', 'a', 'b', 'c']);
    expect(await by('name', true)).toEqual(['c', 'b', 'a', 'd']);
    expect(await by('size', false)).toEqual(['b', 'a', 'c', 'd']);
    expect(await by('size', true)).toEqual(['a', 'b', 'c', 'd']);
    const sort = [
      { field: 'type', isDescending: true },
      { field: 'name', isDescending: false },
    ];
    expect(await idsOf({ sort })).toEqual(['a', 'b', 'd', 'c']);
  });

  test('counts go over all rows that pass, whatever the window', async () => {
    const found = answer(await indexOf(ROWS), { groupBy: 'size', window: { start: 0, end: 0 } });
    expect(found).toEqual({
      generation: 0,
      frame: {
        isLoaded: true,
        total: 4,
        groups: [
          { value: null, count: 2 },
          { value: 10, count: 1 },
          { value: 9, count: 1 },
        ],
      },
      order: { start: 0, ids: [] },
    });
  });
});

test('50,000 rows are counted, searched and shown a window at a time, and follow changes', async () => {
  const rows = Array.from({ length: 50_000 }, (_, at) => ({
    id: `id-${String(at).padStart(5, '0')}`,
    name: `service-${(at * 7919) % 50_000}`,
    type: `type-${at % 10}`,
  }));
  const index = await indexOf(rows);
  const sort = [{ field: 'name', isDescending: false }];
  const window = { start: 100, end: 200 };
  const found = answer(index, { sort, window, groupBy: 'type' });
  expect(found.frame).toMatchObject({ total: 50_000 });
  expect(found.frame?.groups.length).toBe(10);
  expect(found.rows?.length).toBe(100);
  expect(answer(index, { search: 'service-4999' }).frame?.total).toBe(11);
  index.apply({ upserts: [{ id: 'new', name: 'a', type: 'type-0' }], deletedIds: ['id-00000'] });
  const first = answer(index, { sort, window: { start: 0, end: 2 } });
  expect(first.frame?.total).toBe(50_000);
  // service-0 was deleted.
  expect(first.rows?.map(({ row }) => row.name)).toEqual(['a', 'service-1']);
});

test('the patches, however the rows change, add up to the whole answer', () => {
  const row = fc.record({
    id: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
    name: fc.constantFrom('x', 'y', 'z'),
  });
  const change = fc.record({ upserts: fc.array(row, { maxLength: 3 }), gone: fc.constantFrom('a', 'b') });
  fc.assert(
    fc.property(fc.array(change, { maxLength: 20 }), fc.constantFrom('', 'y'), (changes, search) => {
      const index = new CollectionIndex('configs', new Overlay(commandReader));
      const question = {
        ...QUESTION,
        search,
        sort: [{ field: 'name', isDescending: true }],
        groupBy: 'name',
      };
      const asked = { ...question, window: { start: 1, end: 4 } };
      const known = new Map<string, unknown>();
      let last: Pick<LivePatch, 'frame' | 'order'> = {};
      const query = createLiveQuery({ question: asked, source: { index, isLoaded: () => true } }, (patch) => {
        for (const one of patch.rows ?? []) known.set(one.id, one);
        last = {
          ...last,
          ...(patch.frame && { frame: patch.frame }),
          ...(patch.order && { order: patch.order }),
        };
      });
      for (const { upserts, gone } of changes) {
        query.hear(index.apply({ upserts, deletedIds: [gone] }));
        query.refresh();
        const whole = answer(index, asked);
        expect(last).toEqual({ frame: whole.frame, order: whole.order });
        expect(last.order?.ids.map((one) => known.get(one))).toEqual(whole.rows ?? []);
      }
    }),
  );
});
