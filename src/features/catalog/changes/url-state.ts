/**
 * The state of a list of changes as its query string (contract §6.5, §19.1–19.3), and the question that it asks.
 * Invariants: what is parsed and written again asks the same; an unknown value is as good as absent; defaults are
 * not written; every change of a filter goes back to the first page.
 */
import {
  CHANGE_SORTS,
  NO_QUESTION,
  REACHES,
  SEVERITIES,
  type ChangesQuestion,
  type Reach,
} from '../../../domain/catalog/changes-search.ts';
import { boundsOf, parseRange, TWO_DAYS, type ChosenRange } from '../../../domain/time/time-range.ts';
import { parseTriState, unwanted, wanted, writeTriState, type TriState } from '../../../domain/tri-state.ts';
import type { DefaultSort, TableState } from '../../../ui/tables/table-state.ts';
import type { Search } from '../../../ui/tables/use-table-state.ts';

/** Filters that a cell's marks set: a text of the row, wanted or not. */
export const CELL_FILTERS = ['id', 'summary', 'source', 'created_by', 'external_created_by'] as const;
export type CellFilter = (typeof CELL_FILTERS)[number];

/** Filters with more values than a few. */
export type ListFilter = CellFilter | 'changeType' | 'configTypes' | 'tags';

export const NEWEST_FIRST: DefaultSort = { sortBy: 'created_at', isDescending: true };
/** Spec 2 §9. */
const PAGE_SIZE = 200;
const PAGE_SIZES = [50, 100, 200];
/** What an item's list reaches while nobody chose (contract §6.5). */
export const ITEM_REACH: Reach = 'downstream';

/** In links the type's double colon is two underscores, too (contract §19.1). */
const typesInLink = (filter: TriState): TriState =>
  Object.fromEntries(Object.entries(filter).map(([type, state]) => [type.replaceAll('::', '__'), state]));
const typesFromLink = (filter: TriState): TriState =>
  Object.fromEntries(Object.entries(filter).map(([type, state]) => [type.replaceAll('__', '::'), state]));

export function parseFilter(search: Search, name: ListFilter): TriState {
  const filter = parseTriState(search[name] ?? '');
  if (name !== 'configTypes') return filter;
  // A link to one type (spec 2 §2).
  const single = search['configType'];
  return {
    ...(single === undefined || single === '' ? {} : { [single]: 1 as const }),
    ...typesFromLink(filter),
  };
}

/** The query string with one thing changed, on its first page. */
function changed(search: Search, name: string, text: string): Search {
  const { [name]: _before, pageIndex: _index, page: _page, ...rest } = search;
  return text === '' ? rest : { ...rest, [name]: text };
}

export function withFilter(search: Search, name: ListFilter, filter: TriState): Search {
  if (name !== 'configTypes') return changed(search, name, writeTriState(filter));
  const { configType: _single, ...rest } = search;
  return changed(rest, name, writeTriState(typesInLink(filter)));
}

/** A value of a cell, wanted or not; said again, it is let go. */
export function withCellFilter(
  search: Search,
  name: CellFilter,
  pressed: { value: string; state: 1 | -1 },
): Search {
  const { [pressed.value]: before, ...rest } = parseFilter(search, name);
  const next = before === pressed.state ? rest : { ...rest, [pressed.value]: pressed.state };
  return withFilter(search, name, next);
}

export function severityOf(search: Search): string {
  const asked = (search['severity'] ?? '').toLowerCase();
  return SEVERITIES.find((known) => known === asked) ?? '';
}

export const withSeverity = (search: Search, severity: string) => changed(search, 'severity', severity);

export function reachOf(search: Search): Reach {
  return REACHES.find((reach) => reach === search['type_filter']) ?? ITEM_REACH;
}

export const withReach = (search: Search, reach: Reach) =>
  changed(search, 'type_filter', reach === ITEM_REACH ? '' : reach);

export function rangeOf(search: Search): ChosenRange {
  return parseRange(search) ?? TWO_DAYS;
}

/** How many filters of the strip differ from how they start; those that cells set have chips of their own. */
export function filterCount(search: Search, hasReach: boolean): number {
  const values = (['changeType', 'configTypes', 'tags'] as const).flatMap((name) =>
    Object.keys(parseFilter(search, name)),
  );
  const others = [
    severityOf(search) !== '',
    hasReach && reachOf(search) !== ITEM_REACH,
    parseRange(search) !== null,
  ];
  return values.length + others.filter(Boolean).length;
}

function whole(text: string | undefined): number | null {
  const value = text === undefined || text === '' ? Number.NaN : Number(text);
  return Number.isSafeInteger(value) && value >= 0 ? value : null;
}

/** Order and page. `page` counts from 1, as links have it; `pageIndex`, from 0, is read, too. */
export function tableOf(search: Search): TableState {
  const sortBy = CHANGE_SORTS.find((column) => column === search['sortBy']) ?? null;
  const page = whole(search['page']);
  const size = whole(search['pageSize']);
  const direction = search['sortOrder'] ?? search['sortDirection'];
  return {
    ...(sortBy === null ? NEWEST_FIRST : { sortBy, isDescending: direction === 'desc' }),
    pageIndex: page === null || page === 0 ? (whole(search['pageIndex']) ?? 0) : page - 1,
    pageSize: size !== null && PAGE_SIZES.includes(size) ? size : PAGE_SIZE,
  };
}

const TABLE_KEYS = ['sortBy', 'sortOrder', 'sortDirection', 'page', 'pageIndex', 'pageSize'];

export function withTable(search: Search, state: TableState): Search {
  const rest = Object.entries(search).filter(([key]) => !TABLE_KEYS.includes(key));
  const { sortBy, isDescending, pageIndex, pageSize } = state;
  const isDefault = sortBy === null || (sortBy === NEWEST_FIRST.sortBy && isDescending);
  return {
    ...Object.fromEntries(rest),
    ...(isDefault ? {} : { sortBy, sortOrder: isDescending ? 'desc' : 'asc' }),
    ...(pageIndex === 0 ? {} : { page: String(pageIndex + 1) }),
    ...(pageSize === PAGE_SIZE ? {} : { pageSize: String(pageSize) }),
  };
}

/** `a,!b`; entries of the fields that the server decodes are encoded, so that a comma in one stays in it. */
function listText(filters: readonly TriState[], isEncoded: boolean): string {
  const text = (value: string) => (isEncoded ? encodeURIComponent(value) : value);
  return filters
    .flatMap((filter) => [...wanted(filter).map(text), ...unwanted(filter).map((value) => `!${text(value)}`)])
    .join(',');
}

/** Tags as a selector: `k=v`, `k notin (a,b)`; the sign of a key is that of its first value. */
function selectorText(filter: TriState): string {
  const keys = new Map<string, { isWanted: boolean; values: string[] }>();
  for (const [entry, state] of Object.entries(filter)) {
    const at = entry.indexOf(':');
    if (at < 1) continue;
    const known = keys.get(entry.slice(0, at)) ?? { isWanted: state === 1, values: [] };
    if (known.isWanted === (state === 1)) known.values.push(entry.slice(at + 1));
    keys.set(entry.slice(0, at), known);
  }
  return [...keys]
    .map(([key, { isWanted, values }]) =>
      values.length === 1
        ? `${key}${isWanted ? '=' : '!='}${values[0] ?? ''}`
        : `${key} ${isWanted ? 'in' : 'notin'} (${values.join(',')})`,
    )
    .join(',');
}

interface AskedWhere {
  /** The item whose changes are asked for; null for all. */
  configId: string | null;
  isDeletedHidden: boolean;
  nowMs: number;
}

/** What the query string asks. */
export function questionOf(
  search: Search,
  { configId, isDeletedHidden, nowMs }: AskedWhere,
): ChangesQuestion {
  const { after, before } = boundsOf(rangeOf(search), nowMs);
  const { sortBy, isDescending, pageIndex, pageSize } = tableOf(search);
  const list = (isEncoded: boolean, ...names: ListFilter[]) =>
    listText(
      names.map((name) => parseFilter(search, name)),
      isEncoded,
    );
  return {
    ...NO_QUESTION,
    id: configId ?? list(false, 'id'),
    recursive: configId === null ? 'none' : reachOf(search),
    include_deleted_configs: !isDeletedHidden,
    config_type: list(false, 'configTypes'),
    type: list(false, 'changeType'),
    severity: severityOf(search),
    summary: list(true, 'summary'),
    source: list(true, 'source'),
    // The search has one field for both kinds of author.
    created_by: list(true, 'created_by', 'external_created_by'),
    tags: selectorText(parseFilter(search, 'tags')),
    from: after ?? '',
    to: before ?? '',
    page: pageIndex + 1,
    page_size: pageSize,
    sort_by: `${isDescending ? '-' : ''}${sortBy ?? 'created_at'}`,
  };
}

/** The change whose details are open. */
export const changeOf = (search: Search): string | null => search['change'] ?? null;

export function withChange(search: Search, id: string | null): Search {
  const { change: _before, ...rest } = search;
  return id === null ? rest : { ...rest, change: id };
}
