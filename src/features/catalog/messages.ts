import { errorText } from '../../contract/errors.ts';

/** Everything that the pages of the catalog say. */
export const messages = {
  kind: 'Catalog item',
  loading: 'Loading the catalog item …',
  failed: 'This catalog item could not be loaded',
  errorText,
  list: {
    title: 'Catalog',
    total: (count: number) => (count === 1 ? '1 item' : `${count.toLocaleString()} items`),
    loading: 'Loading the catalog …',
    search: 'Search by name or type',
    clearSearch: 'Clear the search',
    empty: {
      title: 'Nothing in the catalog yet',
      hint: 'Configuration items come from scrapers. Once one has run, what it found is here.',
    },
    nothingFound: { title: 'Nothing matches', hint: 'Try fewer or other words.' },
  },
} as const;
