import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { HealthQuery, HealthRow } from '../worker.ts';
import type { Check } from '../../domain/check/check.ts';
import { ALL_TAB, groupKey, tabKey, type GroupBy } from '../../domain/check/grouping.ts';
import { checkHealth } from '../../domain/check/health.ts';
import { createCheckIndex } from './check-index.ts';
import { boardOf } from './health-board.ts';
import { check } from './test-check.ts';

const NOW = Date.parse('2026-01-01T12:00:00Z');
const BASE: HealthQuery = {
  hidePassing: false,
  query: '',
  labels: {},
  groupBy: 'none',
  tabBy: 'namespace',
  tab: ALL_TAB,
  pivotBy: null,
  sortBy: 'name',
  sortDesc: false,
  timeRange: '1h',
  expanded: [],
};

function board(checks: Check[], query: Partial<HealthQuery> = {}) {
  const index = createCheckIndex();
  index.replaceAll(checks, NOW);
  const answer = boardOf(
    { isLoaded: true, entries: index.entries(), facets: index.facets(), summaryRange: '1h' },
    { ...BASE, ...query },
  );
  return { frame: answer.frame, rows: answer.rows(0, answer.frame.rowCount) };
}
const names = (rows: HealthRow[]) => rows.map((row) => row.key);

const rarely = fc.nat(9).map((dice) => dice === 0);
const arbitraryCheck = fc.record({
  name: fc.constantFrom('Api', 'api/one', 'api/two', 'db', 'Zeta', 'web', 'web/x'),
  canary: fc.constantFrom('alpha', 'Beta', ''),
  namespace: fc.constantFrom('', 'prod', 'dev'),
  status: fc.constantFrom<Check['status']>('healthy', 'unhealthy', null),
  isOverdue: rarely,
  isDeleted: rarely,
  isSilenced: rarely,
  labels: fc.record({ app: fc.constantFrom('x', 'y') }, { requiredKeys: [] }),
  p95: fc.option(fc.integer({ min: 0, max: 50 })),
  passed: fc.integer({ min: 0, max: 3 }),
  failed: fc.integer({ min: 0, max: 3 }),
});
// Boards on which most is shown: what filters nearly everything away proves little.
const arbitraryChecks = fc.array(arbitraryCheck, { maxLength: 30, size: 'max' }).map((facts) =>
  facts.map((fact, at) =>
    check(`id-${at}`, {
      name: fact.name,
      canary_name: fact.canary,
      namespace: fact.namespace,
      status: fact.status,
      labels: fact.labels as Record<string, string>,
      latency: { p95: fact.p95 },
      uptime: { passed: fact.passed, failed: fact.failed },
      last_runtime: '2026-01-01T10:00:00Z',
      next_runtime: fact.isOverdue ? '2026-01-01T10:01:00Z' : '2026-01-01T12:01:00Z',
      deleted_at: fact.isDeleted ? '2026-01-01T11:00:00Z' : null,
      silenced_at: fact.isSilenced ? '2026-01-01T11:00:00Z' : null,
    }),
  ),
);
const arbitraryQuery = fc.record({
  hidePassing: fc.boolean(),
  query: fc.constantFrom('', '', '', 'API', 'web', 'nothing'),
  labels: fc.constantFrom<HealthQuery['labels']>({}, { 'canary:app:x': 1 }, { 'canary:app:x': -1 }),
  groupBy: fc.constantFrom<GroupBy>('none', 'canary_name', 'name', 'type', 'label:app'),
  tab: fc.constantFrom(ALL_TAB, ALL_TAB, 'prod', 'none'),
  sortBy: fc.constantFrom<HealthQuery['sortBy']>('name', 'health', 'uptime', 'latency', 'transition'),
  sortDesc: fc.boolean(),
});

/** The rules written down a second time, slowly and plainly. */
function naiveShown(checks: Check[], query: HealthQuery): Check[] {
  return checks.filter((row) => {
    if (row.deleted_at !== null || row.silenced_at !== null) return false;
    const words = [row.name, row.description, row.endpoint, row.canary_name].join('\n').toLowerCase();
    if (!words.includes(query.query.toLowerCase())) return false;
    if (query.labels['canary:app:x'] === 1 && row.labels.app !== 'x') return false;
    if (query.labels['canary:app:x'] === -1 && row.labels.app === 'x') return false;
    if (query.tab !== ALL_TAB && tabKey(row, 'namespace') !== query.tab) return false;
    return !(query.hidePassing && checkHealth(row, NOW).state === 'healthy');
  });
}

describe('the health board', () => {
  test('shows exactly the checks that a plain reading of the rules shows', () => {
    fc.assert(
      fc.property(arbitraryChecks, arbitraryQuery, (checks, part) => {
        const query = { ...BASE, ...part };
        const expected = naiveShown(checks, query);
        const groups =
          query.groupBy === 'none' ? [] : expected.map((row) => groupKey(row, query.groupBy as never));
        const { rows, frame } = board(checks, { ...part, expanded: groups });
        const shown = rows.filter((row) => row.kind === 'check').map((row) => row.key);
        expect(shown.toSorted()).toEqual(expected.map((row) => row.id).toSorted());
        expect(
          rows
            .filter((row) => row.kind === 'group')
            .map((row) => row.key)
            .toSorted(),
        ).toEqual([...new Set(groups)].toSorted());
        expect(frame.rowCount).toBe(rows.length);
      }),
      { seed: 7, numRuns: 300 },
    );
  });

  test('no check is lost or shown twice by grouping, and group totals add up', () => {
    fc.assert(
      fc.property(arbitraryChecks, arbitraryQuery, (checks, part) => {
        const query = { ...BASE, ...part };
        const expected = naiveShown(checks, query);
        const asked = naiveShown(checks, { ...query, hidePassing: false });
        const { rows, frame } = board(checks, part);
        const hasRows = new Set(
          query.groupBy === 'none' ? [] : expected.map((row) => groupKey(row, query.groupBy as never)),
        );
        const counted =
          query.groupBy === 'none'
            ? expected
            : asked.filter((row) => hasRows.has(groupKey(row, query.groupBy as never)));
        const total = rows.reduce((sum, row) => sum + (row.kind === 'group' ? row.total : 1), 0);
        expect(total).toBe(counted.length);
        const { healthy, unhealthy, warning, unknown } = frame.shown;
        expect(healthy + unhealthy + warning + unknown).toBe(expected.length);
        expect(frame.hiddenPassing).toBe(asked.length - expected.length);
      }),
      { seed: 8, numRuns: 300 },
    );
  });

  test('what a group adds up to is the sum of all its checks, whatever Hide Passing hides', () => {
    fc.assert(
      fc.property(arbitraryChecks, arbitraryQuery, (checks, part) => {
        const query: HealthQuery = { ...BASE, ...part, groupBy: 'canary_name', pivotBy: 'namespace' };
        const all = board(checks, { ...query, hidePassing: false }).rows;
        const hiding = board(checks, { ...query, hidePassing: true }).rows;
        const isWhollyPassing = (row: HealthRow) => row.kind === 'group' && row.counts.healthy === row.total;
        // Rows may disappear, and only those where everything passes; what stays stays as it was.
        expect(hiding).toEqual(all.filter((row) => !isWhollyPassing(row)));
        for (const row of hiding) {
          if (row.kind !== 'group') throw new Error('only groups were asked for');
          const members = naiveShown(checks, { ...query, hidePassing: false }).filter(
            (check) => groupKey(check, 'canary_name') === row.key,
          );
          const states = members.map((check) => checkHealth(check, NOW).state);
          for (const state of ['healthy', 'unhealthy', 'unknown', 'warning'] as const)
            expect(row.counts[state]).toBe(states.filter((one) => one === state).length);
          expect(row.total).toBe(members.length);
          expect(row.fullyPassing).toBe(
            members.filter(({ uptime }) => uptime.failed === 0 && uptime.passed > 0).length,
          );
          expect(row.notRun).toBe(members.filter(({ uptime }) => uptime.failed + uptime.passed === 0).length);
        }
      }),
      { seed: 12, numRuns: 300 },
    );
  });

  test('a group with one of four failing is mixed, and says three of four, while the passing rows are hidden', () => {
    const four = [
      check('a'),
      check('b', { status: 'unhealthy', uptime: { passed: 0, failed: 1 } }),
      check('c'),
      check('d'),
    ];
    const { rows, frame } = board(four, {
      hidePassing: true,
      groupBy: 'canary_name',
      expanded: ['canary'],
    });
    expect(names(rows)).toEqual(['canary', 'b']);
    expect(rows[0]).toMatchObject({
      health: 'warning',
      counts: { healthy: 3, unhealthy: 1 },
      total: 4,
      memberCount: 4,
      fullyPassing: 3,
    });
    expect(frame.hiddenPassing).toBe(3);
  });

  test('a group that a search narrows says how many of its checks it is about', () => {
    const { rows } = board([check('api'), check('db'), check('web', { namespace: 'other' })], {
      query: 'api',
      tab: 'default',
      groupBy: 'canary_name',
    });
    expect(rows[0]).toMatchObject({ key: 'canary', total: 1, memberCount: 2 });
  });

  test('sorted by health, the worst comes first, and what is not known before what passes', () => {
    const { rows } = board(
      [
        check('fine', { canary_name: 'fine' }),
        check('new', { canary_name: 'new', status: null }),
        check('half', { canary_name: 'half' }),
        check('half too', { canary_name: 'half', status: 'unhealthy' }),
        check('down', { canary_name: 'down', status: 'unhealthy' }),
      ],
      { groupBy: 'canary_name', sortBy: 'health', sortDesc: true },
    );
    expect(names(rows)).toEqual(['down', 'half', 'new', 'fine']);
  });

  test('sorting never changes what is shown, and unknown numbers come last both ways', () => {
    fc.assert(
      fc.property(arbitraryChecks, fc.boolean(), (checks, sortDesc) => {
        const byName = board(checks);
        const byLatency = board(checks, { sortBy: 'latency', sortDesc });
        expect(names(byLatency.rows).toSorted()).toEqual(names(byName.rows).toSorted());
        const values = byLatency.rows.map((row) => (row.kind === 'check' ? row.check.latency.p95 : null));
        const known = values.filter((value): value is number => value !== null && value !== undefined);
        expect(values.slice(0, known.length)).toEqual(known.toSorted((a, b) => (sortDesc ? b - a : a - b)));
      }),
      { seed: 9, numRuns: 200 },
    );
  });

  test('hide passing never hides a check whose state is not known now', () => {
    const overdue = check('overdue', {
      last_runtime: '2026-01-01T10:00:00Z',
      next_runtime: '2026-01-01T10:01:00Z',
    });
    const { rows, frame } = board([overdue, check('fine'), check('new', { status: null })], {
      hidePassing: true,
    });
    expect(names(rows)).toEqual(['new', 'overdue']);
    expect(frame.hiddenPassing).toBe(1);
  });

  test('names sort by code unit without regard to case', () => {
    expect(names(board([check('b'), check('A'), check('_'), check('B'), check('a')]).rows)).toEqual([
      '_',
      'A',
      'a',
      'B',
      'b',
    ]);
  });

  test('tabs start with All, then the sorted values, and none for an empty namespace', () => {
    const { frame } = board(
      [
        check('1', { namespace: 'z' }),
        check('2', { namespace: '' }),
        check('3', { namespace: 'a', status: 'unhealthy' }),
        check('4', { namespace: 'z', status: null }),
      ],
      { hidePassing: true },
    );
    expect(frame.tabs).toEqual([
      { key: 'All', total: 4, unhealthy: 1, unknown: 1 },
      { key: 'a', total: 1, unhealthy: 1, unknown: 0 },
      { key: 'none', total: 1, unhealthy: 0, unknown: 0 },
      { key: 'z', total: 2, unhealthy: 0, unknown: 1 },
    ]);
  });

  test('a group row says what its checks add up to', () => {
    const { rows } = board(
      [
        check('1', {
          latency: { p95: 10 },
          uptime: { passed: 2, failed: 0 },
          icon: 'box',
          recent_runs: '900p0p60',
        }),
        check('2', {
          status: 'unhealthy',
          type: 'tcp',
          latency: { p95: 30 },
          uptime: { passed: 1, failed: 1 },
          last_transition_time: '2026-01-01T11:00:00+00:00',
          recent_runs: '890f10',
        }),
      ],
      { groupBy: 'canary_name' },
    );
    expect(rows).toEqual([
      {
        kind: 'group',
        key: 'canary',
        name: 'canary',
        icon: 'box',
        health: 'warning',
        counts: { healthy: 1, unhealthy: 1, warning: 0, unknown: 0 },
        total: 2,
        memberCount: 2,
        fullyPassing: 1,
        notRun: 0,
        latencyMs: 30,
        lastTransition: '2026-01-01T11:00:00+00:00',
        isExpanded: false,
        runs: { total: [2, 1], failed: [1, 0], newest: [900, 840], oldest: [880, 840] },
        types: ['http', 'tcp'],
        namespaces: ['default'],
        pivot: null,
      },
    ]);
  });

  test('an expanded group is followed by its checks in the chosen order', () => {
    const { rows } = board([check('x', { latency: { p95: 5 } }), check('y', { latency: { p95: 9 } })], {
      groupBy: 'canary_name',
      expanded: ['canary'],
      sortBy: 'latency',
      sortDesc: true,
    });
    expect(names(rows)).toEqual(['canary', 'y', 'x']);
    expect(rows.slice(1).every((row) => row.kind === 'check' && row.isNested)).toBe(true);
  });

  test('pivot columns are the sorted values, and a cell adds up its checks', () => {
    const { rows, frame } = board(
      [
        check('1', { labels: { app: 'y' }, uptime: { passed: 1, failed: 0 } }),
        check('2', { labels: { app: 'x' }, uptime: { passed: 2, failed: 1 }, status: 'unhealthy' }),
        check('3', { labels: { app: 'x' }, latency: { p95: 7 } }),
        check('4'),
      ],
      { groupBy: 'canary_name', pivotBy: 'app' },
    );
    expect(frame.pivotColumns).toEqual(['x', 'y']);
    expect(rows[0]?.pivot).toEqual({
      x: { health: 'warning', uptime: { passed: 3, failed: 1 }, latencyMs: 7, total: 2 },
      y: { health: 'healthy', uptime: { passed: 1, failed: 0 }, latencyMs: null, total: 1 },
    });
  });

  test('label facets count how many checks carry each value', () => {
    const { frame } = board([
      check('1', { labels: { app: 'y', tier: 'a' } }),
      check('2', { labels: { app: 'x' } }),
      check('3', { labels: { app: 'x' }, deleted_at: '2026-01-01T00:00:00Z' }),
    ]);
    expect(frame.facets).toEqual([
      {
        key: 'app',
        values: [
          { value: 'x', total: 1 },
          { value: 'y', total: 1 },
        ],
      },
      { key: 'tier', values: [{ value: 'a', total: 1 }] },
    ]);
  });
});

describe('the index', () => {
  test('changes one by one end where loading everything at once ends', () => {
    fc.assert(
      fc.property(arbitraryChecks, arbitraryChecks, (before, after) => {
        const step = createCheckIndex();
        step.replaceAll(before, NOW);
        for (const row of after) step.apply({ upserts: [row], deletedIds: [] }, NOW);
        const gone = before.slice(after.length).map((row) => row.id);
        step.apply({ upserts: [], deletedIds: gone }, NOW);
        const whole = createCheckIndex();
        whole.replaceAll(after, NOW);
        expect(step.entries()).toEqual(whole.entries());
        expect(step.facets()).toEqual(whole.facets());
      }),
      { seed: 10, numRuns: 200 },
    );
  });

  test('time alone turns a healthy check that missed its runs grey', () => {
    const index = createCheckIndex();
    const row = check('1', { last_runtime: '2026-01-01T12:00:00Z', next_runtime: '2026-01-01T12:00:30Z' });
    index.replaceAll([row], NOW);
    expect(index.get('1')?.health.state).toBe('healthy');
    expect(index.reevaluate(NOW + 60_000)).toBe(false);
    expect(index.reevaluate(NOW + 120_000)).toBe(true);
    expect(index.get('1')?.health).toEqual({ state: 'unknown', lastKnown: 'healthy', isStale: true });
  });

  test('figures of runs that are older than the hour are not shown, whichever way the clock goes', () => {
    const index = createCheckIndex();
    const row = check('1', {
      uptime: { passed: 0, failed: 1, last_fail: '2026-01-01T11:30:00Z' },
      latency: { p95: 20 },
    });
    index.replaceAll([row], NOW);
    const figures = () => [index.get('1')?.check.uptime.failed, index.get('1')?.check.latency.p95];
    expect(figures()).toEqual([1, 20]);
    expect(index.reevaluate(NOW + 29 * 60_000)).toBe(false);
    expect(index.reevaluate(NOW + 30 * 60_000)).toBe(true);
    expect(figures()).toEqual([0, undefined]);
    expect(index.reevaluate(NOW)).toBe(true);
    expect(figures()).toEqual([1, 20]);
    index.replaceAll([row], NOW + 86_400_000);
    expect(figures()).toEqual([0, undefined]);
  });
});
