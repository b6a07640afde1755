import type { ReactNode } from 'react';
import classes from './component.module.css';
import { messages } from './messages.ts';

interface PanelListProps<Row extends { id: string }> {
  label: string;
  rows: readonly Row[];
  /** As many there are. */
  total: number;
  empty: string;
  line: (row: Row) => ReactNode;
}

/** The rows of a panel, and how many more there are. */
export function PanelList<Row extends { id: string }>({
  label,
  rows,
  total,
  empty,
  line,
}: PanelListProps<Row>) {
  if (total === 0) return <p className={classes.none}>{empty}</p>;
  return (
    <>
      <ul className={classes.list} aria-label={label}>
        {rows.map((row) => (
          <li key={row.id} className={classes.row}>
            {line(row)}
          </li>
        ))}
      </ul>
      {total > rows.length && <p className={classes.note}>{messages.firstOf(rows.length, total)}</p>}
    </>
  );
}
