/**
 * Changing the status from the page: what ends the trouble asks for the definition of done first (spec 3 §4), and
 * what became of it is said in the spec's words (§8), or that this device keeps it for later.
 */
import { useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import type { IncidentRow } from '../../../contract/collections.ts';
import type { OutboxItem } from '../../../contract/outbox.ts';
import { sendCommand } from '../../../data/commands.ts';
import { useOutbox } from '../../../data/use-outbox.ts';
import { useReachable } from '../../../data/use-reachable.ts';
import { isIncidentStatus, type IncidentStatus } from '../../../domain/incident/incident.ts';
import { endsTheTrouble } from '../../../domain/incident/next-status.ts';
import { useToasts } from '../../../ui/Toasts.tsx';
import { DoneDialog } from '../done/DoneDialog.tsx';
import { messages as shared } from '../messages.ts';
import { messages } from './messages.ts';

const words = messages.statusChange;
/** Without an answer by then it is said that the device keeps it. */
const PATIENCE_MS = 4000;

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
  const apply = async (to: IncidentStatus) => {
    setAsked(null);
    if (!isIncidentStatus(row.status) || to === row.status) return;
    const args = { id: row.id, from: row.status, to };
    const answer = await sendCommand({ name: 'set_incident_status', args });
    if (answer.ok) follow(answer.value.commandId);
    else toasts.error(`${shared.statusFailed}: ${shared.errorText(answer.error)}`);
  };
  return {
    choose(to) {
      if (!isIncidentStatus(to)) return;
      if (endsTheTrouble(to)) setAsked(to);
      else void apply(to);
    },
    dialog: asked !== null && <DoneDialog onClose={() => setAsked(null)} onDone={() => void apply(asked)} />,
  };
}
