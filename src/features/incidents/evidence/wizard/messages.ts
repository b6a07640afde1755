import { errorText } from '../../../../contract/errors.ts';
import type { EvidenceType } from '../../../../domain/incident/incident.ts';

const tiles = {
  log: { name: 'Log', hint: 'Lines that you paste or open from a file' },
  config: { name: 'Config', hint: 'An item of the catalog' },
  config_change: { name: 'Change', hint: 'What changed, with its diff' },
  config_analysis: { name: 'Insight', hint: 'What an analyzer found' },
  topology: { name: 'Component', hint: 'A part of the topology' },
  check: { name: 'Check', hint: 'A health check and its result' },
  comment: { name: 'Comment', hint: 'What you saw, in your words' },
} satisfies Record<EvidenceType, { name: string; hint: string }>;

/** What the wizard that adds evidence says (spec 3 §2). */
export const messages = {
  title: 'Add evidence',
  steps: {
    type: 'What kind of evidence?',
    config: 'Find config items',
    config_change: 'Find changes',
    config_analysis: 'Find insights',
    topology: 'Find components',
    check: 'Find checks',
    log: 'Paste or open a log',
    comment: 'What was seen?',
    review: 'Look at it once more',
    lines: 'Select the lines that matter',
  },
  step: (at: number, of: number) => `Step ${at} of ${of}`,
  tiles,
  search: 'Search',
  clear: 'Clear search',
  unhealthy: 'Unhealthy',
  recent: 'Recent',
  found: 'Found',
  loading: 'Looking on this device …',
  nothing: 'Nothing on this device matches',
  nothingHint: 'Try fewer or other words.',
  more: (count: number) => `${count.toLocaleString()} more: type to find them`,
  attached: 'Attached already',
  chosen: (count: number) => `${count} selected`,
  full: (count: number) => `No more than ${count} at once`,
  description: (name: string) => `Description of ${name}`,
  takeOut: (name: string) => `Take out ${name}`,
  text: 'What was seen',
  textEmpty: 'Please add some text',
  log: {
    paste: 'Lines of the log',
    placeholder: 'Paste lines here: with or without timestamps, or one JSON object a line',
    open: 'Open a file',
    unreadable: 'This file could not be read. Choose another, or paste its lines.',
    empty: 'Paste some lines, or open a file with some.',
    tooLong: (size: string) => `Only the first ${size} of it were read.`,
    lines: 'Lines',
    find: 'Show only lines with',
    count: (selected: number, total: number) =>
      `${selected.toLocaleString()} of ${total.toLocaleString()} lines selected`,
    range: 'Select a range',
    rangeHint: 'Press the other end of the range',
    none: 'Please select at least one line',
    nothing: 'No line has these words',
    context: 'Three lines around each selected one are kept along.',
    cutLines: (count: number) =>
      `${count.toLocaleString()} of the selected lines do not fit into one evidence and are left out. Select fewer, or add a second evidence.`,
    cutContext: (count: number) =>
      `${count.toLocaleString()} of the lines around do not fit and are left out.`,
    shortened: (count: number) =>
      count === 1
        ? '1 line is long: only its beginning is kept.'
        : `${count} lines are long: only their beginnings are kept.`,
    description: 'Description',
    from: (name: string) => `Log ${name}`,
    pasted: 'Pasted log',
  },
  back: 'Back',
  next: 'Next',
  add: 'Add',
  use: 'Use',
  cancel: 'Cancel',
  leave: 'Discard what you have selected so far?',
  keepOn: 'Keep on',
  discard: 'Discard',
  added: (count: number) => (count === 1 ? 'Evidence added' : `${count} evidences added`),
  errorText,
} as const;
