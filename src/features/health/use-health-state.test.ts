import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DEFAULT_SETTINGS } from './health-settings.ts';
import { stateOf } from './health-question.ts';
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

const anyChange: fc.Arbitrary<HealthSearch> = fc.record(
  {
    query: fc.constantFrom('', 'api'),
    tab: fc.constantFrom('All', 'http'),
    groupBy: fc.constantFrom('none', 'canary_name'),
    hidePassing: fc.boolean(),
    sortBy: fc.constantFrom('health', 'name', 'uptime'),
    sortDesc: fc.boolean(),
    labels: fc.constantFrom({}, { 'canary:a:b': 1 as const }),
    timeRange: fc.constantFrom('1h', '1d'),
  },
  { requiredKeys: [] },
);

test('what is asked for ahead of the drawing is what the changed link says', () => {
  fc.assert(
    fc.property(anyChange, anyChange, (link, change) => {
      const before = healthSearch.parse(healthSearch.format(link));
      const next = { ...before, ...linkChange(before, change) };
      const linked = healthSearch.parse(healthSearch.format(next));
      expect(stateOf(next, DEFAULT_SETTINGS)).toEqual(stateOf(linked, DEFAULT_SETTINGS));
    }),
  );
});
