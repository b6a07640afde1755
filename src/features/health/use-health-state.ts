/**
 * The health page's state: what the link says, over what this device remembers, over the defaults. A change is
 * written to the link (defaults left out), and remembered where it is a habit rather than a question.
 */
import { useCallback, useMemo, useState } from 'react';
import { ALL_TAB } from '../../domain/check/grouping.ts';
import { useDevice } from '../../ui/Device.tsx';
import { DEFAULTS, startsDescending, stateOf } from './health-question.ts';
import { parseSettings, SETTINGS_KEY } from './health-settings.ts';
import { useSearchState } from '../../ui/search/use-search-state.ts';
import { healthSearch, type HealthSearch, type HealthUrlState } from './url-state.ts';

function isDefault(name: keyof HealthUrlState, state: HealthSearch): boolean {
  if (name === 'sortDesc') return state.sortDesc === startsDescending(state.sortBy ?? DEFAULTS.sortBy);
  if (name === 'labels') return Object.keys(state.labels ?? {}).length === 0;
  return state[name] === DEFAULTS[name];
}

/** What a change means for the link: what equals its default isn't said. */
export function linkChange(before: HealthSearch, change: HealthSearch): HealthSearch {
  const next = { ...before, ...change };
  const names = Object.keys(change) as (keyof HealthSearch)[];
  return {
    ...change,
    ...Object.fromEntries(names.map((name) => [name, isDefault(name, next) ? undefined : next[name]])),
  };
}

export interface HealthPageState {
  state: HealthUrlState;
  /** Changes the state and answers the next one; a replacing change leaves no entry in the browser's history. */
  update: (change: HealthSearch, isReplacing?: boolean) => HealthUrlState;
}

/** See the head of this file. */
export function useHealthState(): HealthPageState {
  const device = useDevice();
  const [linked, change] = useSearchState(healthSearch);
  const [settings, setSettings] = useState(() => parseSettings(device.readSetting(SETTINGS_KEY)));
  const state = useMemo(() => stateOf(linked, settings), [linked, settings]);
  const update = useCallback(
    (part: HealthSearch, isReplacing = true) => {
      const { hidePassing, tabBy, groupBy } = part;
      let kept = settings;
      if (hidePassing !== undefined || tabBy !== undefined || groupBy !== undefined) {
        kept = {
          hidePassing: hidePassing ?? state.hidePassing,
          tabBy: tabBy ?? state.tabBy,
          groupBy: groupBy ?? state.groupBy,
        };
        device.writeSetting(SETTINGS_KEY, JSON.stringify(kept));
        setSettings(kept);
      }
      change((before) => linkChange(before, part), { isReplacing });
      return stateOf({ ...linked, ...linkChange(linked, part) }, kept);
    },
    [device, change, linked, settings, state.groupBy, state.hidePassing, state.tabBy],
  );
  return { state, update };
}

/** How many filters narrow the list, besides the search. */
export function activeFilters(state: HealthUrlState): number {
  return Object.keys(state.labels).length + (state.tab === ALL_TAB ? 0 : 1);
}
