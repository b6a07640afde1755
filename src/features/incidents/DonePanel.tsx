import { useState } from 'react';
import type { Condition } from '../../contract/live-query.ts';
import { Button } from '../../ui/Button.tsx';
import { Pager } from '../../ui/Pager.tsx';
import { Sheet } from '../../ui/Sheet.tsx';
import { EvidenceItem } from './EvidenceItem.tsx';
import { EvidencePicker } from './EvidencePicker.tsx';
import { useIncident } from './incident-context.tsx';
import { messages } from './messages.ts';
import classes from './page.module.css';
import { PAGE_ROWS, useRecords } from './use-records.ts';

const words = messages.done;
const IS_DONE: readonly Condition[] = [{ field: 'definition_of_done', op: 'eq', value: true }];
const IS_OTHER: readonly Condition[] = [{ field: 'definition_of_done', op: 'not', value: true }];

/** Picks other evidences that shall show that the trouble is over. */
function AddDone({ onClose }: { onClose: () => void }) {
  const { incidentId, send } = useIncident();
  const [start, setStart] = useState(0);
  const others = useRecords(incidentId, 'evidence', { start, where: IS_OTHER });
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
          rows={others.rows}
          isLoaded={others.isLoaded}
          empty={words.noOthers}
          chosen={chosen}
          onChosen={setChosen}
        />
        <Pager
          isOldestFirst
          start={others.start}
          count={others.rows.length}
          total={others.total}
          pageSize={PAGE_ROWS}
          onStart={setStart}
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
  const [start, setStart] = useState(0);
  const evidences = useRecords(incidentId, 'evidence', { start, where: IS_DONE });
  const above = [...new Set(evidences.rows.map(({ row }) => row.hypothesis_id))].toSorted();
  const hypotheses = useRecords(incidentId, 'hypothesis', {
    where: [{ field: 'id', op: 'in', values: above }],
  });
  const [isAdding, setIsAdding] = useState(false);
  // A hypothesis takes its evidences along: here at once, on the server when the deletion arrives.
  const known = new Set(hypotheses.rows.map(({ id }) => id));
  const done = evidences.rows.filter(({ row }) => known.has(row.hypothesis_id));
  if (!evidences.isLoaded || !hypotheses.isLoaded) return <p role="status">{words.loading}</p>;
  return (
    <>
      {done.length === 0 && <p className={classes.none}>{words.none}</p>}
      <ul>
        {done.map((found) => (
          <EvidenceItem key={found.id} found={found} />
        ))}
      </ul>
      <Pager
        isOldestFirst
        start={evidences.start}
        count={evidences.rows.length}
        total={evidences.total}
        pageSize={PAGE_ROWS}
        onStart={setStart}
      />
      {access.evidences && <Button onClick={() => setIsAdding(true)}>{words.add}</Button>}
      {isAdding && <AddDone onClose={() => setIsAdding(false)} />}
    </>
  );
}
