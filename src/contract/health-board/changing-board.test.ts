/** A board of checks that change one after the other says what a board of the same checks says that is made anew. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { HealthQuery } from '../worker.ts';
import type { Check } from '../../domain/check/check.ts';
import { ALL_TAB } from '../../domain/check/grouping.ts';
import { createCheckIndex, type CheckIndex } from './check-index.ts';
import { boardOf, type BoardInput } from './health-board.ts';
import { healthLater } from './health-window.ts';
import { check } from './test-check.ts';

const NOW_MS = Date.parse('2026-01-01T12:00:00Z');
const IDS = Array.from({ length: 12 }, (_, at) => `check-${at}`);

const rarely = fc.nat(11).map((dice) => dice === 0);
const anyTime = fc.integer({ min: -200_000, max: 200_000 }).map((ms) => new Date(NOW_MS + ms).toISOString());

const anyCheck = fc
  .record({
    id: fc.constantFrom(...IDS),
    status: fc.constantFrom<Check['status']>('healthy', 'healthy', 'unhealthy', null),
    isRenamed: rarely,
    isElsewhere: rarely,
    isDeleted: rarely,
    isLabelled: rarely,
    passed: fc.integer({ min: 0, max: 2 }),
    failed: fc.integer({ min: 0, max: 2 }),
    p95: fc.option(fc.integer({ min: 0, max: 5 })),
    next_runtime: fc.option(anyTime),
    last_transition_time: fc.option(anyTime),
  })
  .map(({ id, isRenamed, isElsewhere, isDeleted, isLabelled, passed, failed, p95, ...times }): Check =>
    check(id, {
      ...times,
      name: isRenamed ? `new ${id}` : id,
      canary_name: Number(id.slice(-1)) % 3 === 0 ? 'a' : 'b',
      namespace: isElsewhere ? 'y' : 'x',
      labels: isLabelled ? { app: 'x' } : {},
      uptime: { passed, failed },
      latency: p95 === null ? {} : { p95 },
      last_runtime: new Date(NOW_MS - 250_000).toISOString(),
      deleted_at: isDeleted ? '2026-01-01T11:00:00Z' : null,
    }),
  );

const anyQuery: fc.Arbitrary<HealthQuery> = fc.record({
  hidePassing: fc.boolean(),
  query: fc.constantFrom('', 'check-1', 'new'),
  labels: fc.constantFrom<HealthQuery['labels']>({}, { 'canary:app:x': 1 }, { 'canary:app:x': -1 }),
  groupBy: fc.constantFrom<HealthQuery['groupBy']>('none', 'canary_name', 'name'),
  tabBy: fc.constant<HealthQuery['tabBy']>('namespace'),
  tab: fc.constantFrom(ALL_TAB, 'x'),
  pivotBy: fc.constant(null),
  sortBy: fc.constantFrom<HealthQuery['sortBy']>('name', 'health', 'uptime', 'latency', 'transition'),
  sortDesc: fc.boolean(),
  timeRange: fc.constant<HealthQuery['timeRange']>('1h'),
  expanded: fc.constantFrom([], ['a', 'x']),
});

const inputOf = (index: CheckIndex): BoardInput => ({
  isLoaded: true,
  entries: index.entries(),
  facets: index.facets(),
  summaryRange: '1h',
});

function told(input: BoardInput, query: HealthQuery) {
  const board = boardOf(input, query);
  return {
    frame: board.frame,
    rows: board.rows(0, 40),
    later: healthLater(input, { query, window: { start: 0, end: 40 } }),
  };
}

test('whatever changed, the board and what becomes of it are those of the checks as they are', () => {
  fc.assert(
    fc.property(
      fc.array(anyCheck, { minLength: 6, maxLength: 20 }),
      fc.array(fc.array(anyCheck, { minLength: 1, maxLength: 3 }), { maxLength: 6 }),
      fc.array(anyQuery, { minLength: 1, maxLength: 4 }),
      (first, steps, queries) => {
        const index = createCheckIndex();
        const rows = new Map<string, Check>();
        for (const upserts of [first, ...steps]) {
          index.apply({ upserts, deletedIds: [] }, NOW_MS);
          for (const check of upserts) rows.set(check.id, check);
          const anew = createCheckIndex();
          anew.replaceAll([...rows.values()], NOW_MS);
          for (const query of queries)
            expect(told(inputOf(index), query)).toEqual(told(inputOf(anew), query));
        }
      },
    ),
    { numRuns: 300 },
  );
});
