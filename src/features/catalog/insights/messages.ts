import { formatCount } from '../../../domain/format-count.ts';
import { errorText } from '../../../contract/errors.ts';

const number = formatCount;

/** Everything that the insights say. */
export const messages = {
  label: 'Insights',
  loading: 'Loading the insights …',
  total: (count: number, total: number) =>
    count === total ? `${number(total)} open` : `${number(count)} of ${number(total)} open`,
  ofServer: (count: number) => `${number(count)} found on the server`,
  itemsCut: (most: number) => `of the first ${number(most)} items of this component`,
  search: 'Search insights',
  clearSearch: 'Clear search',
  all: 'All',
  filters: {
    status: 'Status',
    severity: 'Severity',
    type: 'Type',
    analyzer: 'Analyzer',
    configType: 'Catalog type',
    clear: 'Clear filters',
    component: 'Of one component and its parts',
    config: 'Of one catalog item',
  },
  statuses: { open: 'Open', resolved: 'Resolved', silenced: 'Silenced', all: 'All' },
  columns: {
    config: 'Catalog',
    analysis_type: 'Type',
    analyzer: 'Analyzer',
    severity: 'Severity',
    status: 'Status',
    first_observed: 'First Observed',
    last_observed: 'Last Observed',
  },
  empty: {
    title: 'No open insights',
    hint: 'What analyzers find in the catalog is listed here until it is resolved.',
  },
  nothingFound: { title: 'Nothing matches', hint: 'Try fewer filters.' },
  failed: 'The insights could not be loaded',
  serverOnly: 'Insights that are no longer open are on the server.',
  unknownItem: 'An item that is not on this device',
  detail: {
    title: 'Insight',
    loading: 'Loading the insight …',
    failed: 'The insight could not be loaded',
    gone: 'This insight is no longer there',
    config: 'Catalog item',
    source: 'Source',
    analysis: 'Analysis',
    noAnalysis: 'The analyzer gave no further facts.',
  },
  errorText,
} as const;
