/** What hangs on the hypotheses in sight, asked for at once: a question for each card would be hundreds. */
import type { LiveRow } from '../../../contract/live-query.ts';
import { useLiveRecords } from '../../../data/queries/use-live-records.ts';
import { PAGE_ROWS } from '../page-rows.ts';
import type { RecordOf } from '../use-records.ts';

interface Attached<Row> {
  isLoaded: boolean;
  /** Those of one hypothesis that are in the common window. */
  of: (hypothesisId: string) => LiveRow<Row>[];
  /** How many it has; more than `of` gives where the common window is full. */
  countOf: (hypothesisId: string) => number;
}

/** Of these hypotheses alone; each with how many it has. */
export function useAttached<Kind extends 'evidence' | 'comment'>(
  kind: Kind,
  hypothesisIds: readonly string[],
): Attached<RecordOf<Kind>> {
  const { isLoaded, rows, groups } = useLiveRecords(kind, {
    where: [{ field: 'hypothesis_id', op: 'in', values: [...hypothesisIds] }],
    search: '',
    sort: [{ field: 'created_at', isDescending: kind === 'comment' }],
    groupBy: 'hypothesis_id',
    window: { start: 0, end: PAGE_ROWS },
  });
  return {
    isLoaded,
    of: (id) => rows.filter(({ row }) => 'hypothesis_id' in row && row.hypothesis_id === id),
    countOf: (id) => groups.find(({ value }) => value === id)?.count ?? 0,
  };
}
