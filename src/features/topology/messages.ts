import { errorText } from '../../contract/errors.ts';

/** Everything that the pages of the topology say. */
export const messages = {
  kind: 'Component',
  loading: 'Loading the component …',
  failed: 'This component could not be loaded',
  errorText,
  list: {
    title: 'Topology',
    total: (count: number) => (count === 1 ? '1 component' : `${count.toLocaleString()} components`),
    loading: 'Loading the topology …',
    search: 'Search components',
    clearSearch: 'Clear search',
    empty: {
      title: 'No components yet',
      hint: 'Components come from topologies. Once one has run, its top level is here.',
    },
    toHealth: 'See the health checks',
    nothingFound: { title: 'Nothing matches', hint: 'Try fewer or other words.' },
  },
} as const;
