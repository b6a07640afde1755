/** The list is the same however it came about: told at once, or change by change. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Check } from '../../domain/check/check.ts';
import { createCheckIndex } from './check-index.ts';
import { check } from './test-check.ts';

const START_MS = Date.parse('2026-01-01T12:00:00Z');

const anyCheck = fc
  .record({
    id: fc.constantFrom('1', '2', '3', '4', '5', '6'),
    name: fc.constantFrom('api', 'Api', 'db', 'web'),
    canary_name: fc.constantFrom('a', 'b'),
    namespace: fc.constantFrom('x', 'y'),
    status: fc.constantFrom<Check['status']>('healthy', 'unhealthy', null),
    labels: fc.record({ app: fc.constantFrom('x', 'y') }, { requiredKeys: [] }),
    dueInMs: fc.integer({ min: -100_000, max: 100_000 }),
    isDeleted: fc.nat(5).map((dice) => dice === 0),
  })
  .map(({ id, dueInMs, isDeleted, labels, ...facts }): Check =>
    check(id, {
      ...facts,
      labels: labels as Record<string, string>,
      last_runtime: '2026-01-01T10:00:00Z',
      next_runtime: new Date(START_MS + dueInMs).toISOString(),
      deleted_at: isDeleted ? '2026-01-01T11:00:00Z' : null,
    }),
  );
const anyStep = fc.record({
  upserts: fc.array(anyCheck, { maxLength: 4 }),
  deletedIds: fc.array(fc.constantFrom('1', '2', '3'), { maxLength: 1 }),
  laterMs: fc.constantFrom(0, 0, 60_000, -60_000),
  isLookedAt: fc.boolean(),
});

test('checks that change one after the other stand where a new index puts them', () => {
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: 8 }), (steps) => {
      const index = createCheckIndex();
      const rows = new Map<string, Check>();
      let nowMs = START_MS;
      for (const { upserts, deletedIds, laterMs, isLookedAt } of steps) {
        index.apply({ upserts, deletedIds }, nowMs);
        for (const id of deletedIds) rows.delete(id);
        for (const check of upserts) rows.set(check.id, check);
        nowMs += laterMs;
        index.reevaluate(nowMs);
        if (isLookedAt) index.entries();
      }
      const anew = createCheckIndex();
      anew.replaceAll([...rows.values()], nowMs);
      expect(index.entries()).toEqual(anew.entries());
      expect(index.facets()).toEqual(anew.facets());
      for (const entry of index.entries()) expect(index.get(entry.check.id)).toBe(entry);
    }),
    { numRuns: 400 },
  );
});
