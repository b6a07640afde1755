import { useState } from 'react';
import { useLiveRow } from '../../../data/queries/use-live-row.ts';
import { mayTellProgress } from '../../../domain/incident/responder-progress.ts';
import { Button } from '../../../ui/actions/Button.tsx';
import { useIncident } from '../incident-context.tsx';
import classes from '../page.module.css';
import { useRecords, type RecordOf } from '../use-records.ts';
import { AddResponder } from './AddResponder.tsx';
import { retryRequest } from './DeliveryState.tsx';
import { messages as words } from './messages.ts';
import { ResponderEntry } from './ResponderEntry.tsx';
import { useResourcesOf, type ResourceRow } from './use-resources.ts';
import { useTell } from './use-tell.ts';

function useMayTell(): (row: RecordOf<'responder'>, who: ResourceRow | undefined) => boolean {
  const { incidentId, userId, roles, access } = useIncident();
  const commanderId = useLiveRow('incidents', incidentId)?.row.commander_id ?? null;
  return (row, who) => {
    const members = row.team_id === null ? [] : who?.['members'];
    const memberIds = Array.isArray(members) ? members.filter((id) => typeof id === 'string') : [];
    return (
      access.responder &&
      mayTellProgress({ id: userId, roles }, { personId: row.person_id, memberIds, commanderId })
    );
  };
}

/** Who responds; a set, so nobody stands there twice. */
export function Responders() {
  const { incidentId, access } = useIncident();
  const tell = useTell();
  const mayTell = useMayTell();
  const { rows, isLoaded } = useRecords(incidentId, 'responder');
  const known = useResourcesOf(rows.map(({ row }) => row.team_id ?? row.person_id));
  const [isAdding, setIsAdding] = useState(false);
  return (
    <div className={classes.responders}>
      <h3>{words.responders}</h3>
      <ul>
        {rows.map((found) => {
          const { id, row } = found;
          const who = known.get(row.team_id ?? row.person_id ?? '');
          return (
            <ResponderEntry
              key={id}
              found={found}
              who={who}
              onRetry={access.responder ? () => void tell(retryRequest(id, incidentId), null) : null}
              onRemove={
                access.responder
                  ? () =>
                      void tell(
                        { name: 'remove_responder', args: { id, incidentId } },
                        { done: words.removed, kept: words.removeKept },
                      )
                  : null
              }
              onStep={
                mayTell(row, who)
                  ? (step, isSet) =>
                      void tell(
                        { name: 'set_responder_progress', args: { id, incidentId, step, isSet } },
                        null,
                      )
                  : null
              }
            />
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
