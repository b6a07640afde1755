import type { SortColumn } from '../../contract/worker.ts';
import { GridHead } from '../../ui/tables/GridHead.tsx';
import grid from '../../ui/tables/GridTable.module.css';
import classes from './HealthTable.module.css';
import { messages } from './messages.ts';

const END_ALIGNED = new Set<SortColumn>(['latency', 'transition']);
const COLUMNS: readonly SortColumn[] = ['name', 'health'];
const METRICS: readonly SortColumn[] = ['uptime', 'latency', 'transition'];

interface HeadProps {
  sortBy: SortColumn;
  sortDesc: boolean;
  pivotColumns: readonly string[];
  onSort: (column: SortColumn) => void;
}

/** The columns' names; a press sorts, a second one turns the order. */
export function HealthTableHead({ sortBy, sortDesc, pivotColumns, onSort }: HeadProps) {
  const shown = pivotColumns.length > 0 ? COLUMNS : [...COLUMNS, ...METRICS];
  return (
    <GridHead
      isPassedByTab
      columns={shown.map((id) => ({
        id,
        text: messages.columns[id],
        align: END_ALIGNED.has(id) ? 'end' : undefined,
        title: id === 'latency' ? messages.latencyNote : undefined,
        onSort: () => onSort(id),
      }))}
      sort={{ by: sortBy, isDescending: sortDesc }}
    >
      {pivotColumns.map((column) => (
        <div key={column} role="columnheader" className={`${grid.column} ${classes.middle}`}>
          <span className={classes.columnText} title={column}>
            {column}
          </span>
        </div>
      ))}
    </GridHead>
  );
}
