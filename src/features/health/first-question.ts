/** What the health page asks first, told from its address before any of it is loaded. */
import type { ServedQuestion } from '../../contract/http/first-visit.ts';
import { FIRST_WINDOW } from '../../data/client/window-view-client.ts';
import { queryOf, stateOf } from './health-question.ts';
import { parseSettings, SETTINGS_KEY } from './health-settings.ts';
import { healthSearch } from './url-state.ts';

/** `search` begins with the question mark; settings are texts by key, as this device keeps them. */
export function firstHealthQuestion(
  search: string,
  readSetting: (key: string) => string | null,
): ServedQuestion {
  const linked = healthSearch.parse(Object.fromEntries(new URLSearchParams(search)));
  const state = stateOf(linked, parseSettings(readSetting(SETTINGS_KEY)));
  return { name: 'live-health', args: { query: queryOf(state, state.query, []), window: FIRST_WINDOW } };
}
