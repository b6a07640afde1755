/** What the rule of unread news looks at, out of rows of the feed: what isn't there, or is something else, says nothing. */
import type { ReplicatedRow } from '../../../src/contract/collections.ts';
import type { IncidentFacts, RecordFacts } from '../../../src/domain/incident/unread.ts';

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const idOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** What the row lacks is an empty text or null. */
export function incidentFacts(row: ReplicatedRow): IncidentFacts {
  return {
    id: row.id,
    incident_id: textOf(row['incident_id']),
    title: textOf(row['title']),
    created_by: idOf(row['created_by']),
    commander_id: idOf(row['commander_id']),
    communicator_id: idOf(row['communicator_id']),
  };
}

/** Null for records that are never news and mark nothing as read. */
export function recordFacts(row: ReplicatedRow): RecordFacts | null {
  const of = {
    id: row.id,
    incident_id: textOf(row['incident_id']),
    created_by: idOf(row['created_by']),
    created_at: textOf(row['created_at']),
  };
  switch (row['kind']) {
    case 'comment': {
      const by = idOf(row['external_created_by']);
      return { ...of, kind: 'comment', comment: textOf(row['comment']), external_created_by: by };
    }
    case 'responder':
      return { ...of, kind: 'responder', person_id: idOf(row['person_id']), team_id: idOf(row['team_id']) };
    case 'history':
      return { ...of, kind: 'history', type: idOf(row['type']), description: idOf(row['description']) };
    case 'read':
      return { ...of, kind: 'read', person_id: textOf(row['person_id']), read_at: textOf(row['read_at']) };
    default:
      return null;
  }
}
