import type { HealthRow, PivotSummary } from '../../../contract/worker.ts';
import { formatDuration } from '../../../domain/time/format.ts';
import { HealthMark } from '../../../ui/marks/HealthMark.tsx';
import { messages as ui } from '../../../ui/messages.ts';
import { UptimeMeter } from '../../../ui/marks/UptimeMeter.tsx';
import type { PivotView } from './row-line.ts';
import classes from './rows.module.css';

function Cell({ summary, pivot }: { summary: PivotSummary; pivot: PivotView }) {
  switch (pivot.cell) {
    case 'uptime':
      return <UptimeMeter uptime={summary.uptime} hasBar={false} />;
    case 'latency':
      return <>{summary.latencyMs === null ? ui.nothing : formatDuration(summary.latencyMs)}</>;
    case 'checkStatus':
      return (
        <span className={classes.state} title={`${ui.health[summary.health]} (${summary.total})`}>
          <HealthMark state={summary.health} label={ui.health[summary.health]} />
          {summary.total > 1 && summary.total}
        </span>
      );
  }
}

/** What a row's checks add up to under each value of the pivot. */
export function PivotCells({ row, pivot }: { row: HealthRow; pivot: PivotView }) {
  return pivot.columns.map((column) => {
    const summary = row.pivot?.[column];
    return (
      <div key={column} role="gridcell" className={`${classes.cell} ${classes.pivot}`}>
        {summary !== undefined && <Cell summary={summary} pivot={pivot} />}
      </div>
    );
  });
}
