/** What links to the pages of notifications may say (contract §9, §19.7). */
import { choice, flag, searchSchema, text, triState } from '../../ui/search/search-params.ts';
import type { SearchOf } from '../../ui/search/search-params.ts';
import { tableParams } from '../../ui/tables/table-state.ts';

/** `id`: one notification, in full. */
export const historySearch = searchSchema({ status: triState, resource_type: triState, id: text });
export type HistorySearch = SearchOf<typeof historySearch>;
/** `id`: one rule, to be read and changed; `add`: the form of a new one. */
export const rulesSearch = searchSchema({ ...tableParams, id: text, add: flag });
/** `id`: one silence, to be read and changed; `show`: those that are over, too. */
export const silencesSearch = searchSchema({ ...tableParams, id: text, show: choice(['all']) });
/** What a new silence is about. */
export const addSilenceSearch = searchSchema({
  config_id: text,
  component_id: text,
  check_id: text,
  canary_id: text,
});
