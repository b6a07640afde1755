import { IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { ConfirmButton } from '../../ui/ConfirmButton.tsx';
import { PendingMark } from '../../ui/PendingMark.tsx';
import { AddResponder } from './AddResponder.tsx';
import { useIncident } from './incident-context.tsx';
import { messages } from './messages.ts';
import classes from './page.module.css';
import { useNames } from './use-names.ts';
import { useRecords } from './use-records.ts';

const words = messages.details;

/** Who responds; a set, so nobody stands there twice. */
export function Responders() {
  const { incidentId, access, send } = useIncident();
  const { rows, isLoaded } = useRecords(incidentId, 'responder');
  const names = useNames(rows.map(({ row }) => row.team_id ?? row.person_id));
  const [isAdding, setIsAdding] = useState(false);
  const nameOf = (id: string | null) =>
    (id === null ? undefined : names.get(id)) ?? messages.comments.somebody;
  return (
    <div className={classes.responders}>
      <h3>{words.responders}</h3>
      <ul>
        {rows.map(({ id, row, pending }) => {
          const name = nameOf(row.team_id ?? row.person_id);
          return (
            <li key={id} className={classes.responder} data-responder={id}>
              <span className={classes.responderName}>{name}</span>
              {pending !== 'none' && <PendingMark state={pending} />}
              {access.responder && (
                <ConfirmButton
                  label={words.remove(name)}
                  icon={<IconX size={15} />}
                  question={words.removeQuestion}
                  confirm={words.removeConfirm}
                  onConfirm={() => void send({ name: 'remove_responder', args: { id, incidentId } })}
                />
              )}
            </li>
          );
        })}
        {isLoaded && rows.length === 0 && <li className={classes.none}>{words.noResponders}</li>}
      </ul>
      {access.responder && <Button onClick={() => setIsAdding(true)}>{words.addResponder}</Button>}
      {isAdding && (
        <AddResponder
          present={new Set(rows.flatMap(({ row }) => row.team_id ?? row.person_id ?? []))}
          onClose={() => setIsAdding(false)}
        />
      )}
    </div>
  );
}
