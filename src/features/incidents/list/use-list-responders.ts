/** Who responds to the incidents of a page, and how many of them (spec 3 §2: the first five as avatars). */
import { useMemo } from 'react';
import { useLiveRecords } from '../../../data/queries/use-live-records.ts';
import { useLiveQuery } from '../../../data/queries/use-live-query.ts';
import type { LiveAnswer } from '../../../data/client/live-query-client.ts';
import { PAGE_ROWS, type RecordOf } from '../use-records.ts';

/** A question answers 100 rows: with so many incidents each there is room for five responders of every one. */
const STEP = 20;

export interface Responding {
  who: readonly { id: string; name: string; image: string | null }[];
  /** More than `who` where not all were asked for, which may be all of them beside incidents that have very many. */
  total: number;
}

type Responder = RecordOf<'responder'>;

function useSome(ids: readonly string[]): LiveAnswer<Responder> {
  return useLiveRecords('responder', {
    where: [{ field: 'incident_id', op: 'in', values: [...ids] }],
    search: '',
    sort: [{ field: 'created_at', isDescending: false }],
    // Counts all of them, also those beyond the window.
    groupBy: 'incident_id',
    window: { start: 0, end: ids.length === 0 ? 0 : PAGE_ROWS },
  });
}

interface Named {
  id: string;
  name?: unknown;
  avatar?: unknown;
}

function useNamed(ids: readonly string[]): ReadonlyMap<string, Named> {
  const { rows } = useLiveQuery({
    collection: 'resources',
    where: [{ field: 'id', op: 'in', values: [...new Set(ids)].toSorted().slice(0, PAGE_ROWS) }],
    search: '',
    sort: [],
    groupBy: null,
    window: { start: 0, end: PAGE_ROWS },
  });
  return useMemo(() => new Map(rows.map(({ id, row }) => [id, row])), [rows]);
}

/** Responders by incident, for a page of at most 100 incidents; `somebody` names who isn't known here. */
export function useListResponders(ids: readonly string[], somebody: string): ReadonlyMap<string, Responding> {
  const parts = [
    useSome(ids.slice(0, STEP)),
    useSome(ids.slice(STEP, 2 * STEP)),
    useSome(ids.slice(2 * STEP, 3 * STEP)),
    useSome(ids.slice(3 * STEP, 4 * STEP)),
    useSome(ids.slice(4 * STEP)),
  ];
  const rows = parts.flatMap((part) => part.rows.map(({ row }) => row));
  const named = useNamed(rows.flatMap((row) => row.team_id ?? row.person_id ?? []));
  const found = new Map<string, { who: Responding['who'][number][]; total: number }>();
  for (const { value, count } of parts.flatMap(({ groups }) => groups))
    if (typeof value === 'string') found.set(value, { who: [], total: count });
  for (const row of rows) {
    const of = found.get(row.incident_id);
    if (of === undefined) continue;
    const { name, avatar } = named.get(row.team_id ?? row.person_id ?? '') ?? {};
    of.who.push({
      id: row.id,
      name: typeof name === 'string' ? name : somebody,
      image: typeof avatar === 'string' ? avatar : null,
    });
  }
  return found;
}
