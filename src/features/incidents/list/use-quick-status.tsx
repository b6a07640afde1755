/**
 * Changing a status from the list: it shows at once, and for a moment nothing leaves the device, so that Undo
 * takes it back as if it had never been. The waiting is the outbox's: it survives navigation, a closed tab and a
 * reload. What ends the trouble asks for the definition of done first, where there are evidences (spec 3 §4).
 */
import { useCallback, useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import type { IncidentRow } from '../../../contract/collection-rows.ts';
import { dropCommand, sendCommand } from '../../../data/commands/commands.ts';
import { useOutbox } from '../../../data/commands/use-outbox.ts';
import { isIncidentStatus, type IncidentStatus } from '../../../domain/incident/incident.ts';
import { asksForDone } from '../../../domain/incident/next-status.ts';
import { useToasts } from '../../../ui/feedback/Toasts.tsx';
import { AskForDone } from '../done/AskForDone.tsx';
import { IncidentProvider, type Reader } from '../incident-context.tsx';
import { messages as shared } from '../messages.ts';
import { wordFor } from '../words.ts';

/** How long the outbox holds the command; the offer ends a little earlier, so that it never comes too late. */
const HOLD_MS = 9000;
const UNDO_MS = 8000;

interface Change {
  row: IncidentRow;
  to: IncidentStatus;
}

/** Says when the server refuses one of these later (spec 3 §8), while the list is open; it stays in the outbox. */
function useTellRefused(): (commandId: string) => void {
  const toasts = useToasts();
  const outbox = useOutbox();
  const sent = useRef(new Set<string>());
  useEffect(() => {
    for (const { commandId, state } of outbox?.items ?? []) {
      if (state.kind !== 'refused' || !sent.current.delete(commandId)) continue;
      toasts.error(`${shared.statusFailed}: ${state.message}`);
    }
  }, [outbox, toasts]);
  return useCallback((commandId) => void sent.current.add(commandId), []);
}

export type ChangeStatus = (row: IncidentRow, to: IncidentStatus) => void;

/** How the list changes a status, and the dialog that it may ask with. */
export function useQuickStatus(reader: Reader): { change: ChangeStatus; dialog: ReactNode } {
  const toasts = useToasts();
  const tellRefused = useTellRefused();
  const [asked, setAsked] = useState<Change | null>(null);
  const apply = useCallback(
    async ({ row, to }: Change) => {
      setAsked(null);
      if (!isIncidentStatus(row.status)) return;
      const answer = await sendCommand(
        { name: 'set_incident_status', args: { id: row.id, from: row.status, to } },
        { holdMs: HOLD_MS },
      );
      if (!answer.ok) {
        toasts.error(`${shared.statusFailed}: ${shared.errorText(answer.error)}`);
        return;
      }
      const { commandId } = answer.value;
      tellRefused(commandId);
      const undo = async () => {
        const undone = await dropCommand(commandId);
        if (!undone.ok) toasts.error(shared.errorText(undone.error));
      };
      toasts.offer(
        shared.statusChanged(row.incident_id === '' ? row.title : row.incident_id, wordFor('statuses', to)),
        { label: shared.undo, forMs: UNDO_MS, act: () => void undo() },
      );
    },
    [toasts, tellRefused],
  );
  // The same function for as long as the list is there: its lines are drawn anew for another.
  const change = useCallback<ChangeStatus>(
    (row, to) => {
      if (asksForDone(row.status, to)) setAsked({ row, to });
      else void apply({ row, to });
    },
    [apply],
  );
  const dialog = asked !== null && (
    <IncidentProvider key={asked.row.id} incidentId={asked.row.id} reader={reader}>
      <AskForDone incidentId={asked.row.id} onClose={() => setAsked(null)} onDone={() => void apply(asked)} />
    </IncidentProvider>
  );
  return { change, dialog };
}
