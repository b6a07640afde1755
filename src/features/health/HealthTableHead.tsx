import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import type { SortColumn } from '../../contract/worker.ts';
import classes from './HealthTable.module.css';
import { messages } from './messages.ts';

const END_ALIGNED = new Set<SortColumn>(['latency', 'transition']);

interface HeadProps {
  sortBy: SortColumn;
  sortDesc: boolean;
  pivotColumns: readonly string[];
  onSort: (column: SortColumn) => void;
}

function SortHeader({ column, head }: { column: SortColumn; head: HeadProps }) {
  const isSorted = head.sortBy === column;
  const Arrow = head.sortDesc ? IconArrowDown : IconArrowUp;
  const direction = head.sortDesc ? 'descending' : 'ascending';
  return (
    <div
      role="columnheader"
      aria-sort={isSorted ? direction : 'none'}
      className={[
        classes.column,
        END_ALIGNED.has(column) ? classes.end : '',
        isSorted ? classes.sorted : '',
      ].join(' ')}
    >
      <button
        type="button"
        tabIndex={-1}
        onClick={() => head.onSort(column)}
        {...(column === 'latency' ? { title: messages.latencyNote } : {})}
      >
        {messages.columns[column]}
        {isSorted && <Arrow size={12} aria-hidden />}
      </button>
    </div>
  );
}

/** The columns' names; a press sorts, a second one turns the order. */
export function HealthTableHead(props: HeadProps) {
  const metrics: SortColumn[] = props.pivotColumns.length > 0 ? [] : ['uptime', 'latency', 'transition'];
  return (
    <div role="row" aria-rowindex={1} className={classes.head}>
      <SortHeader column="name" head={props} />
      <SortHeader column="health" head={props} />
      {metrics.map((column) => (
        <SortHeader key={column} column={column} head={props} />
      ))}
      {props.pivotColumns.map((column) => (
        <div key={column} role="columnheader" className={`${classes.column} ${classes.middle}`}>
          <span className={classes.columnText} title={column}>
            {column}
          </span>
        </div>
      ))}
    </div>
  );
}
