/** What belongs to an incident, live, one kind at a time. */
import type { Condition } from '../../contract/live-query.ts';
import type { IncidentRecord, RecordKind } from '../../contract/collection-rows.ts';
import type { LiveAnswer } from '../../data/client/live-query-client.ts';
import { useLiveRecords } from '../../data/queries/use-live-records.ts';
import { PAGE_ROWS } from './page-rows.ts';

export type RecordOf<Kind extends RecordKind> = Extract<IncidentRecord, { kind: Kind }>;

interface Part {
  isNewestFirst?: boolean;
  start?: number;
  /** What else must hold. */
  where?: readonly Condition[];
}

/** A window of at most 100 from `start`, oldest first unless `isNewestFirst`. */
export function useRecords<Kind extends RecordKind>(
  incidentId: string,
  kind: Kind,
  { isNewestFirst = false, start = 0, where = [] }: Part = {},
): LiveAnswer<RecordOf<Kind>> {
  return useLiveRecords(kind, {
    where: [{ field: 'incident_id', op: 'eq', value: incidentId }, ...where],
    search: '',
    sort: [{ field: 'created_at', isDescending: isNewestFirst }],
    groupBy: null,
    window: { start, end: start + PAGE_ROWS },
  });
}
