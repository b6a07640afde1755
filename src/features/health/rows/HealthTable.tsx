/**
 * The list of checks. One tab stop, the grid; its keys move the focus between rows, Enter opens, right and left open
 * and close groups.
 */
import { useMemo } from 'react';
import type { HealthRow, SortColumn } from '../../../contract/worker.ts';
import type { HealthViewState } from '../../../data/client/health-view-client.ts';
import { PHONE, useMedia } from '../../../ui/hooks/use-media.ts';
import { usePendingVerbs } from '../../../ui/page/Bulk.tsx';
import { PlaceholderRow, VirtualGrid } from '../../../ui/tables/VirtualGrid.tsx';
import type { ChooseChecks } from '../choose/use-choose-checks.ts';
import { CheckRowLine } from './CheckRowLine.tsx';
import { GroupRowLine } from './GroupRowLine.tsx';
import classes from './HealthTable.module.css';
import { headColumns, PivotHeads } from './HealthTableHead.tsx';
import { messages } from '../messages.ts';
import type { LineProps } from './row-line.ts';
import { NO_PIVOT } from './row-line.ts';
import type { HealthUrlState } from '../url-state.ts';

const FIXED_COLUMNS = 'minmax(208px, 1.6fr) 172px';
const PIVOT_COLUMN_PX = 76;
const COLUMN_GAP_PX = 16;
const PIVOT_FIXED_PX = 428;

interface HealthTableProps {
  view: HealthViewState;
  state: HealthUrlState;
  onSort: (column: SortColumn) => void;
  onPress: (row: HealthRow) => void;
  choose: ChooseChecks;
}

function Line(props: Omit<LineProps<HealthRow>, 'row'> & { row: HealthRow | null }) {
  const { row } = props;
  if (row === null) return <PlaceholderRow {...props} />;
  if (row.kind === 'group') return <GroupRowLine {...props} row={row} />;
  return <CheckRowLine {...props} row={row} />;
}

/** True when the key asks for what a press on this row does. */
function isPressKey(key: string, row: HealthRow): boolean {
  if (key === 'Enter' || key === ' ') return true;
  if (row.kind !== 'group') return false;
  return (key === 'ArrowRight' && !row.isExpanded) || (key === 'ArrowLeft' && row.isExpanded);
}

/** A grid of windows: the view answers with the rows on screen. */
export function HealthTable({ view, state, onSort, onPress, choose }: HealthTableProps) {
  const isPhone = useMedia(PHONE);
  const { frame } = view;
  const pending = usePendingVerbs('checks');
  const { pivotColumns } = frame;
  const pivot = useMemo(
    () => (pivotColumns.length === 0 ? NO_PIVOT : { columns: pivotColumns, cell: state.pivotCellType }),
    [pivotColumns, state.pivotCellType],
  );
  const { query, groupBy, tabBy, tab, sortBy, sortDesc } = state;
  const hasPivot = pivotColumns.length > 0 && !isPhone;
  const style = hasPivot
    ? {
        '--columns': `${FIXED_COLUMNS} repeat(${pivotColumns.length}, minmax(${PIVOT_COLUMN_PX}px, 1fr))`,
        '--min-width': `${PIVOT_FIXED_PX + pivotColumns.length * (PIVOT_COLUMN_PX + COLUMN_GAP_PX)}px`,
      }
    : {};
  return (
    <VirtualGrid
      label={messages.grid}
      role="treegrid"
      count={frame.rowCount}
      columns={headColumns(hasPivot, onSort)}
      sort={{ by: sortBy, isDescending: sortDesc }}
      headTail={hasPivot && <PivotHeads columns={pivotColumns} />}
      question={[query, groupBy, tabBy, tab, sortBy, sortDesc].join(' ')}
      onRange={view.setVisibleRange}
      row={(shape) => {
        const row = view.getRow(shape.index);
        const asked = row?.kind === 'check' ? (pending.get(row.check.id) ?? null) : null;
        const chosen = row === null ? null : choose.chosenOf(row);
        const choice = { chosen, onChoose: choose.onChoose, pending: asked };
        return <Line {...shape} {...choice} row={row} pivot={pivot} onPress={onPress} />;
      }}
      onKey={(key, index) => {
        const row = view.getRow(index);
        if (row !== null && choose.mayChoose && (key === 'x' || key === 'X')) {
          choose.onChoose(row, key === 'X');
          return true;
        }
        if (row === null || !isPressKey(key, row)) return false;
        onPress(row);
        return true;
      }}
      style={style as React.CSSProperties}
      className={`${classes.grid} ${hasPivot ? classes.wide : ''}`}
    />
  );
}
