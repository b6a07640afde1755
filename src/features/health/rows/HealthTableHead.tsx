import type { SortColumn } from '../../../contract/worker.ts';
import type { GridColumn } from '../../../ui/tables/GridHead.tsx';
import grid from '../../../ui/tables/GridTable.module.css';
import classes from './HealthTable.module.css';
import { messages } from '../messages.ts';

const END_ALIGNED = new Set<SortColumn>(['latency', 'transition']);
const COLUMNS: readonly SortColumn[] = ['name', 'health'];
const METRICS: readonly SortColumn[] = ['uptime', 'latency', 'transition'];
const RUNS: GridColumn = { id: 'recent-runs', text: messages.recentRuns, onSort: null };

/** The columns' names; a press sorts, a second one turns the order. Those of a pivot take the figures' place. */
export function headColumns(hasPivot: boolean, onSort: (column: SortColumn) => void): GridColumn[] {
  const headOf = (id: SortColumn): GridColumn => ({
    id,
    text: messages.columns[id],
    align: END_ALIGNED.has(id) ? 'end' : undefined,
    title: id === 'latency' ? messages.latencyNote : undefined,
    onSort: () => onSort(id),
  });
  const first = COLUMNS.map(headOf);
  return hasPivot ? first : [...first, RUNS, ...METRICS.map(headOf)];
}

/** The names of a pivot's columns. */
export function PivotHeads({ columns }: { columns: readonly string[] }) {
  return columns.map((column) => (
    <div key={column} role="columnheader" className={`${grid.column} ${classes.middle}`}>
      <span className={classes.columnText} title={column}>
        {column}
      </span>
    </div>
  ));
}
