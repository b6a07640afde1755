/** What links to the catalog's pages may say (spec 2 §2, contract §19.1, §19.2). */
import {
  parseLabels,
  parseTypes,
  writeLabels,
  writeTypes,
  typeOf,
  writtenType,
} from '../../domain/catalog/catalog-links.ts';
import { parseGroups, writeGroups } from '../../domain/catalog/grouping.ts';
import { parseTriState, writeTriState, type TriState } from '../../domain/tri-state.ts';
import {
  choice,
  flag,
  pageParams,
  param,
  rangeParams,
  searchSchema,
  sortParams,
  text,
  triState,
  triStateAs,
  whole,
  type SearchOf,
} from '../../ui/search/search-params.ts';

function renamed(filter: TriState, rename: (type: string) => string): TriState {
  return Object.fromEntries(Object.entries(filter).map(([type, sign]) => [rename(type), sign]));
}

/** Types with signs, their `::` as `__`. */
const signedTypes = triStateAs(
  (found) => renamed(parseTriState(found), typeOf),
  (types) => writeTriState(renamed(types, writtenType)),
);
/** One wanted type as it is, or signed types. */
const types = triStateAs(parseTypes, writeTypes);

const groups = param<readonly string[]>({
  parse: (found) => parseGroups(found) ?? undefined,
  format: writeGroups,
  isValue: (found): found is string[] => Array.isArray(found),
});

/** The front. `pageIndex` and `pageSize` of former versions say nothing: the list has no pages. */
export const catalogSearch = searchSchema({
  ...sortParams,
  configType: types,
  /** As former versions call it. */
  type: types,
  search: text,
  groupBy: groups,
  labels: triStateAs(parseLabels, writeLabels),
  status: triState,
  health: triState,
});
export type CatalogSearch = SearchOf<typeof catalogSearch>;

/** An item's configuration. */
export const configSearch = searchSchema({ format: choice(['yaml', 'json']) });

/** Changes, of all items or of one (contract §6.5). */
export const changesSearch = searchSchema({
  ...sortParams,
  ...pageParams,
  ...rangeParams,
  /** From 1, as links have it; `pageIndex`, from 0, is read, too. */
  page: whole,
  sortDirection: choice(['asc', 'desc']),
  id: triState,
  summary: triState,
  source: triState,
  created_by: triState,
  external_created_by: triState,
  changeType: triState,
  configTypes: signedTypes,
  /** A link to one type (spec 2 §2). */
  configType: text,
  tags: triState,
  severity: text,
  type_filter: text,
  /** The change whose details are open. */
  change: text,
});
export type ChangesSearch = SearchOf<typeof changesSearch>;

/** Insights, of all items or of one (contract §6.4); `all` is no filter. */
export const insightsSearch = searchSchema({
  ...sortParams,
  ...pageParams,
  search: text,
  status: text,
  severity: text,
  type: text,
  analyzer: text,
  component: text,
  configId: text,
  configType: text,
  /** The insight whose details are open. */
  insight: text,
});
export type InsightsSearch = SearchOf<typeof insightsSearch>;

/** What an item is related to (spec 3 §2; contract §6.3). */
export const relationsSearch = searchSchema({
  ...sortParams,
  incoming: flag,
  outgoing: flag,
  relationship: choice(['soft', 'both']),
  depth: whole,
  configTypes: signedTypes,
  labels: triState,
  status: triState,
  health: triState,
  tag: text,
});
export type RelationsSearch = SearchOf<typeof relationsSearch>;
