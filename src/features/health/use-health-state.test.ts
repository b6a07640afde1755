import { expect, test } from 'vitest';
import { linkChange } from './use-health-state.ts';
import { healthSearch, type HealthSearch } from './url-state.ts';

/** The link after a change. */
function changedSearch(link: Record<string, string>, change: HealthSearch): Record<string, string> {
  const before = healthSearch.parse(link);
  return healthSearch.format({ ...before, ...linkChange(before, change) });
}

test('a value that equals its default is left out of the link', () => {
  expect(changedSearch({ sortBy: 'uptime', query: 'api' }, { sortBy: 'health' })).toEqual({ query: 'api' });
  expect(changedSearch({ labels: '{"canary:a:b":1}' }, { labels: {} })).toEqual({});
});

test('a column starts in its own direction, and only the other one is said in the link', () => {
  expect(changedSearch({}, { sortBy: 'name', sortDesc: false })).toEqual({ sortBy: 'name' });
  expect(changedSearch({}, { sortBy: 'name', sortDesc: true })).toEqual({ sortBy: 'name', sortDesc: 'true' });
  expect(changedSearch({}, { sortDesc: false })).toEqual({ sortDesc: 'false' });
  expect(changedSearch({ sortDesc: 'false' }, { sortBy: 'health', sortDesc: true })).toEqual({});
});

test('a change touches only what it names, even an explicit default that a link carried', () => {
  expect(changedSearch({ groupBy: 'canary_name' }, { hidePassing: false })).toEqual({
    groupBy: 'canary_name',
    hidePassing: 'false',
  });
});
