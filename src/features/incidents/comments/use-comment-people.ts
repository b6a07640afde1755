/** Who wrote each comment, and through whom it came when it came from outside. */
import { useIncident } from '../incident-context.tsx';
import { useNames } from '../use-names.ts';
import { useRecords, type RecordOf } from '../use-records.ts';
import { messages as words } from './messages.ts';

type CommentRow = RecordOf<'comment'>;

export interface Author {
  name: string;
  /** Where it came from; null when it was written here. */
  origin: string | null;
}

/** A comment that came from outside has the name that it had there. */
export function useCommentPeople(rows: readonly { row: CommentRow }[]): (row: CommentRow) => Author {
  const { incidentId, userId } = useIncident();
  const responders = useRecords(incidentId, 'responder');
  const whoOf = new Map(responders.rows.map(({ id, row }) => [id, row.team_id ?? row.person_id]));
  const names = useNames([...rows.map(({ row }) => row.created_by), ...whoOf.values()]);
  return ({ created_by: by, external_created_by: external, responder_id: responderId }) => {
    if (external !== null) {
      const team = names.get(whoOf.get(responderId ?? '') ?? '');
      return { name: external, origin: team === undefined ? words.outside : words.outsideOf(team) };
    }
    if (by === userId) return { name: words.you, origin: null };
    return { name: names.get(by ?? '') ?? words.somebody, origin: null };
  };
}
