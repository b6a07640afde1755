/** On which page of the comments, newest first, the one is that a link leads to. */
import { useLiveRow } from '../../../data/queries/use-live-row.ts';
import { PAGE_ROWS } from '../page-rows.ts';
import { useRecords } from '../use-records.ts';

/** Asked in place of no comment: the id of none. */
const NOBODY = 'none';
const LATEST = '9999';

export interface FocusedPosition {
  start: number;
  /** It isn't on this device. */
  isMissing: boolean;
}

/** Counts the newer ones on this device. */
export function useFocusedStart(incidentId: string, commentId: string | null): FocusedPosition {
  const found = useLiveRow('incident_records', commentId ?? NOBODY);
  const isOurs = found?.row.kind === 'comment' && found.row.incident_id === incidentId;
  const since = isOurs ? found.row.created_at : LATEST;
  const newer = useRecords(incidentId, 'comment', {
    where: [{ field: 'created_at', op: 'gte', value: since }],
  });
  const at = Math.max(0, newer.total - 1);
  return {
    start: Math.floor(at / PAGE_ROWS) * PAGE_ROWS,
    isMissing: commentId !== null && found !== undefined && !isOurs,
  };
}
