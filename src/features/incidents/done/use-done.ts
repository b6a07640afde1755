import type { Condition, LiveRow } from '../../../contract/live-query.ts';
import { useRecords, type RecordOf } from '../use-records.ts';

const IS_DONE: readonly Condition[] = [{ field: 'definition_of_done', op: 'eq', value: true }];

interface DoneEvidences {
  isLoaded: boolean;
  /** Oldest first (spec 3 §2). */
  rows: LiveRow<RecordOf<'evidence'>>[];
  total: number;
  start: number;
}

/** The evidences of the definition of done, a window of them, without those whose hypothesis was deleted here. */
export function useDone(incidentId: string, start = 0): DoneEvidences {
  const evidences = useRecords(incidentId, 'evidence', { start, where: IS_DONE });
  const above = [...new Set(evidences.rows.map(({ row }) => row.hypothesis_id))].toSorted();
  const hypotheses = useRecords(incidentId, 'hypothesis', {
    where: [{ field: 'id', op: 'in', values: above }],
  });
  // A hypothesis takes its evidences along: here at once, on the server when the deletion arrives.
  const known = new Set(hypotheses.rows.map(({ id }) => id));
  const rows = evidences.rows.filter(({ row }) => known.has(row.hypothesis_id));
  return {
    isLoaded: evidences.isLoaded && hypotheses.isLoaded,
    rows,
    total: Math.max(rows.length, evidences.total - (evidences.rows.length - rows.length)),
    start: evidences.start,
  };
}
