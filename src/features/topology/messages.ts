import { errorText } from '../../contract/errors.ts';

/** Everything that the page of a component says. */
export const messages = {
  kind: 'Component',
  loading: 'Loading the component …',
  failed: 'This component could not be loaded',
  errorText,
} as const;
