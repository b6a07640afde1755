import { useMemo } from 'react';
import { useLostCommands } from '../../data/commands/use-lost-commands.ts';
import { useOutbox } from '../../data/commands/use-outbox.ts';
import { outboxCounts, type OutboxCounts } from '../../domain/sync/outbox-counts.ts';
import { messages } from '../messages.ts';
import { outboxText } from './outbox-text.ts';
import classes from './shell.module.css';

/** What waits here; null when nothing does, or when it isn't known. */
export function useOutboxCounts(): OutboxCounts | null {
  const outbox = useOutbox();
  return useMemo(
    () => (outbox === undefined || outbox.items.length === 0 ? null : outboxCounts(outbox.items)),
    [outbox],
  );
}

/** How many things wait. What was refused or is to be confirmed needs the user, so its mark is filled and carries a sign. */
export function OutboxBadge() {
  const counts = useOutboxCounts();
  const lost = useLostCommands();
  if (counts === null && lost === null) return null;
  return (
    <>
      {counts !== null && <Counts counts={counts} />}
      {lost !== null && (
        <span className={classes.badges} data-testid="lost-badge">
          <span className="visually-hidden">{messages.outbox.lost(lost.count)}</span>
          <span className={`${classes.badge} ${classes.badgeRefused}`} aria-hidden="true">
            !{lost.count}
          </span>
        </span>
      )}
    </>
  );
}

function Counts({ counts }: { counts: OutboxCounts }) {
  const waiting = counts.kept + counts.sending;
  const asking = counts.refused + counts.prepared;
  return (
    <span className={classes.badges} data-testid="outbox-badge">
      <span className="visually-hidden">{outboxText(counts)}</span>
      {waiting > 0 && (
        <span className={classes.badge} aria-hidden="true">
          {waiting}
        </span>
      )}
      {asking > 0 && (
        <span className={`${classes.badge} ${classes.badgeRefused}`} aria-hidden="true">
          !{asking}
        </span>
      )}
    </span>
  );
}
