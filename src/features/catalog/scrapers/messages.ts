import { errorText } from '../../../contract/errors.ts';

/** Everything that the scraper's page says besides its settings. */
export const messages = {
  run: 'Run now',
  running: 'Running …',
  done: 'The scraper has run: see its job history',
  failed: (why: string) => `The scraper could not be run. ${why}`,
  errorText,
} as const;
