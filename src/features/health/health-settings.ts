/** What this device remembers of the health page (contract §19.14): read with care, since anyone may edit it. */
import type { GroupBy, TabBy } from '../../domain/check/grouping.ts';
import { DEFAULT_GROUP_BY, DEFAULT_TAB_BY, isGroupBy, isTabBy } from '../../domain/check/grouping.ts';
import type { RefreshRate } from '../../domain/time/ranges.ts';
import { DEFAULT_REFRESH_RATE, isRefreshRate } from '../../domain/time/ranges.ts';
import { jsonOrNull } from '../../lib/json-or-null.ts';

export const SETTINGS_KEY = 'healthSettings';
export const REFRESH_RATE_KEY = 'healthPageRefreshRate';

export interface HealthSettings {
  hidePassing: boolean;
  tabBy: TabBy;
  groupBy: GroupBy;
}

export const DEFAULT_SETTINGS: HealthSettings = {
  hidePassing: true,
  tabBy: DEFAULT_TAB_BY,
  groupBy: DEFAULT_GROUP_BY,
};

/** The remembered settings; whatever is missing or wrong falls back alone. */
export function parseSettings(text: string | null): HealthSettings {
  const found = jsonOrNull(text);
  if (typeof found !== 'object' || found === null) return DEFAULT_SETTINGS;
  const { hidePassing, tabBy, groupBy } = found as Record<string, unknown>;
  return {
    hidePassing: typeof hidePassing === 'boolean' ? hidePassing : DEFAULT_SETTINGS.hidePassing,
    tabBy: typeof tabBy === 'string' && isTabBy(tabBy) ? tabBy : DEFAULT_SETTINGS.tabBy,
    groupBy: typeof groupBy === 'string' && isGroupBy(groupBy) ? groupBy : DEFAULT_SETTINGS.groupBy,
  };
}

/** The default for what isn't a rate. */
export function parseRefreshRate(text: string | null): RefreshRate {
  return text !== null && isRefreshRate(text) ? text : DEFAULT_REFRESH_RATE;
}
