import { IconChevronDown } from '@tabler/icons-react';
import type { IncidentRow } from '../../../contract/collection-rows.ts';
import { allowedStatuses, isIncidentStatus } from '../../../domain/incident/incident.ts';
import { MenuItem, Popover } from '../../../ui/overlays/Popover.tsx';
import { Tag } from '../../../ui/marks/Tag.tsx';
import classes from './incidents.module.css';
import { messages } from './messages.ts';
import type { ChangeStatus } from './use-quick-status.tsx';
import { wordFor } from '../words.ts';

interface StatusMenuProps {
  row: IncidentRow;
  /** Null for who may only read. */
  onChange: ChangeStatus | null;
}

/** The status, and where it may go: what a swipe does, for the keyboard and for everybody else. */
export function StatusMenu({ row, onChange }: StatusMenuProps) {
  const word = wordFor('statuses', row.status);
  // A status of a newer version can't be named in a command of this one.
  if (onChange === null || !isIncidentStatus(row.status)) return <Tag value={word} />;
  return (
    <Popover
      kind="menu"
      label={messages.changeStatus(row.title)}
      trigger={(trigger) => (
        <button
          type="button"
          className={classes.statusButton}
          aria-label={messages.statusOf(word, row.title)}
          {...trigger}
        >
          <span className={classes.statusChip}>
            {word}
            <IconChevronDown size={12} aria-hidden />
          </span>
        </button>
      )}
    >
      {(close) =>
        allowedStatuses(row.status).map((status) => (
          <MenuItem
            key={status}
            isChecked={status === row.status}
            onSelect={() => {
              close();
              if (status !== row.status) onChange(row, status);
            }}
          >
            {wordFor('statuses', status)}
          </MenuItem>
        ))
      }
    </Popover>
  );
}
