import { IconRefresh } from '@tabler/icons-react';
import { useState } from 'react';
import { useOutbox } from '../../../data/commands/use-outbox.ts';
import { doneState } from '../../../domain/incident/done-state.ts';
import { Button, IconButton } from '../../../ui/actions/Button.tsx';
import { Modal } from '../../../ui/overlays/Modal.tsx';
import { Pager } from '../../../ui/tables/Pager.tsx';
import { useIncident } from '../incident-context.tsx';
import { PAGE_ROWS } from '../page-rows.ts';
import { AddDone } from './AddDone.tsx';
import classes from './done.module.css';
import { DoneItem } from './DoneItem.tsx';
import { messages } from './messages.ts';
import { useDone } from './use-done.ts';

const words = messages;
/** The side panel stays short; the rest is a press away. */
const PANEL_ROWS = 5;

/** Whether an evaluation of this incident is on its way; null for none. */
function useEvaluating(): 'kept' | 'sent' | null {
  const { incidentId } = useIncident();
  const items = useOutbox()?.items ?? [];
  const asked = items.find(
    ({ name, touches, state }) =>
      name === 'evaluate_done' && touches.includes(incidentId) && state.kind !== 'refused',
  );
  if (asked === undefined) return null;
  return asked.state.kind === 'kept' ? 'kept' : 'sent';
}

function Bar({ text }: { text: string }) {
  const { incidentId, access, send } = useIncident();
  const evaluating = useEvaluating();
  return (
    <div className={classes.bar}>
      <span role="status">
        {evaluating === null && text}
        {evaluating === 'kept' && words.refreshKept}
        {evaluating === 'sent' && words.refreshSent}
      </span>
      {access.evidences && (
        <IconButton
          label={words.refresh}
          disabled={evaluating !== null}
          onClick={() => void send({ name: 'evaluate_done', args: { incidentId } })}
        >
          <IconRefresh size={16} aria-hidden />
        </IconButton>
      )}
    </div>
  );
}

/** All of them, a window at a time. */
function ViewAll({ onClose }: { onClose: () => void }) {
  const { incidentId } = useIncident();
  const [start, setStart] = useState(0);
  const done = useDone(incidentId, start);
  return (
    <Modal title={words.title} onClose={onClose}>
      {!done.isLoaded && <p role="status">{words.loading}</p>}
      {done.isLoaded && done.total === 0 && <p className={classes.note}>{words.none}</p>}
      <ul>
        {done.rows.map((found) => (
          <DoneItem key={found.id} found={found} />
        ))}
      </ul>
      <Pager
        isOldestFirst
        start={done.start}
        count={done.rows.length}
        total={done.total}
        pageSize={PAGE_ROWS}
        onStart={setStart}
      />
    </Modal>
  );
}

/** Evidences whose state decides whether the incident is over, oldest first (spec 3 §2). */
export function DonePanel() {
  const { incidentId, access } = useIncident();
  const { isLoaded, rows, total } = useDone(incidentId);
  const [opened, setOpened] = useState<'all' | 'add' | null>(null);
  const close = () => setOpened(null);
  if (!isLoaded) return <p role="status">{words.loading}</p>;
  const doneCount = rows.filter(({ row }) => doneState(row).kind === 'done').length;
  return (
    <>
      {total === 0 ? (
        <>
          <p className={classes.note}>{words.none}</p>
          {access.evidences && <p className={classes.note}>{words.noneHint}</p>}
        </>
      ) : (
        <Bar text={total > PAGE_ROWS ? words.count(total) : words.progress(doneCount, total)} />
      )}
      <ul>
        {rows.slice(0, PANEL_ROWS).map((found) => (
          <DoneItem key={found.id} found={found} />
        ))}
      </ul>
      <div className={classes.panelActions}>
        {total > 0 && <Button onClick={() => setOpened('all')}>{words.viewAll(total)}</Button>}
        {access.evidences && <Button onClick={() => setOpened('add')}>{words.add}</Button>}
      </div>
      {opened === 'all' && <ViewAll onClose={close} />}
      {opened === 'add' && <AddDone onClose={close} />}
    </>
  );
}
