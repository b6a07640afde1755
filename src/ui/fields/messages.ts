import { formatCount } from '../../domain/format-count.ts';

/** What the larger fields say. */
export const messages = {
  timeRange: {
    label: 'Time range',
    none: 'Please select time range',
    mode: 'Kind of time range',
    modes: { relative: 'Relative', absolute: 'Absolute', mapped: 'Named' },
    from: 'From',
    to: 'To',
    submit: 'Submit',
    clear: 'Clear',
    recent: 'Recently used',
    custom: 'Since (date math)',
    refused: (problem: string, shown: string) => `${problem}. Shown: ${shown}`,
    problems: {
      incomplete: 'Both From and To are needed',
      'not-a-time': 'This is not a time: write now-2d, or a date',
      reversed: 'From must be before To',
      unknown: 'There is no time range of this name',
      ahead: 'This lies ahead: write how long ago it begins, such as now-2d',
    },
  },
  triState: {
    states: { 1: 'include', 0: 'any', [-1]: 'exclude' } as Readonly<Record<number, string>>,
    option: (value: string, state: string | undefined) => `${value}: ${state ?? ''}`,
    summary: (wanted: readonly string[], unwanted: readonly string[]) =>
      [...wanted, ...unwanted.map((value) => `not ${value}`)].join(', '),
    search: (label: string) => `Search ${label.toLowerCase()}`,
    clearSearch: 'Clear search',
    more: (count: number) => `${formatCount(count)} more: search for them`,
  },
  picker: {
    choose: 'Choose …',
    none: 'none',
    noOptions: 'No options found',
    typeToSearch: 'Start typing to search',
    searching: 'Searching …',
    search: (label: string) => `Search: ${label}`,
    clearSearch: 'Clear search',
    picked: (label: string, value: string) => `${label}: ${value}`,
  },
} as const;
