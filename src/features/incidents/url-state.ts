/** What the incident list and page show, from their links (spec 3 §2), and the link of what they show. */
import {
  ALL,
  PANELS,
  SORTS,
  TABS,
  type ListSearch,
  type PageSearch,
  type SECTIONS,
} from './search-schemas.ts';

const DEFAULT_STATUS = 'open';

/** The worst first: what is to be done next. */
export const DEFAULT_SORT = 'severity';
export type Sort = (typeof SORTS)[number];

type Filled<Name extends keyof ListSearch> = Exclude<ListSearch[Name], undefined>;

export interface ListState {
  type: Filled<'type'>;
  severity: Filled<'severity'>;
  status: Filled<'status'>;
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

/** What the list shows when nothing is asked for. */
export const NO_FILTERS = {
  type: ALL,
  severity: ALL,
  status: DEFAULT_STATUS,
  owner: ALL,
  component: ALL,
  search: '',
} as const satisfies Partial<ListState>;

/** What another app shared; a link goes to the end of the description. */
function sharedText({ title = '', description = '', url = '' }: ListSearch) {
  // Read again with what was written before: the link is there already.
  const parts = description.includes(url) ? [description] : [description, url];
  return { title, description: parts.filter((part) => part !== '').join('\n') };
}

/** What a link to the list says. */
export function listState(search: ListSearch): ListState {
  const { create: isCreating = false, created_by: creator = ALL } = search;
  return {
    type: search.type ?? ALL,
    severity: search.severity ?? ALL,
    status: search.status ?? DEFAULT_STATUS,
    owner: search.owner ?? creator,
    component: search.component ?? ALL,
    search: search.search ?? '',
    sort: search.sort ?? DEFAULT_SORT,
    start: search.start ?? 0,
    isCreating,
    ...(isCreating ? sharedText(search) : { title: '', description: '' }),
  };
}

const unless = <Value>(value: Value, without: Value): Value | undefined =>
  value === without ? undefined : value;

/** The list's link; undefined for what is as it starts. */
export function listLink(state: ListState): Required<ListSearch> {
  const { isCreating } = state;
  return {
    type: unless(state.type, ALL),
    severity: unless(state.severity, ALL),
    status: unless(state.status, DEFAULT_STATUS),
    owner: unless(state.owner, ALL),
    created_by: undefined,
    component: unless(state.component, ALL),
    search: state.search,
    sort: unless(state.sort, DEFAULT_SORT),
    start: unless(state.start, 0),
    create: isCreating || undefined,
    title: isCreating ? state.title : undefined,
    description: isCreating ? state.description : undefined,
    url: undefined,
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

/** What stands beside the tabs where there is room, and is a tab itself where there isn't. */
export type Panel = (typeof PANELS)[number];
export type Tab = (typeof TABS)[number];
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

/** What a link to the page says. */
export function pageState({ tab = 'comments', panel = 'details', comments, comment }: PageSearch): PageState {
  return {
    tab,
    panel: panel === 'none' ? null : panel,
    hasComments: comments === true,
    comment: comment ?? null,
  };
}

/** The page's link; undefined for what is as it starts. */
export function pageLink({ tab, panel, hasComments, comment }: PageState): Required<PageSearch> {
  return {
    tab: unless(tab, 'comments'),
    panel: unless(panel ?? 'none', 'details'),
    comments: hasComments || undefined,
    comment: comment ?? undefined,
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
