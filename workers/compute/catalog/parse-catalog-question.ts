/** Questions about the catalog, parsed by hand (see ../parse-question.ts). */
import { isRecord } from '../../../src/lib/is-record.ts';
import { isCatalogColumn, type CatalogQuery } from '../../../src/contract/catalog-view.ts';
import type { TriState } from '../../../src/domain/tri-state.ts';
import { flag, refuse, text } from '../question-fields.ts';

const MAX_SEARCH_CHARS = 1000;
/** More keys than anybody nests. */
const MAX_KEYS = 8;

export function triState(value: unknown, field: string): TriState {
  if (!isRecord(value)) return refuse(field);
  const signs = Object.entries(value).map(([key, sign]): [string, 1 | -1] => [
    key,
    sign === 1 || sign === -1 ? sign : refuse(field),
  ]);
  return Object.fromEntries(signs);
}

function texts(value: unknown, field: string): string[] {
  return Array.isArray(value) ? value.map((one) => text(one, field)) : refuse(field);
}

export function searchText(value: unknown): string {
  const search = text(value, 'search');
  return search.length <= MAX_SEARCH_CHARS ? search : refuse('search');
}

/** A question, or an error that names the field. */
export function parseCatalogQuery(value: unknown): CatalogQuery {
  if (!isRecord(value)) return refuse('form');
  const sortBy = text(value.sortBy, 'sortBy');
  const groupBy = texts(value.groupBy, 'groupBy');
  return {
    search: searchText(value.search),
    types: triState(value.types, 'types'),
    status: triState(value.status, 'status'),
    health: triState(value.health, 'health'),
    labels: triState(value.labels, 'labels'),
    hideDeleted: flag(value.hideDeleted, 'hideDeleted'),
    sortBy: isCatalogColumn(sortBy) ? sortBy : refuse('sortBy'),
    isDescending: flag(value.isDescending, 'isDescending'),
    groupBy: groupBy.length <= MAX_KEYS ? groupBy : refuse('groupBy'),
    hasItems: flag(value.hasItems, 'hasItems'),
    closed: texts(value.closed, 'closed'),
    favorites: texts(value.favorites, 'favorites'),
    wantsFacets: flag(value.wantsFacets, 'wantsFacets'),
  };
}
