/** Questions are answered out of columns as one look at each row answers them. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CollectionName, ReplicatedRow } from '../../../src/contract/collections.ts';
import type { LivePatch, LiveQuestion } from '../../../src/contract/live-query.ts';
import { CollectionIndex } from '../../../src/contract/row-index/collection-index.ts';
import { commandReader } from './command-reader.ts';
import { createLiveQuery } from './live-query.ts';
import { entryOf } from '../../../src/contract/row-index/entry.ts';
import { Overlay } from './overlay.ts';
import { filterOf } from '../../../src/contract/row-index/row-filter.ts';

const incident = fc.constantFrom('i1', 'i2', 'i3', null);
const row = fc.record({
  id: fc.integer({ min: 1, max: 9 }).map((n) => `r${n}`),
  incident_id: incident,
  kind: fc.constantFrom('comment', 'responder'),
  created_at: fc.constantFrom('2026-01-01', '2026-01-02', null),
  tags: fc.constantFrom(null, 'a', ['a'], ['b', 'a'], []),
});
const change = fc.record({
  upserts: fc.array(row, { maxLength: 4 }),
  deletedIds: fc.subarray(['r1', 'r2', 'r3']),
});
const condition: fc.Arbitrary<LiveQuestion['where'][number]> = fc.oneof(
  fc.record({ field: fc.constant('incident_id'), op: fc.constantFrom('eq', 'not'), value: incident }),
  fc.record({
    field: fc.constant('incident_id'),
    op: fc.constantFrom('in', 'not-in'),
    values: fc.array(incident, { maxLength: 3 }),
  }),
  fc.record({ field: fc.constant('kind'), op: fc.constant('eq'), value: fc.constant('comment') }),
  fc.record({ field: fc.constant('tags'), op: fc.constant('has'), value: fc.constantFrom('a', 'b') }),
);
const question = fc.record({
  where: fc.array(condition, { maxLength: 3 }),
  sort: fc.constantFrom<LiveQuestion['sort'][]>([], [{ field: 'created_at', isDescending: true }]),
  groupBy: fc.constantFrom(null, 'incident_id'),
  window: fc.constantFrom({ start: 0, end: 0 }, { start: 1, end: 3 }, { start: 0, end: 100 }),
});

const indexOf = (collection: CollectionName) => new CollectionIndex(collection, new Overlay(commandReader));

function answer(index: CollectionIndex, asked: LiveQuestion): LivePatch | null {
  let found: LivePatch | null = null;
  createLiveQuery({ question: asked, source: { index, isLoaded: () => true } }, (patch) => {
    found = patch;
  });
  return found;
}

/** The rules, of all rows one after the other. */
function model(rows: readonly ReplicatedRow[], asked: LiveQuestion) {
  const passes = filterOf(asked);
  const found = rows.filter((one) => passes(entryOf(one, 'none')));
  const times = (one: ReplicatedRow) => (one['created_at'] as string | null) ?? '';
  const isSorted = asked.sort.length > 0;
  const inOrder = found.toSorted(
    (a, b) =>
      (isSorted ? (times(a) > times(b) ? -1 : times(a) < times(b) ? 1 : 0) : 0) || (a.id < b.id ? -1 : 1),
  );
  return {
    total: found.length,
    ids: inOrder.slice(asked.window.start, asked.window.end).map(({ id }) => id),
    grouped: asked.groupBy === null ? 0 : new Set(found.map((one) => one['incident_id'])).size,
  };
}

test('after any changes', () => {
  fc.assert(
    fc.property(fc.array(fc.record({ change, question }), { maxLength: 20 }), (steps) => {
      const index = indexOf('incident_records');
      const rows = new Map<string, ReplicatedRow>();
      for (const { change: came, question: part } of steps) {
        index.apply(came);
        for (const id of came.deletedIds) rows.delete(id);
        for (const one of came.upserts) rows.set(one.id, one);
        const asked = { ...part, collection: 'incident_records' as const, search: '' };
        const found = answer(index, asked);
        expect({
          total: found?.frame?.total,
          ids: found?.order?.ids,
          grouped: found?.frame?.groups.length,
        }).toEqual(model([...rows.values()], asked));
      }
    }),
    { numRuns: 500 },
  );
});
