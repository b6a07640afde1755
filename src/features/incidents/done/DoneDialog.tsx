import { useState } from 'react';
import { Button } from '../../../ui/actions/Button.tsx';
import { Pager } from '../../../ui/tables/Pager.tsx';
import { Sheet } from '../../../ui/overlays/Sheet.tsx';
import { useToasts } from '../../../ui/feedback/Toasts.tsx';
import { EvidencePicker } from '../evidence/EvidencePicker.tsx';
import { useIncident } from '../incident-context.tsx';
import { messages } from './messages.ts';
import classes from '../page.module.css';
import { PAGE_ROWS } from '../page-rows.ts';
import { useRecords } from '../use-records.ts';

const words = messages;

interface DoneDialogProps {
  onClose: () => void;
  /** Skip or Submit: the status is applied. */
  onDone: () => void;
}

/** Which evidences will show that the trouble is over (spec 3 §4). */
export function DoneDialog({ onClose, onDone }: DoneDialogProps) {
  const { incidentId, send } = useIncident();
  const toasts = useToasts();
  const [start, setStart] = useState(0);
  const evidences = useRecords(incidentId, 'evidence', { start });
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [hasError, setHasError] = useState(false);
  const submit = async () => {
    if (chosen.size === 0) {
      setHasError(true);
      return;
    }
    // One that fails stops neither the others nor the status: it is told, and waits in the outbox if it was refused.
    const kept = await Promise.all(
      [...chosen].map((id) =>
        send({ name: 'edit_evidence', args: { id, incidentId, changes: { definition_of_done: true } } }),
      ),
    );
    if (!kept.every(Boolean)) toasts.error(words.failures.mark);
    onDone();
  };
  return (
    <Sheet label={words.dialog} side="center" hasTitle onClose={onClose}>
      <div className={classes.dialog}>
        <EvidencePicker
          rows={evidences.rows}
          isLoaded={evidences.isLoaded}
          empty={words.noEvidences}
          chosen={chosen}
          onChosen={setChosen}
        />
        <Pager
          isOldestFirst
          start={evidences.start}
          count={evidences.rows.length}
          total={evidences.total}
          pageSize={PAGE_ROWS}
          onStart={setStart}
        />
        {hasError && chosen.size === 0 && <p role="alert">{words.nothingSelected}</p>}
        <div className={classes.dialogActions}>
          <Button look="quiet" onClick={onClose}>
            {words.cancel}
          </Button>
          <Button onClick={onDone}>{words.skip}</Button>
          <Button look="primary" onClick={() => void submit()}>
            {words.submit}
          </Button>
        </div>
      </div>
    </Sheet>
  );
}
