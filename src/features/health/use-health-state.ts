/**
 * The health page's state: what the link says, over what this device remembers, over the defaults. A change is
 * written to the link (defaults left out), and remembered where it is a habit rather than a question.
 */
import { useCallback, useMemo, useState } from 'react';
import type { HealthQuery, SortColumn } from '../../contract/worker.ts';
import { ALL_TAB } from '../../domain/check/grouping.ts';
import { useDevice } from '../../ui/Device.tsx';
import { DEFAULT_SETTINGS, parseSettings, SETTINGS_KEY } from './health-settings.ts';
import type { HealthSearch, HealthUrlState, PartialHealthState } from './url-state.ts';
import { parseHealthSearch, writeHealthSearch } from './url-state.ts';

export type ChangeSearch = (change: (before: HealthSearch) => HealthSearch, isReplacing: boolean) => void;

/** Which way a column sorts until it is turned: what fails first, everything else from the least up. */
export function startsDescending(column: SortColumn): boolean {
  return column === 'health';
}

const DEFAULTS: HealthUrlState = {
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

function isDefault(name: keyof HealthUrlState, state: PartialHealthState): boolean {
  if (name === 'sortDesc') return state.sortDesc === startsDescending(state.sortBy ?? DEFAULTS.sortBy);
  if (name === 'labels') return Object.keys(state.labels ?? {}).length === 0;
  return state[name] === DEFAULTS[name];
}

/** The link after a change: what equals its default isn't said. */
export function changedSearch(before: HealthSearch, change: PartialHealthState): HealthSearch {
  const next: PartialHealthState = { ...parseHealthSearch(before), ...change };
  for (const name of Object.keys(change) as (keyof HealthUrlState)[]) {
    if (isDefault(name, next)) delete next[name];
  }
  return writeHealthSearch(next);
}

export interface HealthPageState {
  state: HealthUrlState;
  /** Changes the state; a replacing change leaves no entry in the browser's history. */
  update: (change: PartialHealthState, isReplacing?: boolean) => void;
}

export function useHealthState(search: HealthSearch, onSearch: ChangeSearch): HealthPageState {
  const device = useDevice();
  const [settings, setSettings] = useState(() => parseSettings(device.readSetting(SETTINGS_KEY)));
  const state = useMemo(() => {
    const linked = parseHealthSearch(search);
    const sortDesc = startsDescending(linked.sortBy ?? DEFAULTS.sortBy);
    return { ...DEFAULTS, sortDesc, ...settings, ...linked };
  }, [search, settings]);
  const update = useCallback(
    (change: PartialHealthState, isReplacing = true) => {
      const { hidePassing, tabBy, groupBy } = change;
      if (hidePassing !== undefined || tabBy !== undefined || groupBy !== undefined) {
        const next = {
          hidePassing: hidePassing ?? state.hidePassing,
          tabBy: tabBy ?? state.tabBy,
          groupBy: groupBy ?? state.groupBy,
        };
        device.writeSetting(SETTINGS_KEY, JSON.stringify(next));
        setSettings(next);
      }
      onSearch((before) => changedSearch(before, change), isReplacing);
    },
    [device, onSearch, state.groupBy, state.hidePassing, state.tabBy],
  );
  return { state, update };
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

/** How many filters narrow the list, besides the search. */
export function activeFilters(state: HealthUrlState): number {
  return Object.keys(state.labels).length + (state.tab === ALL_TAB ? 0 : 1);
}
