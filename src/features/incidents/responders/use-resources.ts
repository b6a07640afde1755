/** People and teams as this device knows them. */
import type { Condition, LiveRow } from '../../../contract/live-query.ts';
import { useLiveQuery } from '../../../data/queries/use-live-query.ts';
import { IS_SOMEBODY } from '../../../data/queries/somebody.ts';
import { PAGE_ROWS } from '../page-rows.ts';

export type ResourceRow = { id: string; name?: unknown } & Readonly<Record<string, unknown>>;

interface Found {
  rows: readonly LiveRow<ResourceRow>[];
  total: number;
  isLoaded: boolean;
}

function question(where: Condition[], search: string) {
  return {
    collection: 'resources' as const,
    where,
    search,
    sort: [{ field: 'name', isDescending: false }],
    groupBy: null,
    window: { start: 0, end: PAGE_ROWS },
  };
}

const IS_TEAM: readonly Condition[] = [{ field: 'kind', op: 'eq', value: 'team' }];

/** Of one kind, by name. */
export function useResources(kind: 'team' | 'person', search: string): Found {
  return useLiveQuery(question([...(kind === 'team' ? IS_TEAM : IS_SOMEBODY)], search));
}

/** Those ids, as far as they are known here. */
export function useResourcesOf(ids: readonly (string | null)[]): ReadonlyMap<string, ResourceRow> {
  const wanted = [...new Set(ids.filter((id) => id !== null))].toSorted().slice(0, PAGE_ROWS);
  const { rows } = useLiveQuery(question([{ field: 'id', op: 'in', values: wanted }], ''));
  return new Map(rows.map(({ id, row }) => [id, row]));
}

/** `fallback` for a row that isn't here, or has no name. */
export function nameOf(row: ResourceRow | undefined, fallback: string): string {
  return typeof row?.name === 'string' && row.name !== '' ? row.name : fallback;
}
