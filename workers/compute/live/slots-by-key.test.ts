/** Questions that name incidents get the same answers out of the few as out of all. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CollectionName } from '../../../src/contract/collections.ts';
import type { LivePatch, LiveQuestion } from '../../../src/contract/live-query.ts';
import { CollectionIndex } from './collection-index.ts';
import { commandReader } from './command-reader.ts';
import { createLiveQuery } from './live-query.ts';
import { Overlay } from './overlay.ts';

const incident = fc.constantFrom('i1', 'i2', 'i3', null);
const row = fc.record({
  id: fc.integer({ min: 1, max: 9 }).map((n) => `r${n}`),
  incident_id: incident,
  kind: fc.constantFrom('comment', 'responder'),
  created_at: fc.constantFrom('2026-01-01', '2026-01-02', null),
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

test('after any changes both say the same', () => {
  fc.assert(
    fc.property(fc.array(fc.record({ change, question }), { maxLength: 20 }), (steps) => {
      // No column of the other is a key: every question goes through all of its rows.
      const [keyed, plain] = [indexOf('incident_records'), indexOf('configs')];
      for (const { change: came, question: asked } of steps) {
        for (const index of [keyed, plain]) index.apply(came);
        const whole = { ...asked, collection: 'incident_records' as const, search: '' };
        expect(answer(keyed, whole)).toEqual(answer(plain, whole));
      }
    }),
    { numRuns: 500 },
  );
});
