import { errorText } from '../../../contract/errors.ts';
import { formatCount } from '../../../domain/format-count.ts';
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
    old: 'The form was changed since: this is of what stood in it before. Try it again.',
    steps: { call: 'Call', display: 'Display', test: 'Test', transform: 'Transform', metrics: 'Metrics' },
    ok: 'ok',
    wrong: 'failed',
    data: 'What scripts can read',
    cut: 'The rest is left out.',
  },
  toImport: 'Import from Uptime Kuma, Gatus, Prometheus or files',
  import: {
    title: 'Import checks',
    lead: 'From a backup of Uptime Kuma (JSON), a configuration of Gatus, targets of the blackbox exporter, or canary files.',
    choose: 'Choose a file …',
    paste: 'Or paste its text',
    pasteHint: 'JSON or YAML',
    empty: 'There is no text in it.',
    tooLong: 'This file is longer than 5 MB: split it.',
    unknownFormat:
      'This is none of the known formats: a backup of Uptime Kuma, a configuration of Gatus, targets of the blackbox exporter, or canaries.',
    unreadable: (why: string) => `It cannot be read: ${why}`,
    formats: {
      'uptime-kuma': 'Uptime Kuma backup',
      gatus: 'Gatus configuration',
      blackbox: 'Blackbox exporter targets',
      canaries: 'Canaries',
    },
    preview: 'What it becomes',
    found: (format: string, count: number) =>
      `${format}: ${count === 1 ? '1 entry' : `${formatCount(count)} entries`}`,
    more: (count: number) => `${formatCount(count)} more are not shown: split the file.`,
    namespace: 'Namespace',
    becomes: (spec: Readonly<Record<string, unknown>>) => {
      const { schedule, ...rest } = spec;
      const kinds = Object.keys(rest).filter((key) => Array.isArray(rest[key]));
      return [...kinds, ...(typeof schedule === 'string' ? [schedule] : [])].join(', ');
    },
    taken: 'There is one of this name already.',
    action: (count: number) => (count === 1 ? 'Import 1 check' : `Import ${formatCount(count)} checks`),
    importing: 'Importing …',
    saved: 'Added',
    done: (count: number) => (count === 1 ? '1 check added' : `${formatCount(count)} checks added`),
    doneInPart: (count: number, all: number) =>
      `${formatCount(count)} of ${formatCount(all)} added: the list says why the others were not.`,
    toBoard: 'Show health',
  },
  errorText,
} as const;
