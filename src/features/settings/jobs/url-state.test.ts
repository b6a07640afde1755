import { describe, expect, it } from 'vitest';
import type { TriState } from '../../../domain/tri-state.ts';
import { jobsSearch } from './search-schema.ts';
import * as state from './url-state.ts';

type Link = Record<string, string>;
const conditionsOf = (link: Link, nowMs: number) => state.conditionsOf(jobsSearch.parse(link), nowMs);
const parseFilter = (link: Link, name: state.FilterName) => state.filterOf(jobsSearch.parse(link), name);
const withFilter = (link: Link, name: state.FilterName, filter: TriState): Link =>
  jobsSearch.format({ ...jobsSearch.parse(link), ...state.filterLink(name, filter) });

const NOW = Date.parse('2024-03-15T12:00:00Z');

describe('the job history’s filters', () => {
  it('show what did not go well in the last two days, by themselves', () => {
    expect(conditionsOf({}, NOW)).toEqual([
      { op: 'not-in', column: 'status', values: ['SUCCESS'] },
      { op: 'after', column: 'created_at', moment: 'now-2d' },
    ]);
  });

  it('stay empty once they were emptied', () => {
    const emptied = withFilter({}, 'status', {});
    expect(parseFilter(emptied, 'status')).toEqual({});
  });

  it('are not in the link while they are the default', () => {
    expect(withFilter({ status: 'FAILED:1' }, 'status', { SUCCESS: -1 })).toEqual({});
  });

  it('begin at the first page again', () => {
    expect(withFilter({ pageIndex: '4' }, 'name', { Scrape: 1 })).toEqual({ name: 'Scrape:1' });
  });

  it('ask for runs that took at least so long', () => {
    expect(conditionsOf({ runDuration: '30000' }, NOW)).toContainEqual({
      op: 'gte',
      column: 'duration_millis',
      value: '30000',
    });
  });
});
