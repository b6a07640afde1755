/** What links to the logs may say (spec 3 §2 'Logs'). */
import { isTimeRange, type TimeRange } from '../../domain/time/ranges.ts';
import { known, searchSchema, text, type SearchOf } from '../../ui/search/search-params.ts';

export const logsSearch = searchSchema({
  /** A component. */
  topologyId: text,
  /** One of its log selectors; the first one without it. */
  logsSelector: text,
  query: text,
  start: known<TimeRange>(isTimeRange),
});
export type LogsSearch = SearchOf<typeof logsSearch>;
