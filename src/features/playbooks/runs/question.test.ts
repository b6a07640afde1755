import { expect, test } from 'vitest';
import { aboutOf, conditionsOf, orderOf, viewOf } from './question.ts';

const NOW = Date.parse('2026-01-08T12:00:00Z');
const state = (sortBy: string | null, isDescending = true) => ({
  sortBy,
  isDescending,
  pageIndex: 0,
  pageSize: 50,
});

test('runs are narrowed to one thing, and to the last seven days unless the link says otherwise', () => {
  expect(aboutOf({})).toBeNull();
  expect(aboutOf({ component: 'c1' })).toEqual({ kind: 'component', id: 'c1' });
  const conditions = conditionsOf({ component: 'c1', playbook: 'p1', status: 'running' }, NOW);
  expect(conditions).toContainEqual({ op: 'eq', column: 'component_id', value: 'c1' });
  expect(conditions).toContainEqual({ op: 'eq', column: 'playbook_id', value: 'p1' });
  expect(conditions).toContainEqual({
    op: 'in',
    column: 'status',
    values: ['running', 'waiting', 'sleeping'],
  });
  expect(conditions).toContainEqual({
    op: 'within',
    columns: ['start_time', 'created_at'],
    after: 'now-7d',
    before: null,
  });
});

test('runs are narrowed to an agent, which is no thing that they are about', () => {
  expect(aboutOf({ agent: 'a1' })).toBeNull();
  expect(conditionsOf({ agent: 'a1' }, NOW)).toContainEqual({ op: 'eq', column: 'agent_id', value: 'a1' });
});

test('only who orders by duration needs the view that has it; runs that are alike stand newest first', () => {
  expect(viewOf(state('name'))).toBe('playbook_runs');
  expect(viewOf(state('duration'))).toBe('playbook_runs_timed');
  const newest = { column: 'created_at', isDescending: true };
  expect(orderOf(state('duration', false))).toEqual([{ column: 'duration_ms', isDescending: false }, newest]);
  expect(orderOf(state(null))).toEqual([newest]);
});
