import { errorText } from '../../contract/errors.ts';

/** Everything that the page of a catalog item says. */
export const messages = {
  kind: 'Catalog item',
  loading: 'Loading the catalog item …',
  failed: 'This catalog item could not be loaded',
  errorText,
} as const;
