/** People, and who of them is in a team, live from this device. */
import { IS_AUTHOR } from '../../../data/queries/somebody.ts';
import type { Condition, LiveRow } from '../../../contract/live-query.ts';
import { useLiveQuery } from '../../../data/queries/use-live-query.ts';
import { useLiveRow } from '../../../data/queries/use-live-row.ts';

export type PersonRow = { id: string; name?: unknown; avatar?: unknown };
/** No live query answers more at once. */
export const PAGE_ROWS = 100;

/** A page by name, the first unless another is asked for; those that stand for agents are left out. */
export function usePeople(
  where: Condition[],
  search: string,
  window = { start: 0, end: PAGE_ROWS },
): { rows: readonly LiveRow<PersonRow>[]; total: number } {
  return useLiveQuery({
    collection: 'resources',
    where: [...IS_AUTHOR, ...where],
    search,
    sort: [{ field: 'name', isDescending: false }],
    groupBy: null,
    window,
  });
}

/** Ids of a team's members; null until they were looked for. */
export function useMemberIds(teamId: string): readonly string[] | null {
  const found = useLiveRow('resources', teamId);
  if (found === undefined) return null;
  const members = found?.row.members;
  return Array.isArray(members) ? members.filter((id) => typeof id === 'string') : [];
}

/** `fallback` for somebody without a name. */
export const personName = ({ name }: PersonRow, fallback: string): string =>
  typeof name === 'string' && name !== '' ? name : fallback;
