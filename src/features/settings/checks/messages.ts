import { errorText } from '../../../contract/errors.ts';
import { formatDuration } from '../../../domain/time/format.ts';

const OUTCOMES = {
  passed: 'passed',
  failed: 'failed',
  invalid: 'cannot be run as it is',
  'not-run': 'is not run here',
};

/** Everything that is said where a check is added and tried. */
export const messages = {
  title: 'Add check',
  lead: 'What is to be checked?',
  loading: 'Loading the kinds of checks …',
  missing: 'The kinds of checks are not on this device, and there is no connection to the server now.',
  unknown: 'There is no kind of check of this name.',
  search: 'Search kinds of checks',
  clearSearch: 'Clear search',
  noMatch: 'No kind of check matches',
  kinds: 'Kinds of checks',
  otherKind: 'Another kind',
  addTitle: (kind: string) => `Add check: ${kind}`,
  mayNot: 'Only editors and administrators add checks.',
  tried: {
    action: 'Try now',
    busy: 'Trying …',
    hint: 'Runs once on the server and keeps nothing.',
    results: 'What the checks came to',
    outcome: (name: string, outcome: keyof typeof OUTCOMES, durationMs: number) =>
      outcome === 'passed' || outcome === 'failed'
        ? `${name} ${OUTCOMES[outcome]} in ${formatDuration(durationMs)}`
        : `${name} ${OUTCOMES[outcome]}`,
    steps: { call: 'Call', display: 'Display', test: 'Test', transform: 'Transform' },
    ok: 'ok',
    wrong: 'failed',
    data: 'What scripts can read',
    cut: 'The rest is left out.',
  },
  errorText,
} as const;
