/** What links to the incident list and to an incident's page may say (spec 3 §2). */
import { INCIDENT_SEVERITIES, INCIDENT_STATUSES, INCIDENT_TYPES } from '../../domain/incident/incident.ts';
import {
  choice,
  flag,
  param,
  searchSchema,
  text,
  whole,
  type SearchOf,
} from '../../ui/search/search-params.ts';

/** No filter. */
export const ALL = 'all';
export const SORTS = ['severity', 'newest', 'oldest', 'updated'] as const;

/** Our ids are written like UUIDs. */
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const id = param<string>({
  parse: (found) => (ID.test(found) ? found.toLowerCase() : undefined),
  format: (value) => value,
});

const LIST_PARAMS = {
  type: choice([ALL, ...INCIDENT_TYPES]),
  severity: choice([ALL, ...INCIDENT_SEVERITIES]),
  status: choice([ALL, ...INCIDENT_STATUSES]),
  /** Id of the person who created it. */
  owner: id,
  /** The wire's name of the column is in links that were made by hand. */
  created_by: id,
  /** Id of a component that it has an evidence of. */
  component: id,
  search: text,
  sort: choice(SORTS),
  /** Index of the first row shown. */
  start: whole,
  /** The form for a new incident is open, with what another app shared (manifest: share_target). */
  create: flag,
  title: text,
  description: text,
  url: text,
};
/** The list. */
export const listSearch = searchSchema(LIST_PARAMS);
export type ListSearch = SearchOf<typeof listSearch>;

export const TABS = ['comments', 'plan'] as const;
export const PANELS = ['details', 'done', 'changelog'] as const;
/** Tabs of a hand-held screen. */
export const SECTIONS = [...TABS, ...PANELS] as const;

const PAGE_PARAMS = {
  tab: choice(SECTIONS),
  panel: choice([...PANELS, 'none']),
  /** Comments are shown under every hypothesis. */
  comments: flag,
  /** The comment to go to and mark. */
  comment: id,
};
/** An incident's page. */
export const pageSearch = searchSchema(PAGE_PARAMS);
export type PageSearch = SearchOf<typeof pageSearch>;
/** An incident's page with the list beside it. */
export const besideSearch = searchSchema({ ...LIST_PARAMS, ...PAGE_PARAMS });
