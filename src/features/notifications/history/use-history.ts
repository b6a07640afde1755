/** The send history of this device, filtered and in windows. */
import { useCallback, useMemo, useState } from 'react';
import type { Condition } from '../../../contract/live-query.ts';
import type { CollectionRow } from '../../../contract/queries/live-row-schemas.ts';
import { findAllRows, textOf } from '../../../data/queries/find-all.ts';
import { useLiveQuery } from '../../../data/queries/use-live-query.ts';
import { unwanted, wanted, type TriState } from '../../../domain/tri-state.ts';
import type { ChosenThing } from '../../../ui/page/Bulk.tsx';
import type { HistorySearch } from '../search-schemas.ts';

export type HistoryRow = CollectionRow<'notification_history'>;
export type Pending = 'none' | 'saving' | 'kept' | 'sent';

const WINDOW = 100;
/** Rows kept ready before what is on screen. */
const BEFORE = 30;

function conditionsOf(field: string, filter: TriState = {}): Condition[] {
  const [yes, no] = [wanted(filter), unwanted(filter)];
  return [
    ...(yes.length === 0 ? [] : [{ field, op: 'in' as const, values: yes }]),
    ...(no.length === 0 ? [] : [{ field, op: 'not-in' as const, values: no }]),
  ];
}

/** One that is being sent has not arrived yet: for the filters, which the contract names, it is pending (§19.7). */
export function statusFilter({ pending, ...rest }: TriState = {}): TriState {
  return pending === undefined ? rest : { ...rest, pending, sending: pending };
}

export interface History {
  isLoaded: boolean;
  count: number;
  /** The rows that are here, in order. */
  shown: readonly HistoryRow[];
  rowAt: (index: number) => { row: HistoryRow; pending: Pending } | null;
  setRange: (start: number, end: number) => void;
  /** Every notification that passes, on screen or not. */
  findAll: () => Promise<readonly ChosenThing[] | null>;
}

/** Newest first. */
export function useHistory({ status, resource_type: type }: HistorySearch): History {
  const [start, setStart] = useState(0);
  const question = {
    collection: 'notification_history' as const,
    where: [...conditionsOf('status', statusFilter(status)), ...conditionsOf('resource_type', type)],
    search: '',
    sort: [{ field: 'created_at', isDescending: true }],
    groupBy: null,
  };
  const {
    isLoaded,
    total,
    rows,
    start: shownFrom,
  } = useLiveQuery({ ...question, window: { start, end: start + WINDOW } });
  const setRange = useCallback((from: number, end: number) => {
    // As long as the window holds what is on screen it stays.
    setStart((now) => (from >= now && end <= now + WINDOW ? now : Math.max(0, from - BEFORE)));
  }, []);
  const shown = useMemo(() => rows.map(({ row }) => row), [rows]);
  return {
    isLoaded,
    count: total,
    shown,
    rowAt: (index) => rows[index - shownFrom] ?? null,
    setRange,
    async findAll() {
      const fields = ['resource_name', 'title', 'resource_id', 'source_event'];
      const found = await findAllRows(question, fields);
      if (found === null) return null;
      return found.map((row) => ({
        id: row.id,
        name: `${textOf(row, 'resource_name') || textOf(row, 'title') || textOf(row, 'resource_id')}: ${textOf(row, 'source_event')}`,
      }));
    },
  };
}

/** A notification as what is chosen of a list. */
export const chosenOf = (row: HistoryRow): ChosenThing => ({
  id: row.id,
  name: `${resourceName(row)}: ${row.source_event}`,
});

/** How a notification calls what it is about. */
export const resourceName = (row: HistoryRow): string => row.resource_name ?? row.title ?? row.resource_id;
