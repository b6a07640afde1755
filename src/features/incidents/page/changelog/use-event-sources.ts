/** What the events of a page of the changelog are about, and the names in them, live. */
import { useMemo } from 'react';
import type { IncidentRecord } from '../../../../contract/collection-rows.ts';
import type { LiveRow } from '../../../../contract/live-query.ts';
import { useLiveQuery } from '../../../../data/queries/use-live-query.ts';
import { useNames } from '../../use-names.ts';
import { PAGE_ROWS } from '../../page-rows.ts';
import type { RecordOf } from '../../use-records.ts';
import type { SubjectSources } from './event-text.ts';

function useRecordsOf(ids: readonly (string | null)[]): readonly LiveRow<IncidentRecord>[] {
  const values = [...new Set(ids.filter((id) => id !== null))].toSorted().slice(0, PAGE_ROWS);
  return useLiveQuery({
    collection: 'incident_records',
    where: [{ field: 'id', op: 'in', values }],
    search: '',
    sort: [],
    groupBy: null,
    window: { start: 0, end: PAGE_ROWS },
  }).rows;
}

/** Also of subjects that are gone: these have no row. */
export function useEventSources(events: readonly LiveRow<RecordOf<'history'>>[]): SubjectSources {
  const rows = events.map(({ row }) => row);
  // One question for each kind: a page of events may name a hundred of each, and no answer holds more.
  const evidences = useRecordsOf(rows.map((row) => row.evidence_id));
  const comments = useRecordsOf(rows.map((row) => row.comment_id));
  const responders = useRecordsOf(rows.map((row) => row.responder_id));
  const hypotheses = useRecordsOf(rows.map((row) => row.hypothesis_id));
  const who = responders.map(({ row }) => (row.kind === 'responder' ? (row.team_id ?? row.person_id) : null));
  const names = useNames([...rows.map((row) => row.created_by), ...who]);
  const records = useMemo(
    () => new Map([...evidences, ...comments, ...responders, ...hypotheses].map(({ id, row }) => [id, row])),
    [evidences, comments, responders, hypotheses],
  );
  return { records, names };
}
