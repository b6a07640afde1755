/** What links to the job history may say. */
import { parseTriState, writeTriState, type TriState } from '../../../domain/tri-state.ts';
import {
  isTriState,
  param,
  rangeParams,
  searchSchema,
  text,
  type SearchOf,
} from '../../../ui/search/search-params.ts';
import { tableParams } from '../../../ui/tables/table-state.ts';

/** A filter that was emptied is another one than none: `none` in the link. */
const NONE = 'none';

const filter = param<TriState>({
  parse: parseTriState,
  format: (chosen) => writeTriState(chosen) || NONE,
  isValue: isTriState,
});

export const jobsSearch = searchSchema({
  ...tableParams,
  ...rangeParams,
  name: filter,
  resource_type: filter,
  status: filter,
  runDuration: text,
});
export type JobsSearch = SearchOf<typeof jobsSearch>;
