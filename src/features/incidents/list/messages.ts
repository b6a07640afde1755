/** What the incident list and the form for a new one say. */
import type { Step } from '../../../domain/incident/next-status.ts';
import type { Sort } from '../url-state.ts';

const people = (count: number) => (count === 1 ? '1 responder' : `${count.toLocaleString()} responders`);

export const messages = {
  title: 'Incidents',
  loading: 'Loading incidents …',
  search: 'Search incidents',
  clearSearch: 'Clear search',
  all: 'All',
  create: 'New incident',
  filter: 'Filter',
  filterWith: (count: number) => (count === 0 ? 'Filter' : `Filter (${count})`),
  show: (total: string) => (total === '' ? 'Show' : `Show ${total}`),
  filters: {
    type: 'Type',
    severity: 'Severity',
    status: 'Status',
    owner: 'Commander',
    component: 'Component',
    sort: 'Sort',
  },
  sorts: {
    newest: 'Newest first',
    oldest: 'Oldest first',
    severity: 'Most severe first',
    updated: 'Last changed first',
  } satisfies Record<Sort, string>,
  columns: {
    id: 'Id',
    type: 'Type',
    severity: 'Severity',
    status: 'Status',
    name: 'Name',
    age: 'Age',
    responders: 'Responders',
  },
  total: (count: number) => (count === 1 ? '1 incident' : `${count.toLocaleString()} incidents`),
  empty: 'There are no incidents matching this criteria',
  emptyHint: 'Change the filters, or create an incident. That works without a network, too.',
  clearFilters: 'Clear filters',
  unread: (count: number) => `${count.toLocaleString()} new for you`,
  somebody: 'Somebody',
  responders: people,
  moreResponders: (count: number) => `and ${people(count)} more`,
  changeStatus: (title: string) => `Change the status of ${title}`,
  statusOf: (status: string, title: string) => `${status}: change the status of ${title}`,
  swipeHint: 'Swipe an incident right to move it on, left to resolve it.',
  dismissHint: 'Got it',
  forbiddenStep: (step: Step, status: string) =>
    step === 'resolve'
      ? `An incident that is ${status.toLowerCase()} can't be resolved`
      : `An incident that is ${status.toLowerCase()} can only be reopened`,
  form: {
    title: 'Create New Incident',
    name: 'Title',
    description: 'Description',
    type: 'Type',
    severity: 'Severity',
    status: 'Status',
    commander: 'Commander',
    communicator: 'Communicator',
    nobody: 'Nobody',
    kept: 'This is what you began before.',
    startOver: 'Start over',
    required: 'This field is required',
    submit: 'Create',
    cancel: 'Cancel',
  },
} as const;
