/**
 * Another status for many incidents. What the status of one forbids is left out, and so is one whose definition of done is
 * not done, unless somebody says so: what its own page asks first (spec 3 §4).
 */
import { useMemo, useState } from 'react';
import { useLiveAnswer } from '../../data/queries/use-live-answer.ts';
import {
  INCIDENT_STATUSES,
  isIncidentStatus,
  mayBecome,
  type IncidentStatus,
} from '../../domain/incident/incident.ts';
import { asksForDone } from '../../domain/incident/next-status.ts';
import { SelectField } from '../../ui/fields/SelectField.tsx';
import { Switch } from '../../ui/fields/Switch.tsx';
import type { ChosenThing } from '../../ui/page/Bulk.tsx';
import classes from './bulk.module.css';
import { ChangeFrame, type ChangeDialogProps } from './ChangeFrame.tsx';
import { messages } from './messages.ts';

const words = messages.status;
const OPTIONS = INCIDENT_STATUSES.map((value) => ({ value, label: words.words[value] }));
/** So many are named. */
const MOST_NAMED = 5;

/** Of these incidents those with an evidence of their definition of done that is not done; null until it is known. */
function useNotDone(ids: readonly string[]): ReadonlySet<string> | null {
  const answer = useLiveAnswer(
    ids.length === 0
      ? null
      : {
          collection: 'incident_records',
          where: [
            { field: 'kind', op: 'eq', value: 'evidence' },
            { field: 'definition_of_done', op: 'eq', value: true },
            { field: 'done', op: 'not', value: true },
            { field: 'incident_id', op: 'in', values: [...ids] },
          ],
          search: '',
          sort: [],
          groupBy: 'incident_id',
          window: { start: 0, end: 0 },
        },
  );
  return useMemo(() => {
    if (ids.length === 0) return new Set<string>();
    if (answer?.isLoaded !== true) return null;
    return new Set(answer.groups.flatMap(({ value }) => (typeof value === 'string' ? [value] : [])));
  }, [answer, ids]);
}

interface StatusDialogProps extends ChangeDialogProps {
  chosen: readonly ChosenThing[];
}

/** Which of them may go there, and which of these ask first. */
function sortedOut(chosen: readonly ChosenThing[], to: IncidentStatus) {
  const may = chosen.filter(({ status = '' }) => status !== to && mayBecome(status, to));
  const asks = may.filter(({ status = '' }) => asksForDone(status, to)).map(({ id }) => id);
  const isThere = chosen.filter(({ status }) => status === to).length;
  return { may, asks, cannot: chosen.length - may.length - isThere };
}

function NotDone({
  names,
  isTaken,
  onTake,
}: {
  names: readonly string[];
  isTaken: boolean;
  onTake: (isTaken: boolean) => void;
}) {
  return (
    <>
      <p className={classes.note}>{words.notDone(names.length)}</p>
      <ul className={classes.names}>
        {names.slice(0, MOST_NAMED).map((name) => (
          <li key={name}>{name}</li>
        ))}
        {names.length > MOST_NAMED && <li>{messages.report.more(names.length - MOST_NAMED)}</li>}
      </ul>
      <Switch label={words.takeAlong} isOn={isTaken} onChange={onTake} />
    </>
  );
}

/** See the head of this file. */
export function StatusDialog({ chosen, onApply, onClose }: StatusDialogProps) {
  const [to, setTo] = useState<IncidentStatus>('resolved');
  const [isTaken, setIsTaken] = useState(false);
  const { may, asks, cannot } = useMemo(() => sortedOut(chosen, to), [chosen, to]);
  const notDone = useNotDone(asks);
  const open = may.filter(({ id }) => notDone?.has(id) === true);
  const leavesOut = isTaken ? [] : open.map(({ id }) => id);
  const count = may.length - leavesOut.length;
  return (
    <ChangeFrame
      title={words.title}
      apply={words.apply(count)}
      isBlocked={count === 0 || notDone === null}
      onApply={() => onApply({ do: 'status', to, leavesOut })}
      onClose={onClose}
    >
      <SelectField
        caption="above"
        label={words.to}
        value={to}
        options={OPTIONS}
        onChange={(value) => {
          if (isIncidentStatus(value)) setTo(value);
        }}
      />
      {cannot > 0 && <p className={classes.note}>{words.leftOut(cannot)}</p>}
      {notDone === null && <p role="status">{words.looking}</p>}
      {open.length > 0 && (
        <NotDone names={open.map(({ name }) => name)} isTaken={isTaken} onTake={setIsTaken} />
      )}
    </ChangeFrame>
  );
}
