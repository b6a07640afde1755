import { ERROR_TEXTS } from '../../contract/errors.ts';
import type { ErrorFacts } from '../../contract/errors.ts';

/** Everything that the page of a catalog item says. */
export const messages = {
  kind: 'Catalog item',
  loading: 'Loading the catalog item …',
  failed: 'This catalog item could not be loaded',
  errorText: (error: ErrorFacts) => error.message || ERROR_TEXTS[error.code],
} as const;
