/** What the rule of unread news looks at, out of rows of the feed: what isn't there, or is something else, says nothing. */
import type { IncidentFacts, RecordFacts } from '../../../src/domain/incident/unread.ts';

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const idOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** The value of a row's column. */
type ValueOf = (column: string) => unknown;

/** What the row lacks is an empty text or null. */
export function incidentFacts(valueOf: ValueOf): IncidentFacts {
  return {
    id: textOf(valueOf('id')),
    incident_id: textOf(valueOf('incident_id')),
    title: textOf(valueOf('title')),
    created_by: idOf(valueOf('created_by')),
    commander_id: idOf(valueOf('commander_id')),
    communicator_id: idOf(valueOf('communicator_id')),
  };
}

/** Null for records that are never news and mark nothing as read. */
export function recordFacts(valueOf: ValueOf): RecordFacts | null {
  const of = {
    id: textOf(valueOf('id')),
    incident_id: textOf(valueOf('incident_id')),
    created_by: idOf(valueOf('created_by')),
    created_at: textOf(valueOf('created_at')),
  };
  switch (valueOf('kind')) {
    case 'comment': {
      const by = idOf(valueOf('external_created_by'));
      return { ...of, kind: 'comment', comment: textOf(valueOf('comment')), external_created_by: by };
    }
    case 'responder':
      return {
        ...of,
        kind: 'responder',
        person_id: idOf(valueOf('person_id')),
        team_id: idOf(valueOf('team_id')),
      };
    case 'history':
      return {
        ...of,
        kind: 'history',
        type: idOf(valueOf('type')),
        description: idOf(valueOf('description')),
      };
    case 'read':
      return {
        ...of,
        kind: 'read',
        person_id: textOf(valueOf('person_id')),
        read_at: textOf(valueOf('read_at')),
      };
    default:
      return null;
  }
}
