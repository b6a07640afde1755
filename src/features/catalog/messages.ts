import { errorText } from '../../contract/errors.ts';

/** Everything that the pages of the catalog say. */
export const messages = {
  kind: 'Catalog item',
  loading: 'Loading the catalog item …',
  failed: 'This catalog item could not be loaded',
  errorText,
  frame: { title: 'Catalog', label: 'Parts of the catalog' },
} as const;
