import { ERROR_TEXTS } from '../../contract/errors.ts';
import type { ErrorFacts } from '../../contract/errors.ts';

/** Everything that the page of a component says. */
export const messages = {
  kind: 'Component',
  loading: 'Loading the component …',
  failed: 'This component could not be loaded',
  errorText: (error: ErrorFacts) => error.message || ERROR_TEXTS[error.code],
} as const;
