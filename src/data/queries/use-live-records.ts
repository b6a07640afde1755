import { useMemo } from 'react';
import type { IncidentRecord, RecordKind } from '../../contract/collection-rows.ts';
import type { LiveQuestion, LiveRow } from '../../contract/live-query.ts';
import type { LiveAnswer } from '../client/live-query-client.ts';
import { useLiveQuery } from './use-live-query.ts';

export type RecordOf<Kind extends RecordKind> = Extract<IncidentRecord, { kind: Kind }>;

function isOf<Kind extends RecordKind>(
  kind: Kind,
  found: LiveRow<IncidentRecord>,
): found is LiveRow<RecordOf<Kind>> {
  return found.row.kind === kind;
}

/** Records of one kind that belong to incidents, live. */
export function useLiveRecords<Kind extends RecordKind>(
  kind: Kind,
  question: Omit<LiveQuestion, 'collection'>,
): LiveAnswer<RecordOf<Kind>> {
  const where = [...question.where, { field: 'kind', op: 'eq' as const, value: kind }];
  const answer = useLiveQuery({ ...question, collection: 'incident_records', where });
  return useMemo(() => ({ ...answer, rows: answer.rows.filter((row) => isOf(kind, row)) }), [answer, kind]);
}
