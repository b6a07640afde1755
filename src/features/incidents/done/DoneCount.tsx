import { useIncident } from '../incident-context.tsx';
import classes from './done.module.css';
import { messages } from './messages.ts';
import { useDone } from './use-done.ts';

/** How many evidences the definition of done has, as a badge; nothing while there is none. */
export function DoneCount() {
  const { incidentId } = useIncident();
  const { isLoaded, total } = useDone(incidentId);
  if (!isLoaded || total === 0) return null;
  return (
    <span className={classes.count}>
      <span aria-hidden="true">{total}</span>
      <span className="visually-hidden">{messages.count(total)}</span>
    </span>
  );
}
