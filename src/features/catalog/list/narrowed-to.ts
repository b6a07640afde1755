import type { CatalogGroupRow } from '../../../contract/catalog-view.ts';
import { tagOfGroup } from '../../../domain/catalog/grouping.ts';
import type { CatalogState } from './url-state.ts';

/**
 * The state that lists what a group holds (contract §19.4): its type, its tags as label filters, its name as the
 * search; the grouping is done with. A value that items lack can't be asked for: those levels stay open.
 */
export function narrowedTo(row: CatalogGroupRow, state: CatalogState): Partial<CatalogState> {
  const change = { types: state.types, labels: { ...state.labels }, search: state.search };
  for (const { by, value } of row.path) {
    if (value === null) continue;
    const tag = tagOfGroup(by);
    if (by === 'type') change.types = { [value]: 1 };
    if (by === 'name') change.search = value;
    if (tag !== null) change.labels[`${tag}:${value}`] = 1;
  }
  // Nothing that lists items was chosen: then the list is without groups, not the summary again.
  const isList = Object.keys(change.types).length > 0 || change.search !== '';
  return { ...change, groups: isList ? null : [] };
}
