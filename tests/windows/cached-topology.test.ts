/**
 * The law of a cached topology: shown at any later moment, it is what the worker would say of the same components at
 * that moment, or nothing: it never says healthy of a component whose check is overdue.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ReplicatedRow } from '../../src/contract/collections.ts';
import { createCheckIndex } from '../../src/contract/health-board/check-index.ts';
import { healthyUntilMs } from '../../src/contract/health-board/health-window.ts';
import { checkSchema } from '../../src/contract/http/canary.ts';
import type { TopologyQuery } from '../../src/contract/topology-view.ts';
import { asHealthy } from '../../src/data/client/windows/window-views.ts';
import type { Check } from '../../src/domain/check/check.ts';
import { CollectionIndex } from '../../workers/compute/live/collection-index.ts';
import { createFacets, createTopologyBoard } from '../../workers/compute/topology/topology-board.ts';
import { TopologyModel } from '../../workers/compute/topology/topology-model.ts';

const NOW = Date.parse('2026-01-01T12:00:00Z');
const MINUTE = 60_000;
const QUERY: TopologyQuery = {
  rootId: null,
  isFlat: true,
  search: '',
  status: {},
  types: {},
  teams: {},
  agents: {},
  labels: {},
  hidesHidden: false,
  sortBy: 'status',
  isDescending: true,
};

const arbitraryCheck = fc.record({
  status: fc.constantFrom<Check['status']>('healthy', 'healthy', 'unhealthy', null),
  agoMs: fc.integer({ min: 0, max: 30 * MINUTE }),
  intervalMs: fc.constantFrom(MINUTE, 5 * MINUTE, 60 * MINUTE, null),
});
const CHECKS = 8;
const arbitraryComponents = fc.array(
  fc.record({
    parent: fc.constantFrom<string | null>(null, 'component-0', 'component-1'),
    checks: fc.uniqueArray(fc.integer({ min: 0, max: CHECKS }), { maxLength: 3 }),
  }),
  { maxLength: 6 },
);
const arbitraryDelay = fc.oneof(
  fc.integer({ min: 0, max: 5 * MINUTE }),
  fc.integer({ min: 0, max: 4000 * MINUTE }),
);

type CheckFacts = typeof arbitraryCheck extends fc.Arbitrary<infer Facts> ? Facts : never;
type ComponentFacts = typeof arbitraryComponents extends fc.Arbitrary<(infer Facts)[]> ? Facts : never;

function checkOf({ status, agoMs, intervalMs }: CheckFacts, at: number): Check {
  const lastMs = NOW - agoMs;
  const row = { id: `check-${at}`, canary_id: 'c', name: `check-${at}`, type: 'http' };
  return {
    ...checkSchema.parse(row),
    status,
    last_runtime: new Date(lastMs).toISOString(),
    next_runtime: intervalMs === null ? null : new Date(lastMs + intervalMs).toISOString(),
  };
}

const componentOf = ({ parent, checks }: ComponentFacts, at: number): ReplicatedRow => ({
  id: `component-${at}`,
  name: `component-${at}`,
  parent_id: parent === `component-${at}` ? null : parent,
  status: '',
  // As the server counted them a while ago. One more check than there are is not on this device.
  checks: checks.length === 0 ? null : { healthy: checks.length },
  check_ids: checks.map((one) => `check-${one}`),
});

/** What the worker says of these, at whatever time it is. */
function workerOf(checks: readonly Check[], components: readonly ReplicatedRow[]) {
  const index = createCheckIndex();
  index.replaceAll(checks, NOW);
  const rows = new CollectionIndex('components', {
    shown: (row) => (row === null ? null : { row, pending: 'none' }),
    touchedIds: () => [],
  });
  rows.apply({ upserts: components, deletedIds: [] });
  let hearChecks = () => {};
  const model = new TopologyModel(
    { attend: () => ({ source: { index: rows, isLoaded: () => true }, leave: () => {} }) },
    {
      isLoaded: () => true,
      stateOf: (id) => index.get(id)?.health.state,
      follow(refresh) {
        hearChecks = refresh;
        return () => {};
      },
    },
    () => {},
  );
  const answer = createTopologyBoard(model, createFacets(model));
  return {
    index,
    say(nowMs: number) {
      index.reevaluate(nowMs);
      hearChecks();
      const board = answer(QUERY);
      return JSON.parse(JSON.stringify({ frame: board.frame, rows: board.rows(0, 50) })) as {
        frame: typeof board.frame;
        rows: ReturnType<typeof board.rows>;
      };
    },
  };
}

test('a cached topology is what the worker says of unchanged data, and is not shown once a check is overdue', () => {
  const counted = { shown: 0, hidden: 0 };
  fc.assert(
    fc.property(
      fc.array(arbitraryCheck, { minLength: CHECKS, maxLength: CHECKS }),
      arbitraryComponents,
      arbitraryDelay,
      (checks, components, delayMs) => {
        const worker = workerOf(checks.map(checkOf), components.map(componentOf));
        const { frame, rows } = worker.say(NOW);
        const patch = { generation: 0, frame, rows: { start: 0, rows } };
        const found = { patch, later: null, healthyUntilMs: healthyUntilMs(worker.index.entries()) };
        const shown = asHealthy(found, NOW + delayMs);
        const said = worker.say(NOW + delayMs);
        counted[shown === null ? 'hidden' : 'shown'] += 1;
        if (shown !== null) expect(shown).toEqual(said);
        // Of another kind, or by a build that didn't know of it.
        expect(asHealthy({ patch, later: null }, NOW)).toBeNull();
      },
    ),
    { seed: 17, numRuns: 150 },
  );
  expect(Math.min(counted.shown, counted.hidden)).toBeGreaterThan(20);
});
