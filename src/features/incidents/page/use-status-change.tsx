/**
 * Changing the status from the page: what ends the trouble asks for the definition of done first (spec 3 §4), and
 * what became of it is said in the spec's words (§8), or that this device keeps it for later.
 */
import { useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import type { IncidentRow } from '../../../contract/collection-rows.ts';
import type { OutboxItem } from '../../../contract/outbox/outbox.ts';
import { dropCommand, sendCommand } from '../../../data/commands/commands.ts';
import { useOutbox } from '../../../data/commands/use-outbox.ts';
import { useReachable } from '../../../data/device/use-reachable.ts';
import { isIncidentStatus, type IncidentStatus } from '../../../domain/incident/incident.ts';
import { asksForDone } from '../../../domain/incident/next-status.ts';
import { useToasts } from '../../../ui/feedback/Toasts.tsx';
import { AskForDone } from '../done/AskForDone.tsx';
import { DoneDialog } from '../done/DoneDialog.tsx';
import { messages as shared } from '../messages.ts';
import { wordFor } from '../words.ts';
import { messages } from './messages.ts';

const words = messages.statusChange;
/** Without an answer by then it is said that the device keeps it. */
const PATIENCE_MS = 4000;
/** Closing waits in the outbox for as long as Undo is offered, and a little longer, so that it never comes too late. */
const UNDO_MS = 10_000;
const HOLD_MS = 11_000;

type Outcome = 'waiting' | 'done' | 'refused';

/** What the outbox says of a command; it is told of after the fact, so what it never had isn't done. */
function outcomeOf(item: OutboxItem | undefined, wasThere: boolean): Outcome {
  if (item === undefined) return wasThere ? 'done' : 'waiting';
  if (item.state.kind === 'refused') return 'refused';
  return item.state.kind === 'accepted' ? 'done' : 'waiting';
}

/** Follows a command until there is something to say of it. */
function useOutcome(): (commandId: string) => void {
  const toasts = useToasts();
  const outbox = useOutbox();
  const isReachable = useReachable();
  const [followed, setFollowed] = useState<string | null>(null);
  // A fast answer takes a command out of the outbox before anybody asks for it.
  const shown = useRef(new Set<string>());
  useEffect(() => {
    for (const { commandId } of outbox?.items ?? []) shown.current.add(commandId);
    if (followed === null || outbox === undefined) return;
    const item = outbox.items.find(({ commandId }) => commandId === followed);
    const outcome = outcomeOf(item, shown.current.has(followed));
    if (outcome === 'waiting') return;
    setFollowed(null);
    if (outcome === 'done') toasts.success(words.done);
    else toasts.error(shared.statusFailed);
  }, [followed, outbox, toasts]);
  useEffect(() => {
    if (followed === null) return;
    const tell = () => {
      setFollowed(null);
      toasts.success(words.kept);
    };
    const timer = setTimeout(tell, isReachable ? PATIENCE_MS : 0);
    return () => clearTimeout(timer);
  }, [followed, isReachable, toasts]);
  return setFollowed;
}

/** How the page changes the status of its incident, and the dialog that it may ask with. */
export function useStatusChange(row: IncidentRow): {
  choose: (to: string) => void;
  dialog: ReactNode;
} {
  const toasts = useToasts();
  const follow = useOutcome();
  const [asked, setAsked] = useState<IncidentStatus | null>(null);
  // Closing is no question where there is nothing to ask about.
  const Dialog = asked === 'closed' ? AskForDone : DoneDialog;
  const apply = async (to: IncidentStatus) => {
    setAsked(null);
    if (!isIncidentStatus(row.status) || to === row.status) return;
    const args = { id: row.id, from: row.status, to };
    const isClosing = to === 'closed';
    const answer = await sendCommand(
      { name: 'set_incident_status', args },
      isClosing ? { holdMs: HOLD_MS } : undefined,
    );
    if (!answer.ok) {
      toasts.error(`${shared.statusFailed}: ${shared.errorText(answer.error)}`);
      return;
    }
    const { commandId } = answer.value;
    if (!isClosing) {
      follow(commandId);
      return;
    }
    const undo = async () => {
      const undone = await dropCommand(commandId);
      if (!undone.ok) toasts.error(shared.errorText(undone.error));
    };
    const name = row.incident_id === '' ? row.title : row.incident_id;
    toasts.offer(shared.statusChanged(name, wordFor('statuses', to)), {
      label: shared.undo,
      forMs: UNDO_MS,
      act: () => void undo(),
    });
  };
  return {
    choose(to) {
      if (!isIncidentStatus(to)) return;
      if (asksForDone(row.status, to)) setAsked(to);
      else void apply(to);
    },
    dialog: asked !== null && (
      <Dialog incidentId={row.id} onClose={() => setAsked(null)} onDone={() => void apply(asked)} />
    ),
  };
}
