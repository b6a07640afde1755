import {
  IconAlertTriangle,
  IconBan,
  IconBellOff,
  IconCheck,
  IconClock,
  IconQuestionMark,
  IconRepeat,
  IconSend,
  type Icon,
} from '@tabler/icons-react';
import classes from './history.module.css';
import { messages } from './messages.ts';
import { lookupTable } from '../../../lib/lookup-table.ts';

const MARKS = lookupTable<Icon>({
  sent: IconCheck,
  error: IconAlertTriangle,
  pending: IconClock,
  sending: IconSend,
  cancelled: IconBan,
  'repeat-interval': IconRepeat,
  silenced: IconBellOff,
});

/** What became of a notification, by mark and word. */
export function StatusTag({ status }: { status: string | null }) {
  const Mark = MARKS[status ?? ''] ?? IconQuestionMark;
  return (
    <span className={classes.status} data-status={status ?? ''}>
      <Mark size={14} aria-hidden />
      {messages.statuses[status ?? ''] ?? status ?? ''}
    </span>
  );
}
