import { describe, expect, test } from 'vitest';
import { insightsSearch } from '../search-schemas.ts';
import { filterLink, hasFilters, insightState, NO_FILTERS } from './url-state.ts';

type Link = Record<string, string>;
const parseInsightSearch = (link: Link) => insightState(insightsSearch.parse(link));
const changed = (link: Link, change: object): Link =>
  insightsSearch.format({ ...insightsSearch.parse(link), ...change });
const withInsightFilter = (link: Link, ...filter: Parameters<typeof filterLink>) =>
  changed(link, filterLink(...filter));
const withoutFilters = (link: Link) => changed(link, NO_FILTERS);

describe('the link of the insights', () => {
  test('nothing said means open ones, newest first', () => {
    const state = parseInsightSearch({});
    expect(state).toMatchObject({ status: 'open', sortBy: 'first_observed', isDescending: true });
    expect(hasFilters(state)).toBe(false);
  });

  test('links from elsewhere are understood: component, type, severity in any case, all for none', () => {
    const state = parseInsightSearch({
      component: 'c1',
      type: 'security',
      severity: 'Critical',
      analyzer: 'all',
      status: 'nonsense',
    });
    expect(state).toMatchObject({
      component: 'c1',
      type: 'security',
      severity: 'critical',
      analyzer: null,
      status: 'open',
    });
  });

  test('a filter starts at the first row, and clearing leaves the order alone', () => {
    const search = { sortBy: 'severity', pageIndex: '2', insight: 'x' };
    const narrowed = withInsightFilter(search, 'type', 'cost');
    expect(narrowed).toEqual({ sortBy: 'severity', insight: 'x', type: 'cost' });
    expect(withoutFilters(narrowed)).toEqual({ sortBy: 'severity', insight: 'x' });
    expect(withInsightFilter(narrowed, 'type', null)).toEqual({ sortBy: 'severity', insight: 'x' });
  });
});
