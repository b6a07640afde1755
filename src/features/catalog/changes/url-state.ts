/**
 * What a list of changes asks, from its link (contract §6.5, §19.1–19.3), and what a choice changes in the link: an
 * unknown value is as good as absent; every change of a filter goes back to the first page.
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
import { unwanted, wanted, type TriState } from '../../../domain/tri-state.ts';
import type { DefaultSort, TableState } from '../../../ui/tables/table-state.ts';
import type { ChangesSearch } from '../search-schemas.ts';

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

/** The first page, as a change of the link. */
export const FIRST_PAGE = { pageIndex: undefined, page: undefined };

/** What a filter is set to. */
export function filterOf(search: ChangesSearch, name: ListFilter): TriState {
  const filter = search[name] ?? {};
  if (name !== 'configTypes' || search.configType === undefined) return filter;
  return { [search.configType]: 1, ...filter };
}

/** What another filter changes in the link. */
export function filterLink(name: ListFilter, filter: TriState): ChangesSearch {
  const single = name === 'configTypes' ? { configType: undefined } : {};
  return { ...FIRST_PAGE, ...single, [name]: filter };
}

/** A value of a cell, wanted or not; said again, it is let go. */
export function cellFilterLink(
  search: ChangesSearch,
  name: CellFilter,
  pressed: { value: string; state: 1 | -1 },
): ChangesSearch {
  const { [pressed.value]: before, ...rest } = filterOf(search, name);
  return filterLink(name, before === pressed.state ? rest : { ...rest, [pressed.value]: pressed.state });
}

/** Empty for any. */
export function severityOf(search: ChangesSearch): string {
  const asked = (search.severity ?? '').toLowerCase();
  return SEVERITIES.find((known) => known === asked) ?? '';
}

/** Which items besides this one the list is about. */
export function reachOf(search: ChangesSearch): Reach {
  return REACHES.find((reach) => reach === search.type_filter) ?? ITEM_REACH;
}

/** What another reach changes in the link. */
export function reachLink(reach: Reach): ChangesSearch {
  return { ...FIRST_PAGE, type_filter: reach === ITEM_REACH ? undefined : reach };
}

/** Two days where the link names none, or none that can be read. */
export function rangeOf(search: ChangesSearch): ChosenRange {
  return parseRange(search) ?? TWO_DAYS;
}

/** How many filters of the strip differ from how they start; those that cells set have chips of their own. */
export function filterCount(search: ChangesSearch, hasReach: boolean): number {
  const values = (['changeType', 'configTypes', 'tags'] as const).flatMap((name) =>
    Object.keys(filterOf(search, name)),
  );
  const others = [
    severityOf(search) !== '',
    hasReach && reachOf(search) !== ITEM_REACH,
    parseRange(search) !== null,
  ];
  return values.length + others.filter(Boolean).length;
}

/** Order and page. */
export function tableOf(search: ChangesSearch): TableState {
  const { page = 0, pageIndex = 0, pageSize = PAGE_SIZE, sortOrder = search.sortDirection } = search;
  const sortBy = CHANGE_SORTS.find((column) => column === search.sortBy) ?? null;
  return {
    ...(sortBy === null ? NEWEST_FIRST : { sortBy, isDescending: sortOrder === 'desc' }),
    pageIndex: page === 0 ? pageIndex : page - 1,
    pageSize: PAGE_SIZES.includes(pageSize) ? pageSize : PAGE_SIZE,
  };
}

/** What another order or page changes in the link. */
export function tableLink({ sortBy, isDescending, pageIndex, pageSize }: TableState): ChangesSearch {
  const isDefault = sortBy === null || (sortBy === NEWEST_FIRST.sortBy && isDescending);
  return {
    sortBy: isDefault ? undefined : sortBy,
    sortOrder: isDefault ? undefined : isDescending ? 'desc' : 'asc',
    sortDirection: undefined,
    pageIndex: undefined,
    page: pageIndex === 0 ? undefined : pageIndex + 1,
    pageSize: pageSize === PAGE_SIZE ? undefined : pageSize,
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
  search: ChangesSearch,
  { configId, isDeletedHidden, nowMs }: AskedWhere,
): ChangesQuestion {
  const { after, before } = boundsOf(rangeOf(search), nowMs);
  const { sortBy, isDescending, pageIndex, pageSize } = tableOf(search);
  const list = (isEncoded: boolean, ...names: ListFilter[]) =>
    listText(
      names.map((name) => filterOf(search, name)),
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
    tags: selectorText(filterOf(search, 'tags')),
    from: after ?? '',
    to: before ?? '',
    page: pageIndex + 1,
    page_size: pageSize,
    sort_by: `${isDescending ? '-' : ''}${sortBy ?? 'created_at'}`,
  };
}
