/**
 * The law of a cached health window: shown at any later moment, it never says more of passing than the worker would
 * say of the same checks at that moment; and where the passing of time leaves no doubt, it says the same.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { FirstWindow } from '../../src/contract/first-window.ts';
import { checkSchema } from '../../src/contract/http/canary.ts';
import type { HealthPatch, HealthQuery, HealthRow } from '../../src/contract/worker.ts';
import { healthAt } from '../../src/data/client/windows/cached-health.ts';
import type { Check } from '../../src/domain/check/check.ts';
import { ALL_TAB, type GroupBy } from '../../src/domain/check/grouping.ts';
import { currentUntilMs, emptyCounts } from '../../src/domain/check/health.ts';
import { createCheckIndex } from '../../src/contract/health-board/check-index.ts';
import { healthLater } from '../../src/contract/health-board/health-window.ts';
import { boardOf } from '../../src/contract/health-board/health-board.ts';

const NOW = Date.parse('2026-01-01T12:00:00Z');
const MINUTE = 60_000;
const WINDOW = { start: 0, end: 100 };
const iso = (ms: number) => new Date(ms).toISOString();

/** Checks that ran lately, at intervals from half a minute to a day; some are late already, some ran never. */
const arbitraryChecks = fc
  .array(
    fc.record({
      name: fc.constantFrom('api/a', 'api/b', 'web', 'db'),
      canary: fc.constantFrom('one', 'two', 'three'),
      namespace: fc.constantFrom('prod', ''),
      status: fc.constantFrom('healthy', 'healthy', 'healthy', 'unhealthy', null),
      intervalMs: fc.constantFrom(MINUTE / 2, MINUTE, 5 * MINUTE, 60 * MINUTE, 1440 * MINUTE),
      agoMs: fc.integer({ min: 0, max: 90 * MINUTE }),
      hasNextRun: fc.constantFrom(true, true, true, false),
    }),
    { maxLength: 12 },
  )
  .map((facts) =>
    facts.map(({ name, canary, namespace, status, intervalMs, agoMs, hasNextRun }, at): Check => {
      const lastMs = NOW - agoMs;
      const row = {
        id: `check-${at}`,
        canary_id: canary,
        canary_name: canary,
        name,
        namespace,
        type: 'http',
      };
      return {
        ...checkSchema.parse(row),
        status: status as Check['status'],
        last_runtime: iso(lastMs),
        next_runtime: hasNextRun ? iso(lastMs + intervalMs) : null,
        uptime: { passed: 3, failed: status === 'unhealthy' ? 1 : 0, last_pass: iso(lastMs) },
        latency: { p95: 10 + at },
      };
    }),
  );
const arbitraryQuery = fc.record({
  hidePassing: fc.boolean(),
  query: fc.constantFrom('', '', 'api'),
  labels: fc.constant({}),
  groupBy: fc.constantFrom<GroupBy>('none', 'canary_name', 'name'),
  tabBy: fc.constant('namespace' as const),
  tab: fc.constantFrom(ALL_TAB, 'prod'),
  pivotBy: fc.constantFrom(null, null, 'namespace'),
  sortBy: fc.constantFrom<HealthQuery['sortBy']>('name', 'health', 'uptime'),
  sortDesc: fc.boolean(),
  timeRange: fc.constant('1h' as const),
  expanded: fc.constantFrom<string[]>([], ['one', 'api']),
});
const arbitraryDelay = fc.oneof(
  fc.integer({ min: 0, max: 5 * MINUTE }),
  fc.integer({ min: 0, max: 4000 * MINUTE }),
);

/** What the worker caches now and says of the same checks then. */
function bothOf(checks: Check[], query: HealthQuery, thenMs: number) {
  const index = createCheckIndex();
  index.replaceAll(checks, NOW);
  const input = () => ({
    isLoaded: true,
    entries: index.entries(),
    facets: index.facets(),
    summaryRange: '1h' as const,
  });
  const board = () => {
    const answer = boardOf(input(), query);
    return { frame: answer.frame, rows: answer.rows(WINDOW.start, WINDOW.end) };
  };
  const { frame, rows } = board();
  const window: FirstWindow<HealthPatch> = {
    patch: { generation: 0, frame, rows: { start: 0, rows } },
    later: healthLater(input(), { query, window: WINDOW }),
  };
  index.reevaluate(thenMs);
  return { window: JSON.parse(JSON.stringify(window)) as typeof window, said: board() };
}

const healthyIn = (row: HealthRow | undefined) => {
  if (row === undefined) return 0;
  return row.kind === 'group' ? row.counts.healthy : Number(row.health.state === 'healthy');
};

/** That a row says no more of passing than the one of the truth. */
function expectNoMorePassing(row: HealthRow, real: HealthRow | undefined): void {
  expect(healthyIn(row)).toBeLessThanOrEqual(healthyIn(real));
  if (row.kind === 'check' || real?.kind !== 'group') return;
  if (row.health === 'healthy') expect(real.health).toBe('healthy');
  expect(row.fullyPassing).toBeLessThanOrEqual(real.fullyPassing);
  const green = Object.entries(row.pivot ?? {}).filter(([, { health }]) => health === 'healthy');
  for (const [key] of green) expect(real.pivot?.[key]?.health).toBe('healthy');
}

describe('a cached health window', () => {
  test('never says passing of what is overdue when it is shown', () => {
    fc.assert(
      fc.property(arbitraryChecks, arbitraryQuery, arbitraryDelay, (checks, query, delayMs) => {
        const nowMs = NOW + delayMs;
        const { window, said } = bothOf(checks, query, nowMs);
        const shown = healthAt(window, nowMs);
        if (shown === null) return;
        const truth = bothOf(checks, { ...query, hidePassing: false }, nowMs).said;
        const truthOf = new Map(truth.rows.map((row) => [row.key, row]));
        for (const row of shown.rows) expectNoMorePassing(row, truthOf.get(row.key));
        expect(shown.frame.counts.healthy).toBeLessThanOrEqual(said.frame.counts.healthy);
        expect(shown.frame.shown.healthy).toBeLessThanOrEqual(said.frame.shown.healthy);
        expect(shown.frame.hiddenPassing).toBeLessThanOrEqual(said.frame.hiddenPassing);
        for (const tab of said.frame.tabs) {
          const own = shown.frame.tabs.find(({ key }) => key === tab.key) ?? { unhealthy: 0, unknown: 0 };
          expect(own.unhealthy + own.unknown).toBeGreaterThanOrEqual(tab.unhealthy + tab.unknown);
        }
      }),
      { seed: 15, numRuns: 400 },
    );
  });

  test('is what the worker says of unchanged checks, before the first is overdue and after the last', () => {
    let compared = 0;
    fc.assert(
      fc.property(arbitraryChecks, arbitraryQuery, arbitraryDelay, (checks, query, delayMs) => {
        const nowMs = NOW + delayMs;
        const { window, said } = bothOf(checks, query, nowMs);
        const last = Math.max(...checks.map(currentUntilMs).filter(Number.isFinite), 0);
        const { healthyUntilMs = 0, figuresUntilMs = 0 } = window.later ?? {};
        if (nowMs >= figuresUntilMs || (nowMs > healthyUntilMs && nowMs <= last)) return;
        compared += checks.length;
        expect(healthAt(window, nowMs)).toEqual(JSON.parse(JSON.stringify(said)));
      }),
      { seed: 16, numRuns: 400 },
    );
    expect(compared).toBeGreaterThan(200);
  });

  test('that was not read from a whole store, or is of no checks, is not shown', () => {
    const { window } = bothOf([], { ...QUERY }, NOW);
    expect(healthAt(window, NOW)?.frame.counts).toEqual(emptyCounts());
    expect(healthAt({ ...window, later: null }, NOW)).toBeNull();
    const frame = { ...(window.patch.frame as NonNullable<HealthPatch['frame']>), isLoaded: false };
    expect(healthAt({ ...window, patch: { ...window.patch, frame } }, NOW)).toBeNull();
  });
});

const QUERY: HealthQuery = {
  hidePassing: true,
  query: '',
  labels: {},
  groupBy: 'canary_name',
  tabBy: 'namespace',
  tab: ALL_TAB,
  pivotBy: null,
  sortBy: 'health',
  sortDesc: true,
  timeRange: '1h',
  expanded: [],
};
