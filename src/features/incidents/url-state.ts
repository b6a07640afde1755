/**
 * The state of the incident list and page as their query strings (spec 3 §2). Invariants: what is parsed and
 * written again is the same; an unknown value is as good as absent; defaults are not written.
 */
import { INCIDENT_SEVERITIES, INCIDENT_STATUSES, INCIDENT_TYPES } from '../../domain/incident/incident.ts';

/** No filter. */
export const ALL = 'all';
const DEFAULT_STATUS = 'open';
const MAX_TEXT = 1000;

type Texts = Readonly<Record<string, unknown>>;

export interface ListState {
  type: string;
  severity: string;
  status: string;
  search: string;
  /** Index of the first row shown. */
  start: number;
  /** The form for a new incident is open. */
  isCreating: boolean;
}

export type ListSearch = Partial<
  Record<'type' | 'severity' | 'status' | 'search' | 'start' | 'create', string>
>;

function oneOf(known: readonly string[], text: unknown, fallback: string): string {
  return typeof text === 'string' && (text === ALL || known.includes(text)) ? text : fallback;
}

function startOf(text: unknown): number {
  const start = typeof text === 'string' ? Number(text) : 0;
  return Number.isSafeInteger(start) && start > 0 ? start : 0;
}

/** What the list's query string says. */
export function parseListSearch(search: Texts): ListState {
  return {
    type: oneOf(INCIDENT_TYPES, search.type, ALL),
    severity: oneOf(INCIDENT_SEVERITIES, search.severity, ALL),
    status: oneOf(INCIDENT_STATUSES, search.status, DEFAULT_STATUS),
    search: typeof search.search === 'string' ? search.search.slice(0, MAX_TEXT) : '',
    start: startOf(search.start),
    isCreating: search.create === 'true',
  };
}

/** The list's query string; 'all' is left out but for the status, whose default is open. */
export function writeListSearch(state: ListState): ListSearch {
  return {
    ...(state.type === ALL ? {} : { type: state.type }),
    ...(state.severity === ALL ? {} : { severity: state.severity }),
    ...(state.status === DEFAULT_STATUS ? {} : { status: state.status }),
    ...(state.search === '' ? {} : { search: state.search }),
    ...(state.start === 0 ? {} : { start: String(state.start) }),
    ...(state.isCreating ? { create: 'true' } : {}),
  };
}

/** True when more than the default is filtered. */
export function isNarrowed({ type, severity, status, search }: ListState): boolean {
  return type !== ALL || severity !== ALL || status !== DEFAULT_STATUS || search !== '';
}

const TABS = ['comments', 'plan'] as const;
const PANELS = ['details', 'done', 'changelog'] as const;
export type Tab = (typeof TABS)[number];
export type Panel = (typeof PANELS)[number];

export interface PageState {
  tab: Tab;
  /** The one section of the side panel that is open; null for none. */
  panel: Panel | null;
  /** Comments are shown under every hypothesis. */
  hasComments: boolean;
}

export type PageSearch = Partial<Record<'tab' | 'panel' | 'comments', string>>;

/** What the incident page's query string says. */
export function parsePageSearch(search: Texts): PageState {
  return {
    tab: TABS.find((tab) => tab === search.tab) ?? 'comments',
    panel: search.panel === 'none' ? null : (PANELS.find((panel) => panel === search.panel) ?? 'details'),
    hasComments: search.comments === 'true',
  };
}

export function writePageSearch({ tab, panel, hasComments }: PageState): PageSearch {
  return {
    ...(tab === 'comments' ? {} : { tab }),
    ...(panel === 'details' ? {} : { panel: panel ?? 'none' }),
    ...(hasComments ? { comments: 'true' } : {}),
  };
}
