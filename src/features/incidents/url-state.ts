/**
 * The state of the incident list and page as their query strings (spec 3 §2). Invariants: what is parsed and
 * written again is the same; an unknown value is as good as absent; defaults are not written. Values of older
 * links (`Medium`, contract §13) count whatever their capitals.
 */
import { INCIDENT_SEVERITIES, INCIDENT_STATUSES, INCIDENT_TYPES } from '../../domain/incident/incident.ts';

/** No filter. */
export const ALL = 'all';
const DEFAULT_STATUS = 'open';
const MAX_TEXT = 1000;
const MAX_DRAFT = 10_000;
/** Our ids are written like UUIDs. */
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

type Texts = Readonly<Record<string, unknown>>;

export const SORTS = ['severity', 'newest', 'oldest', 'updated'] as const;
/** The worst first: what is to be done next. */
export const DEFAULT_SORT = 'severity';
export type Sort = (typeof SORTS)[number];

export interface ListState {
  type: string;
  severity: string;
  status: string;
  /** Id of the person who created it. */
  owner: string;
  /** Id of a component that it has an evidence of. */
  component: string;
  search: string;
  sort: Sort;
  /** Index of the first row shown. */
  start: number;
  /** The form for a new incident is open. */
  isCreating: boolean;
  /** What it starts with, as a link or another app gave it; empty for nothing. */
  title: string;
  description: string;
}

export type ListSearch = Partial<
  Record<
    | 'type'
    | 'severity'
    | 'status'
    | 'owner'
    | 'component'
    | 'search'
    | 'sort'
    | 'start'
    | 'create'
    | 'title'
    | 'description',
    string
  >
>;

/** What the list shows when nothing is asked for. */
export const NO_FILTERS = {
  type: ALL,
  severity: ALL,
  status: DEFAULT_STATUS,
  owner: ALL,
  component: ALL,
  search: '',
} as const satisfies Partial<ListState>;

function oneOf(known: readonly string[], text: unknown, fallback: string): string {
  if (typeof text !== 'string') return fallback;
  const lower = text.toLowerCase();
  return [ALL, ...known].find((value) => value.toLowerCase() === lower) ?? fallback;
}

function idOf(text: unknown): string {
  return typeof text === 'string' && ID.test(text) ? text.toLowerCase() : ALL;
}

function textOf(text: unknown, limit: number): string {
  return typeof text === 'string' ? text.slice(0, limit) : '';
}

/** What another app shared; a link goes to the end of the description (manifest: share_target). */
function sharedText(shared: Texts): Pick<ListState, 'title' | 'description'> {
  const description = textOf(shared.description, MAX_DRAFT);
  const url = textOf(shared.url, MAX_TEXT);
  // Read again with what was written before: the link is there already.
  const parts = description.includes(url) ? [description] : [description, url];
  return {
    title: textOf(shared.title, MAX_TEXT),
    description: parts.filter((part) => part !== '').join('\n'),
  };
}

function startOf(text: unknown): number {
  const start = typeof text === 'string' ? Number(text) : 0;
  return Number.isSafeInteger(start) && start > 0 ? start : 0;
}

/** What the list's query string says. */
export function parseListSearch(search: Texts): ListState {
  const isCreating = search.create === 'true';
  return {
    type: oneOf(INCIDENT_TYPES, search.type, ALL),
    severity: oneOf(INCIDENT_SEVERITIES, search.severity, ALL),
    status: oneOf(INCIDENT_STATUSES, search.status, DEFAULT_STATUS),
    // The wire's name of the column is in links that were made by hand.
    owner: idOf(search.owner ?? search.created_by),
    component: idOf(search.component),
    search: textOf(search.search, MAX_TEXT),
    sort: SORTS.find((sort) => sort === search.sort) ?? DEFAULT_SORT,
    start: startOf(search.start),
    isCreating,
    ...(isCreating ? sharedText(search) : { title: '', description: '' }),
  };
}

/** The list's query string; 'all' is left out but for the status, whose default is open. */
export function writeListSearch(state: ListState): ListSearch {
  return {
    ...(state.type === ALL ? {} : { type: state.type }),
    ...(state.severity === ALL ? {} : { severity: state.severity }),
    ...(state.status === DEFAULT_STATUS ? {} : { status: state.status }),
    ...(state.owner === ALL ? {} : { owner: state.owner }),
    ...(state.component === ALL ? {} : { component: state.component }),
    ...(state.search === '' ? {} : { search: state.search }),
    ...(state.sort === DEFAULT_SORT ? {} : { sort: state.sort }),
    ...(state.start === 0 ? {} : { start: String(state.start) }),
    ...(state.isCreating ? { create: 'true' } : {}),
    ...(state.isCreating && state.title !== '' ? { title: state.title } : {}),
    ...(state.isCreating && state.description !== '' ? { description: state.description } : {}),
  };
}

/** How many filters differ from the default, the search aside. */
export function filterCount({ type, severity, status, owner, component }: ListState): number {
  const chosen = [type, severity, owner, component].filter((value) => value !== ALL).length;
  return chosen + (status === DEFAULT_STATUS ? 0 : 1);
}

/** True when more than the default is filtered. */
export function isNarrowed(state: ListState): boolean {
  return filterCount(state) > 0 || state.search !== '';
}

const TABS = ['comments', 'plan'] as const;
const PANELS = ['details', 'done', 'changelog'] as const;
/** What stands beside the tabs where there is room, and is a tab itself where there isn't. */
export type Panel = (typeof PANELS)[number];
export type Tab = (typeof TABS)[number];
/** Tabs of a hand-held screen. */
export const SECTIONS = [...TABS, ...PANELS] as const;
export type Section = (typeof SECTIONS)[number];

export interface PageState {
  tab: Section;
  /** The one section of the side panel that is open; null for none. */
  panel: Panel | null;
  /** Comments are shown under every hypothesis. */
  hasComments: boolean;
  /** The comment to go to and mark; null for none. */
  comment: string | null;
}

export type PageSearch = Partial<Record<'tab' | 'panel' | 'comments' | 'comment', string>>;

/** What the incident page's query string says. */
export function parsePageSearch(search: Texts): PageState {
  return {
    tab: SECTIONS.find((tab) => tab === search.tab) ?? 'comments',
    panel: search.panel === 'none' ? null : (PANELS.find((panel) => panel === search.panel) ?? 'details'),
    hasComments: search.comments === 'true',
    comment: typeof search.comment === 'string' && ID.test(search.comment) ? search.comment : null,
  };
}

export function writePageSearch({ tab, panel, hasComments, comment }: PageState): PageSearch {
  return {
    ...(tab === 'comments' ? {} : { tab }),
    ...(panel === 'details' ? {} : { panel: panel ?? 'none' }),
    ...(hasComments ? { comments: 'true' } : {}),
    ...(comment === null ? {} : { comment }),
  };
}

function isPanel(section: Section): section is Panel {
  return (PANELS as readonly string[]).includes(section);
}

/** The tab and the open panel where both have room; a link from a phone may name a panel as its tab. */
export function besideEachOther({ tab, panel }: PageState): { tab: Tab; panel: Panel | null } {
  return isPanel(tab) ? { tab: 'comments', panel: tab } : { tab, panel };
}

/** The one section that a hand-held screen shows; a link from a desk may name a panel alone. */
export function oneAtATime({ tab, panel }: PageState): Section {
  return tab === 'comments' && panel !== null && panel !== 'details' ? panel : tab;
}
