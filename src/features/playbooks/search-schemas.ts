/** What links to the pages of playbooks may say. */
import { RUN_STATUS_FILTERS, type RunStatusFilter } from '../../domain/playbook/run-filters.ts';
import {
  choice,
  flag,
  rangeParams,
  searchSchema,
  text,
  type SearchOf,
} from '../../ui/search/search-params.ts';
import { tableParams } from '../../ui/tables/table-state.ts';

export const STATUS_NAMES = Object.keys(RUN_STATUS_FILTERS) as RunStatusFilter[];

/** `add`: the form for a new playbook is open. */
export const playbooksSearch = searchSchema({ search: text, add: flag });
/** `config`, `component`, `check`: only runs on that thing; `agent`: only those that this agent did. */
export const runsSearch = searchSchema({
  ...tableParams,
  ...rangeParams,
  playbook: text,
  status: choice(STATUS_NAMES),
  config: text,
  component: text,
  check: text,
  agent: text,
});
export type RunsSearch = SearchOf<typeof runsSearch>;
/** `step`: the step whose output is shown; `approve`: the confirmation of an approval is open. */
export const runSearch = searchSchema({ step: text, approve: flag });
