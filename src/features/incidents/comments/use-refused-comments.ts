/** Comments of this incident that the server refused: what they said, and why not. */
import { useOutbox } from '../../../data/commands/use-outbox.ts';

export interface RefusedComment {
  commandId: string;
  message: string;
  comment: string;
  hypothesisId: string | null;
}

const textAt = (args: unknown, name: string): string | null => {
  const value =
    typeof args === 'object' && args !== null ? (args as Readonly<Record<string, unknown>>)[name] : null;
  return typeof value === 'string' ? value : null;
};

/** In the order in which they were written. */
export function useRefusedComments(incidentId: string): readonly RefusedComment[] {
  return (useOutbox()?.items ?? []).flatMap(({ commandId, name, args, state }) => {
    const comment = textAt(args, 'comment');
    if (name !== 'add_comment' || state.kind !== 'refused' || comment === null) return [];
    if (textAt(args, 'incidentId') !== incidentId) return [];
    return [{ commandId, message: state.message, comment, hypothesisId: textAt(args, 'hypothesisId') }];
  });
}
