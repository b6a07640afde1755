/** What the health page's link asks for, as the worker's question; the page and the document begin with the same one. */
import type { HealthQuery, SortColumn } from '../../contract/worker.ts';
import { ALL_TAB } from '../../domain/check/grouping.ts';
import { DEFAULT_SETTINGS } from './health-settings.ts';
import type { HealthSearch, HealthUrlState } from './url-state.ts';

/** Which way a column sorts until it is turned: what fails first, everything else from the least up. */
export function startsDescending(column: SortColumn): boolean {
  return column === 'health';
}

/** Where neither the link nor this device says anything. */
export const DEFAULTS: HealthUrlState = {
  ...DEFAULT_SETTINGS,
  layout: 'table',
  timeRange: '1h',
  checkId: '',
  labels: {},
  query: '',
  pivotBy: 'none',
  pivotLabel: '',
  pivotCellType: 'checkStatus',
  // What needs a look stands at the top.
  sortBy: 'health',
  sortDesc: startsDescending('health'),
  tab: ALL_TAB,
};

/** Without what is there as undefined: a text that meant nothing. */
function said(linked: HealthSearch): Partial<HealthUrlState> {
  return Object.fromEntries(Object.entries(linked).filter(([, value]) => value !== undefined));
}

type Settings = Pick<HealthUrlState, 'hidePassing' | 'tabBy' | 'groupBy'>;

/** What a link says, over what this device remembers. */
export function stateOf(linked: HealthSearch, settings: Settings): HealthUrlState {
  const sortDesc = startsDescending(linked.sortBy ?? DEFAULTS.sortBy);
  return { ...DEFAULTS, sortDesc, ...settings, ...said(linked) };
}

function pivotOf(state: HealthUrlState): string | null {
  if (state.pivotBy === 'none') return null;
  if (state.pivotBy !== 'labels') return state.pivotBy;
  return state.pivotLabel === '' ? null : `label:${state.pivotLabel}`;
}

/** The state as the worker's question. */
export function queryOf(state: HealthUrlState, text: string, expanded: readonly string[]): HealthQuery {
  const { hidePassing, labels, groupBy, tabBy, tab, sortBy, sortDesc, timeRange } = state;
  return {
    hidePassing,
    query: text,
    labels: { ...labels },
    groupBy,
    tabBy,
    tab,
    pivotBy: pivotOf(state),
    sortBy,
    sortDesc,
    timeRange,
    expanded: [...expanded],
  };
}
