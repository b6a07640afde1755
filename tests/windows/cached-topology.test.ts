/**
 * The law of a cached topology: shown at any later moment, it is what the worker would say of the same components at
 * that moment, or, once a check may be overdue, what it would say with all of them overdue: it calls no component
 * healthy of which the worker says something else.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ReplicatedRow } from '../../src/contract/collections.ts';
import { createCheckIndex } from '../../src/contract/health-board/check-index.ts';
import { healthyUntilMs } from '../../src/contract/health-board/health-window.ts';
import { checkSchema } from '../../src/contract/http/canary.ts';
import type {
  TopologyCard,
  TopologyFrame,
  TopologyPatch,
  TopologyQuery,
} from '../../src/contract/topology-view.ts';
import { asOfChecks } from '../../src/data/client/windows/window-views.ts';
import type { Check } from '../../src/domain/check/check.ts';
import { healthWhenOverdue } from '../../src/domain/check/health.ts';
import { CollectionIndex } from '../../src/contract/row-index/collection-index.ts';
import { TopologyViews } from '../../workers/compute/topology/topology-views.ts';

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
  const views = new TopologyViews(
    { now: () => NOW, later: () => {}, report: () => {} },
    { attend: () => ({ source: { index: rows, isLoaded: () => true }, leave: () => {} }) },
    {
      isLoaded: () => true,
      stateOf: (id) => index.get(id)?.health.state,
      overdueStateOf(id) {
        const entry = index.get(id);
        return entry === null ? undefined : healthWhenOverdue(entry.check).state;
      },
      follow: () => () => {},
    },
  );
  const first = (from: TopologyViews) => {
    const seen: TopologyPatch[] = [];
    from.openCards({ query: QUERY, window: { start: 0, end: 50 } }, (patch) => seen.push(patch)).close();
    const { frame, rows: { rows: cards = [] } = {} } = seen[0] ?? {};
    if (frame === undefined) throw new Error('Nothing was answered');
    return { frame, rows: cards };
  };
  return {
    healthyUntilMs: () => healthyUntilMs(index.entries()),
    say(nowMs: number) {
      index.reevaluate(nowMs);
      return first(views);
    },
    sayOverdue: () => first(views.whenOverdue()),
  };
}

/** Cards, and what stands in them, that are called healthy. */
const healthyIds = (answer: { rows: readonly TopologyCard[] } | null) =>
  (answer?.rows ?? []).flatMap((card) =>
    [card, ...card.children].filter(({ state }) => state === 'healthy').map(({ id }) => id),
  );

const patchOf = ({ frame, rows }: { frame: TopologyFrame; rows: TopologyCard[] }) => ({
  generation: 0,
  frame,
  rows: { start: 0, rows },
});

test('a cached topology is what the worker says of unchanged data, and calls nothing healthy that it does not', () => {
  const counted = { current: 0, overdue: 0 };
  fc.assert(
    fc.property(
      fc.array(arbitraryCheck, { minLength: CHECKS, maxLength: CHECKS }),
      arbitraryComponents,
      arbitraryDelay,
      (checks, components, delayMs) => {
        const nowMs = NOW + delayMs;
        const worker = workerOf(checks.map(checkOf), components.map(componentOf));
        const patch = patchOf(worker.say(NOW));
        const overdue = { healthyUntilMs: worker.healthyUntilMs(), patch: patchOf(worker.sayOverdue()) };
        const shown = asOfChecks({ patch, later: null, overdue }, nowMs);
        const said = worker.say(nowMs);
        const isCurrent = nowMs <= overdue.healthyUntilMs;
        counted[isCurrent ? 'current' : 'overdue'] += 1;
        if (isCurrent) expect(shown).toEqual(said);
        expect(shown?.frame.health.healthy).toBeLessThanOrEqual(said.frame.health.healthy);
        expect(healthyIds(said)).toEqual(expect.arrayContaining(healthyIds(shown)));
        // Long after it, all of them are.
        const end = Number.MAX_SAFE_INTEGER;
        expect(asOfChecks({ patch, later: null, overdue }, end)).toEqual(worker.say(end));
        // Of another kind, or by a build that didn't know of it.
        expect(asOfChecks({ patch, later: null }, NOW)).toBeNull();
      },
    ),
    { seed: 17, numRuns: 150 },
  );
  expect(Math.min(counted.current, counted.overdue)).toBeGreaterThan(20);
});
