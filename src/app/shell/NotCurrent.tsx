import { IconClockExclamation } from '@tabler/icons-react';
import { useSyncStatus } from '../../data/device/use-sync-status.ts';
import { formatAge, formatClock } from '../../domain/time/format.ts';
import { useTicking } from '../../ui/hooks/use-ticking.ts';
import { messages } from '../messages.ts';
import { isNotCurrent } from './connectivity-text.ts';
import classes from './shell.module.css';

const words = messages.connectivity;

/** A strip over every page whose content is stale: it is never taken for the present (law 11). */
export function NotCurrent() {
  const status = useSyncStatus();
  const { asOfMs } = status;
  const text = useTicking((nowMs) =>
    asOfMs === null
      ? words.notCurrentEmpty
      : words.notCurrentAge(formatClock(asOfMs, nowMs), formatAge(nowMs - asOfMs)),
  );
  if (!isNotCurrent(status)) return null;
  return (
    <div className={classes.notCurrent} data-testid="not-current">
      <IconClockExclamation size={16} aria-hidden />
      <strong>{words.notCurrent}</strong>
      <span>{text}</span>
    </div>
  );
}
