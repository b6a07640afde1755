import {
  IconAlertOctagon,
  IconCircle,
  IconCircleCheckFilled,
  IconCircleDashed,
  IconMessageCircle,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { doneState, isByHand, type DoneState } from '../../../domain/incident/done-state.ts';
import type { RecordOf } from '../use-records.ts';
import classes from './done.module.css';
import { messages } from './messages.ts';

/** A shape for each: not the health colours, which mean health alone. */
const SHAPES: Readonly<Record<DoneState['kind'], ReactNode>> = {
  done: <IconCircleCheckFilled size={16} aria-hidden />,
  'not-done': <IconCircle size={16} aria-hidden />,
  unevaluated: <IconCircleDashed size={16} aria-hidden />,
  text: <IconMessageCircle size={16} aria-hidden />,
  error: <IconAlertOctagon size={16} aria-hidden />,
};

/** How an evidence of the definition of done stands, with what its script said. */
export function DoneResult({ row }: { row: RecordOf<'evidence'> }) {
  const state = doneState(row);
  return (
    <div className={classes.result} data-done={state.kind}>
      <span className={classes.shape}>{SHAPES[state.kind]}</span>
      <span className={classes.resultText}>
        <strong>{messages.states[state.kind]}</strong>
        {isByHand(row) && ` · ${messages.byHand}`}
        {(state.kind === 'text' || state.kind === 'error') && `: ${state.text}`}
        {state.kind === 'error' && state.wasDone && ` · ${messages.wasDone}`}
      </span>
    </div>
  );
}
