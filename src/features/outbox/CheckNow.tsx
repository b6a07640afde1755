import { useCheck } from '../../data/queries/health/use-check.ts';
import { HealthLabel } from '../../ui/marks/HealthMark.tsx';
import { Age } from '../../ui/marks/Age.tsx';
import { messages } from './messages.ts';
import classes from './outbox.module.css';

/** How the check is now: what may have changed since the run was asked for (law 9). */
export function CheckNow({ checkId }: { checkId: string }) {
  const view = useCheck(checkId);
  if (view === undefined || view === null) return null;
  return (
    <p className={classes.now}>
      {messages.now}: <HealthLabel state={view.health.state} />{' '}
      <Age at={view.check.last_runtime} suffix=" ago" />
    </p>
  );
}
