import { useLiveQuery } from '../use-live-query.ts';

/** An incident as what it is about links to it. */
export interface AboutIncident {
  id: string;
  incident_id: string;
  title: string;
  status: string;
}

const NEWEST = [{ field: 'created_at', isDescending: true }];
const ALL = { search: '', sort: NEWEST, groupBy: null, window: { start: 0, end: 100 } };

/** Incidents that have one thing for evidence, newest first, from this device. */
export function useIncidentsAbout(
  subject: 'config_id' | 'component_id' | 'check_id',
  id: string,
): readonly AboutIncident[] {
  const evidences = useLiveQuery({
    ...ALL,
    collection: 'incident_records',
    where: [
      { field: 'kind', op: 'eq', value: 'evidence' },
      { field: subject, op: 'eq', value: id },
    ],
  });
  const ids = [...new Set(evidences.rows.map(({ row }) => row.incident_id))].toSorted();
  const incidents = useLiveQuery({
    ...ALL,
    collection: 'incidents',
    where: [{ field: 'id', op: 'in', values: ids }],
  });
  return ids.length === 0 ? [] : incidents.rows.map(({ row }) => row);
}
