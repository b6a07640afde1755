import { errorText } from '../../contract/errors.ts';
import { formatCount } from '../../domain/format-count.ts';
import type { LogGap } from '../../data/queries/logs/log-reader.ts';
import type { LogLevel } from '../../domain/logs/log-level.ts';
import { trimEnd } from '../../lib/trim-end.ts';

const lines = (count: number) => (count === 1 ? '1 line' : `${formatCount(count)} lines`);

/** Everything that the logs page says (spec 3 §2 'Logs'). */
export const messages = {
  title: 'Logs',
  component: 'Component',
  none: 'None',
  selector: 'Logs',
  unnamed: 'Log',
  range: 'Time range',
  search: 'Search in these logs',
  clearSearch: 'Clear search',
  componentsFailed: 'Unable to load components!',
  componentsCut: (shown: number, total: number) =>
    `The first ${shown} of ${total} components; the others are offered once the server lists them.`,
  choose: 'Please select a component to view the logs',
  chooseHint:
    'What a component logs is chosen by its log selectors, and read from the log backends in Settings.',
  empty: 'There are no logs matching the search query',
  emptyHint: (held: number) =>
    held === 0 ? 'Nothing was logged in this time.' : `${lines(held)} of this time do not fit.`,
  noComponent: 'Component not found',
  noComponentHint: 'It was removed from its topology, or you may not see it.',
  noSelector: 'This component has no log selectors',
  noSelectorHint: 'Its topology gives it some under "logs".',
  loading: 'Reading the logs …',
  slow: 'Still reading the logs: a log backend takes its time. What does not answer within 20 s is left out …',
  failed: 'The logs could not be read',
  retry: 'Read again',
  count: (fit: number, held: number) =>
    fit === held ? lines(held) : `${formatCount(fit)} of ${lines(held)}`,
  more: 'There are older lines in this time.',
  readAll: 'Read all',
  reading: (count: number) => `Reading older lines, ${formatCount(count)} so far …`,
  stop: 'Stop',
  full: (count: number) => `This device holds ${formatCount(count)} lines; narrow the time for older ones.`,
  waiting: (count: number) => `${count === 1 ? '1 newer line' : `${formatCount(count)} newer lines`}: show`,
  live: 'Live tail',
  liveOffline: 'New lines come from the server, which can not be reached now',
  wrap: 'Wrap lines',
  refresh: 'Read again',
  download: 'Download',
  downloadText: 'As text (.log)',
  downloadJson: 'As JSON lines (.json)',
  downloadCounted: 'Same lines counted (.json)',
  downloaded: 'Downloaded logs',
  downloadFailed: 'Failed to download logs',
  fileName: (component: string, selector: string, ending: string) =>
    `${trimEnd(`${component}-${selector}`.replaceAll(/[^\w.-]+/g, '-').replace(/^-+/, ''), '-') || 'logs'}.${ending}`,
  keptQuestion: ({ query, start }: { query: string; start: string }) =>
    `What was looked at last: ${start}${query === '' ? '' : `, searched for "${query}"`}.`,
  partial: 'Not all of it:',
  gaps: {
    tooMany: 'More newer lines came than can be followed, and some are left out; read again to see them',
    silent: 'A log backend gave nothing for ten minutes and more; read again once it answers',
  } satisfies Record<LogGap, string>,
  notes: 'About these lines',
  table: 'Lines of the log',
  columns: { time: 'Time', message: 'Message', labels: 'Labels' },
  resize: (column: string) => `Width of ${column}`,
  select: (text: string) => `Choose the line ${text}`,
  details: (time: string, level: string) => `Details of the line of ${time}, ${level}`,
  cut: 'the rest is in its details',
  moreLabels: (count: number) => `+${count}`,
  levels: {
    fatal: 'Fatal',
    error: 'Error',
    warning: 'Warning',
    info: 'Info',
    debug: 'Debug',
    trace: 'Trace',
    unknown: 'No level',
  } satisfies Record<LogLevel, string>,
  levelFilter: 'Levels',
  groupBy: 'Group by',
  groups: 'Lines by a label',
  withoutLabel: 'without it',
  moreGroups: (count: number) => `and ${formatCount(count)} more`,
  histogram: 'Lines over time; arrow keys choose a stretch, Escape shows all',
  bucket: (time: string, count: number, errors: number) =>
    `${time}: ${lines(count)}${errors === 0 ? '' : `, ${formatCount(errors)} of them errors`}`,
  between: (from: string, to: string) => `${from} to ${to}`,
  allTime: 'Show all of this time',
  chosen: (count: number) => `${lines(count)} chosen`,
  attach: 'Attach as Evidence',
  clearChosen: 'Choose none',
  evidence: (name: string, count: number) => `${name}: ${lines(count)} of its log`,
  evidenceCut: (cut: number) => `${lines(cut)} did not fit into the evidence and are left out`,
  gone: 'The chosen lines are no longer held here',
  detail: {
    title: 'Line of the log',
    gone: 'This line is no longer held here.',
    copy: 'Copy the line',
    level: 'Level',
    time: 'Time',
    fields: 'Fields of the line',
    labels: 'Labels',
  },
  errorText,
} as const;
