import { errorText } from '../../contract/errors.ts';

/** Everything that the canary page says. */
export const messages = {
  lead: 'Canary',
  loading: 'Loading the canary …',
  failed: 'The canary could not be loaded',
  broken: 'This canary could not be loaded by the server, and runs no checks',
  namespace: 'Namespace',
  source: 'Source',
  noSource: 'made here, not from a file',
  labels: 'Labels',
  id: 'Id',
  checks: 'Checks',
  showChecks: 'Show its checks',
  error: 'Error',
  spec: 'Specification',
  errorText,
} as const;
