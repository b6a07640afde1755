import type { HealthRow, PivotCell } from '../../../contract/worker.ts';
import type { PendingVerb } from '../../../ui/page/Bulk.tsx';
import type { Coverage } from '../../../domain/bulk/selection.ts';
import type { Check } from '../../../domain/check/check.ts';
import { messages } from '../messages.ts';

/** The columns that a pivot adds, and what their cells show. */
export interface PivotView {
  columns: readonly string[];
  cell: PivotCell;
}

export const NO_PIVOT: PivotView = { columns: [], cell: 'checkStatus' };

export interface LineProps<Row extends HealthRow> {
  row: Row;
  index: number;
  height: number;
  isPhone: boolean;
  pivot: PivotView;
  onPress: (row: HealthRow) => void;
  /** Of a group how much of it; null while nothing is chosen of the list. */
  chosen: Coverage | null;
  onChoose: (row: HealthRow, isRange: boolean) => void;
  /** What was asked for it and is not done yet. */
  pending: PendingVerb | null;
}

/** The line under or beside a check's name: why it isn't run, else what it looks at. */
export function detailOf(check: Check): string {
  if (typeof check.not_run_reason === 'string') return messages.notRun(check.not_run_reason);
  return check.endpoint ?? check.description ?? '';
}

/** What every row carries; the header is the grid's first row. */
export function lineAttributes({ row, index, height }: LineProps<HealthRow>) {
  return {
    role: 'row',
    tabIndex: -1,
    'aria-rowindex': index + 2,
    'data-row-kind': row.kind,
    style: { height },
  };
}
