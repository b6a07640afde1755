import type { IncidentRow } from '../../../contract/collection-rows.ts';
import { allowedStatuses } from '../../../domain/incident/incident.ts';
import { isOver } from '../../../domain/incident/next-status.ts';
import { Button } from '../../../ui/actions/Button.tsx';
import { CommitSelect } from '../../../ui/fields/CommitSelect.tsx';
import { messages } from './messages.ts';
import classes from './head.module.css';
import { optionsFor } from '../words.ts';

const words = messages;
/** Walking through the options with the arrow keys must not set each of them. */
const STATUS_DELAY_MS = 200;

interface StatusControlProps {
  row: IncidentRow;
  onChoose: (to: string) => void;
}

/** The status, where it may go, and the toggle that closes an open incident and reopens any other. */
export function StatusControl({ row, onChoose }: StatusControlProps) {
  const over = isOver(row.status);
  return (
    <span className={classes.status}>
      <CommitSelect
        caption="hidden"
        label={words.status}
        value={row.status}
        delayMs={STATUS_DELAY_MS}
        options={optionsFor('statuses', allowedStatuses(row.status), row.status)}
        onChosen={onChoose}
      />
      <Button onClick={() => onChoose(over ? 'open' : 'closed')}>{over ? words.reopen : words.close}</Button>
    </span>
  );
}
