/** The changes of 30 days that the server counted, for the groups of the summary. Groups above are summed up here. */
import type { CatalogGroupRow } from '../../../contract/catalog-view.ts';
import type {
  CatalogSummaryQuestion,
  CatalogSummaryRow,
} from '../../../contract/http/catalog/catalog-summary.ts';
import { tagOfGroup } from '../../../domain/catalog/grouping.ts';
import { classOfType } from '../../../domain/catalog/type-names.ts';
import { unwanted, wanted, type TriState } from '../../../domain/tri-state.ts';
import type { CatalogState } from '../list/url-state.ts';

const CLASS = 'config_class';

/** As the summary's request has it: `a,!b` (contract §6.6). */
function matchList(filter: TriState): string {
  return [...wanted(filter), ...unwanted(filter).map((value) => `!${value}`)].join(',');
}

/** The server groups by columns and tags; the class it is not asked for, because the type tells it. */
function serverKey(by: string): string | null {
  return tagOfGroup(by) ?? (by === 'type' ? by : null);
}

/**
 * What to ask the server for a summary by these groups; null when it can't answer that: it knows no search and no
 * types, and looks for labels where the device looks for tags, too.
 */
export function summaryQuestion(
  state: CatalogState,
  groupBy: readonly string[],
  hideDeleted: boolean,
): CatalogSummaryQuestion | null {
  const isFiltered =
    state.search !== '' || [state.types, state.labels].some((f) => Object.keys(f).length > 0);
  const keys = groupBy.filter((by) => by !== CLASS).map(serverKey);
  if (isFiltered || groupBy.length === 0 || keys.includes(null)) return null;
  const named = keys.filter((key): key is string => key !== null);
  const needsType = groupBy.includes(CLASS) && !named.includes('type');
  return {
    groupBy: needsType ? [...named, 'type'] : named,
    deleted: !hideDeleted,
    status: matchList(state.status),
    health: matchList(state.health),
  };
}

function valueOf(row: CatalogSummaryRow, by: string): string | null {
  const { type } = row;
  if (by === CLASS) return typeof type === 'string' ? classOfType(type) : null;
  const value = row[tagOfGroup(by) ?? by];
  return typeof value === 'string' && value !== '' ? value : null;
}

/** Changes by the values on the way to a group, for every level. */
export function changesByGroup(
  rows: readonly CatalogSummaryRow[],
  groupBy: readonly string[],
): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const row of rows) {
    const path: (string | null)[] = [];
    for (const by of groupBy) {
      path.push(valueOf(row, by));
      const key = JSON.stringify(path);
      sums.set(key, (sums.get(key) ?? 0) + (row.changes ?? 0));
    }
  }
  return sums;
}

/** What names a group of the summary: its values from the top down. */
export function pathKey(row: Pick<CatalogGroupRow, 'path'>): string {
  return JSON.stringify(row.path.map(({ value }) => value));
}
