/**
 * Says when the server refused something that was done here and has no words of its own for it (spec 3 §8): by then
 * the page shows again what was there before, and the reason with a way on stands in the outbox.
 */
import { useEffect, useRef } from 'react';
import type { OutboxItem } from '../../../contract/outbox/outbox.ts';
import { useOutbox } from '../../../data/commands/use-outbox.ts';
import { useToasts } from '../../../ui/feedback/Toasts.tsx';
import { useIncident } from '../incident-context.tsx';
import { messages as evidence } from '../evidence/messages.ts';
import { messages } from './messages.ts';
import { lookupTable } from '../../../lib/lookup-table.ts';

const { failures } = evidence;
const WORDS = lookupTable<string>({
  create_incident: messages.failures.create,
  delete_hypothesis: messages.failures.deleteHypothesis,
  delete_evidence: failures.remove,
});

/** What is said of a refused command; null for one of which somebody else tells. */
export function refusalText({ name, args }: Pick<OutboxItem, 'name' | 'args'>): string | null {
  const words = WORDS[name];
  if (words !== undefined) return words;
  if (name !== 'edit_evidence' || typeof args !== 'object' || args === null || !('changes' in args))
    return null;
  const { changes } = args;
  if (typeof changes !== 'object' || changes === null) return null;
  if (!('definition_of_done' in changes)) return failures.edit;
  return changes.definition_of_done === true ? failures.addToDone : failures.removeFromDone;
}

/** Shows nothing; tells of refusals that come in while the page is open. */
export function Refusals() {
  const { incidentId } = useIncident();
  const outbox = useOutbox();
  const toasts = useToasts();
  // Those that were there before are no news.
  const told = useRef<Set<string> | null>(null);
  useEffect(() => {
    if (outbox === undefined) return;
    const refused = outbox.items.filter(
      ({ state, touches }) => state.kind === 'refused' && touches.includes(incidentId),
    );
    const known = told.current;
    told.current = new Set(refused.map(({ commandId }) => commandId));
    if (known === null) return;
    for (const item of refused) {
      const text = known.has(item.commandId) ? null : refusalText(item);
      if (text !== null) toasts.error(text);
    }
  }, [outbox, incidentId, toasts]);
  return null;
}
