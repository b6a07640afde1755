/**
 * Asks what shall become of what wasn't sent before the session ends. Invariant: nothing that a user wrote is
 * thrown away without a word; where nothing waits and nothing was begun, nothing is asked.
 */
import { useEffect, useState } from 'react';
import { refresh } from '../../../data/commands/commands.ts';
import { useDraftCount } from '../../../data/commands/use-draft.ts';
import { useOutbox } from '../../../data/commands/use-outbox.ts';
import { useSyncStatus } from '../../../data/device/use-sync-status.ts';
import { links } from '../../../domain/links.ts';
import { outboxCounts, type OutboxCounts } from '../../../domain/sync/outbox-counts.ts';
import { shownPause } from '../../../domain/sync/outbox-pause.ts';
import { Button } from '../../../ui/actions/Button.tsx';
import { ConfirmButton } from '../../../ui/actions/ConfirmButton.tsx';
import { useDevice } from '../../../ui/Device.tsx';
import { Sheet } from '../../../ui/overlays/Sheet.tsx';
import type { SignOut } from '../../gate/Gate.tsx';
import { messages as words } from './messages.ts';
import { outboxText } from '../outbox-text.ts';
import classes from '../shell.module.css';

export interface SignOutSheetProps {
  onSignOut: SignOut;
  onClose: () => void;
}

interface ChoicesProps extends SignOutSheetProps {
  counts: OutboxCounts;
  /** Texts that were begun and never sent; they go in any case. */
  drafts: number;
  /** False while there is no way to the server. */
  canSend: boolean;
}

function Choices({ counts, drafts, canSend, onSignOut, onClose }: ChoicesProps) {
  const device = useDevice();
  const [isSending, setIsSending] = useState(false);
  const waiting = counts.kept + counts.sending;
  const note = [
    ...(waiting > 0 && !canSend ? [words.cannotSend] : []),
    ...(counts.refused > 0 ? [words.refusedStay] : []),
  ].join(' ');
  return (
    <Sheet label={words.title} side="center" hasTitle onClose={onClose}>
      <div className={classes.leave}>
        <p role="status">{words.waiting(outboxText(counts))}</p>
        <p>{isSending && waiting > 0 ? words.sending : words.howNow}</p>
        {drafts > 0 && <p className={classes.leaveNote}>{words.drafts(drafts)}</p>}
        {note !== '' && <p className={classes.leaveNote}>{note}</p>}
        <Button
          look="primary"
          disabled={!canSend || waiting === 0 || counts.refused > 0 || isSending}
          onClick={() => {
            setIsSending(true);
            refresh();
          }}
        >
          {words.sendNow}
        </Button>
        <Button onClick={() => onSignOut({ keepOutbox: true })}>{words.keep}</Button>
        <p className={classes.leaveNote}>{words.keepHint}</p>
        <ConfirmButton
          label={words.discard}
          question={words.discardAgain}
          confirm={words.discard}
          onConfirm={() => onSignOut({ keepOutbox: false })}
        />
        <Button
          look="quiet"
          onClick={() => {
            onClose();
            device.navigate(links.outbox());
          }}
        >
          {words.look}
        </Button>
        <Button look="quiet" onClick={onClose}>
          {words.cancel}
        </Button>
      </div>
    </Sheet>
  );
}

/** Only texts that were begun: there is nothing to send, and nothing to keep. */
function DraftsQuestion({ drafts, onSignOut, onClose }: SignOutSheetProps & { drafts: number }) {
  return (
    <Sheet label={words.title} side="center" hasTitle onClose={onClose}>
      <div className={classes.leave}>
        <p role="status">{words.drafts(drafts)}</p>
        <Button look="primary" onClick={() => onSignOut({ keepOutbox: false })}>
          {words.leaveDrafts}
        </Button>
        <Button look="quiet" onClick={onClose}>
          {words.cancel}
        </Button>
      </div>
    </Sheet>
  );
}

/** Signs out; asks first when something wasn't sent. Also what ends the session once everything has arrived. */
export function SignOutSheet({ onSignOut, onClose }: SignOutSheetProps) {
  const outbox = useOutbox();
  const { connection } = useSyncStatus();
  const isKnown = outbox !== undefined;
  const isEmpty = outbox === undefined || outbox.items.length === 0;
  const drafts = useDraftCount() ?? 0;
  const isNothingLost = isEmpty && drafts === 0;
  useEffect(() => {
    // What isn't known to be empty is kept: sealed, and nobody else's.
    if (isNothingLost) onSignOut({ keepOutbox: !isKnown });
  }, [isNothingLost, isKnown, onSignOut]);
  if (isNothingLost) return null;
  if (isEmpty) return <DraftsQuestion drafts={drafts} onSignOut={onSignOut} onClose={onClose} />;
  return (
    <Choices
      counts={outboxCounts(outbox.items)}
      drafts={drafts}
      canSend={shownPause(outbox.pause, connection) === null}
      onSignOut={onSignOut}
      onClose={onClose}
    />
  );
}
