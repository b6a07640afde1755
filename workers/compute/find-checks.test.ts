/** What is chosen of the board with its groups: the rows that it shows once all of them are open. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createCheckIndex } from '../../src/contract/health-board/check-index.ts';
import { boardOf, type BoardInput } from '../../src/contract/health-board/health-board.ts';
import { check } from '../../src/contract/health-board/test-check.ts';
import type { HealthQuery } from '../../src/contract/worker.ts';
import { ALL_TAB } from '../../src/domain/check/grouping.ts';
import { findChecks } from './find-checks.ts';

const NOW = Date.parse('2026-01-01T12:00:00Z');
const facts = fc.record({
  name: fc.constantFrom('api/one', 'api/two', 'db', 'web'),
  canary: fc.constantFrom('alpha', 'beta', ''),
  status: fc.constantFrom<'healthy' | 'unhealthy'>('healthy', 'unhealthy'),
});
const boards = fc.array(facts, { maxLength: 20, size: 'max' }).map((rows): BoardInput => {
  const index = createCheckIndex();
  const checks = rows.map(({ name, canary, status }, at) =>
    check(`id-${at}`, { name, canary_name: canary, status }),
  );
  index.replaceAll(checks, NOW);
  return { isLoaded: true, entries: index.entries(), facets: index.facets(), summaryRange: '1h' };
});
const queries = fc.record({
  hidePassing: fc.boolean(),
  query: fc.constantFrom('', 'api'),
  labels: fc.constant({}),
  groupBy: fc.constantFrom<HealthQuery['groupBy']>('none', 'name', 'canary_name'),
  tabBy: fc.constant<HealthQuery['tabBy']>('namespace'),
  tab: fc.constant(ALL_TAB),
  pivotBy: fc.constant(null),
  sortBy: fc.constantFrom<HealthQuery['sortBy']>('name', 'health'),
  sortDesc: fc.boolean(),
  timeRange: fc.constant('1h' as const),
  expanded: fc.subarray(['alpha', 'beta', 'api', 'db']),
});

test('they stand in the order of the board, each in the group under which it is shown', () => {
  fc.assert(
    fc.property(boards, queries, (board, query) => {
      const closed = boardOf(board, { ...query, expanded: [] });
      const groups = closed.rows(0, closed.frame.rowCount).map(({ key }) => key);
      const open = boardOf(board, { ...query, expanded: groups });
      const shown: [string | null, string][] = [];
      let group: string | null = null;
      for (const row of open.rows(0, open.frame.rowCount)) {
        if (row.kind === 'group') group = row.key;
        else shown.push([group, row.check.id]);
      }
      const found = findChecks(board, query, null);
      expect(found.map((one) => [one.group, one.id])).toEqual(shown);
      const flat = findChecks(board, { ...query, groupBy: 'none' }, null);
      for (const key of query.groupBy === 'none' ? [] : groups)
        expect(findChecks(board, query, key)).toEqual(found.filter((one) => one.group === key));
      expect(found.map(({ id }) => id).toSorted()).toEqual(flat.map(({ id }) => id).toSorted());
    }),
  );
});
