import { useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { Sheet } from '../../ui/Sheet.tsx';
import { EvidenceItem } from './EvidenceItem.tsx';
import { EvidencePicker } from './EvidencePicker.tsx';
import { useIncident } from './incident-context.tsx';
import { messages } from './messages.ts';
import classes from './page.module.css';
import { useRecords } from './use-records.ts';

const words = messages.done;

/** Picks other evidences that shall show that the trouble is over. */
function AddDone({ onClose }: { onClose: () => void }) {
  const { incidentId, send } = useIncident();
  const { rows, isLoaded } = useRecords(incidentId, 'evidence');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const add = async () => {
    const answers = await Promise.all(
      [...chosen].map((id) =>
        send({ name: 'edit_evidence', args: { id, incidentId, changes: { definition_of_done: true } } }),
      ),
    );
    if (answers.every(Boolean)) onClose();
  };
  return (
    <Sheet label={words.add} side="center" hasTitle onClose={onClose}>
      <div className={classes.dialog}>
        <EvidencePicker
          rows={rows.filter(({ row }) => !row.definition_of_done)}
          isLoaded={isLoaded}
          empty={words.noOthers}
          chosen={chosen}
          onChosen={setChosen}
        />
        <div className={classes.dialogActions}>
          <Button look="quiet" onClick={onClose}>
            {words.cancel}
          </Button>
          <Button look="primary" disabled={chosen.size === 0} onClick={() => void add()}>
            {words.submit}
          </Button>
        </div>
      </div>
    </Sheet>
  );
}

/** Evidences whose state decides whether the incident is over, oldest first. */
export function DonePanel() {
  const { incidentId, access } = useIncident();
  const { rows, isLoaded } = useRecords(incidentId, 'evidence');
  const hypotheses = useRecords(incidentId, 'hypothesis');
  const [isAdding, setIsAdding] = useState(false);
  // A hypothesis takes its evidences along: here at once, on the server when the deletion arrives.
  const known = new Set(hypotheses.rows.map(({ id }) => id));
  const done = rows.filter(({ row }) => row.definition_of_done && known.has(row.hypothesis_id));
  if (!isLoaded || !hypotheses.isLoaded) return <p role="status">{words.loading}</p>;
  return (
    <>
      {done.length === 0 && <p className={classes.none}>{words.none}</p>}
      <ul>
        {done.map((found) => (
          <EvidenceItem key={found.id} found={found} />
        ))}
      </ul>
      {access.evidences && <Button onClick={() => setIsAdding(true)}>{words.add}</Button>}
      {isAdding && <AddDone onClose={() => setIsAdding(false)} />}
    </>
  );
}
