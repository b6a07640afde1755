/**
 * The list of checks as a grid of windows: whatever the number of checks, only what is on screen is in the page.
 * One tab stop, the scrolling body; arrows move the focus between rows, Enter opens, right and left open and
 * close groups.
 */
import type { KeyboardEvent } from 'react';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { VirtuosoHandle } from 'react-virtuoso';
import { Virtuoso } from 'react-virtuoso';
import type { HealthRow, SortColumn } from '../../contract/worker.ts';
import type { HealthViewState } from '../../data/client/health-view-client.ts';
import grid from '../../ui/tables/GridTable.module.css';
import { PHONE, useMedia, useRowHeight } from '../../ui/hooks/use-media.ts';
import { useDevice } from '../../ui/Device.tsx';
import { CheckRowLine } from './CheckRowLine.tsx';
import { GroupRowLine } from './GroupRowLine.tsx';
import classes from './HealthTable.module.css';
import { HealthTableHead } from './HealthTableHead.tsx';
import { messages } from './messages.ts';
import type { LineProps } from './row-line.ts';
import { lineId, NO_PIVOT } from './row-line.ts';
import type { HealthUrlState } from './url-state.ts';

const FIXED_COLUMNS = 'minmax(208px, 1.6fr) 172px';
const PIVOT_COLUMN_PX = 76;
const COLUMN_GAP_PX = 16;
const PIVOT_FIXED_PX = 428;
/** Rows kept ready beyond each edge, px: spec 1 §9 says ten. */
const OVERSCAN_PX = 360;
const PAGE_ROWS = 15;

interface HealthTableProps {
  view: HealthViewState;
  state: HealthUrlState;
  onSort: (column: SortColumn) => void;
  onPress: (row: HealthRow) => void;
}

function Line(props: Omit<LineProps<HealthRow>, 'row'> & { row: HealthRow | null }) {
  const { row, index, height } = props;
  if (row === null) {
    return <div role="row" aria-rowindex={index + 2} className={grid.placeholder} style={{ height }} />;
  }
  if (row.kind === 'group') return <GroupRowLine {...props} row={row} />;
  return <CheckRowLine {...props} row={row} />;
}

const MOVES: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowDown: (at, last) => Math.min(at + 1, last),
  ArrowUp: (at) => Math.max(at - 1, 0),
  PageDown: (at, last) => Math.min(at + PAGE_ROWS, last),
  PageUp: (at) => Math.max(at - PAGE_ROWS, 0),
  Home: () => 0,
  End: (_, last) => last,
};

/** True when the key asks for what a press on this row does. */
function isPressKey(key: string, row: HealthRow): boolean {
  if (key === 'Enter' || key === ' ') return true;
  if (row.kind !== 'group') return false;
  return (key === 'ArrowRight' && !row.isExpanded) || (key === 'ArrowLeft' && row.isExpanded);
}

/** The row that has the focus, which may have come from outside the grid. */
function focusedLine(): number | null {
  const at = /\d+$/.exec(document.activeElement?.id ?? '')?.[0];
  return at !== undefined && document.activeElement?.id === lineId(Number(at)) ? Number(at) : null;
}

function useGridKeys(view: HealthViewState, onPress: (row: HealthRow) => void) {
  const list = useRef<VirtuosoHandle>(null);
  const [active, setActive] = useState<number | null>(null);
  const last = view.frame.rowCount - 1;
  const handleKey = (event: KeyboardEvent<HTMLElement>) => {
    if (event.target instanceof HTMLElement && event.target.closest('[role=columnheader]') !== null) return;
    const at = active ?? focusedLine();
    const move = MOVES[event.key];
    if (move !== undefined) {
      event.preventDefault();
      const next = at === null ? 0 : move(Math.min(at, last), last);
      setActive(next);
      const focusRow = () => document.getElementById(lineId(next))?.focus({ preventScroll: true });
      // A row that is already on screen takes the focus at once; another once it is there.
      focusRow();
      list.current?.scrollIntoView({ index: next, behavior: 'auto', done: focusRow });
      return;
    }
    const row = at === null ? null : view.getRow(at);
    if (row === null || !isPressKey(event.key, row)) return;
    event.preventDefault();
    onPress(row);
  };
  return { list, active, setActive, handleKey };
}

export function HealthTable({ view, state, onSort, onPress }: HealthTableProps) {
  const device = useDevice();
  const isPhone = useMedia(PHONE);
  const height = useRowHeight(device.density);
  const { list, active, setActive, handleKey } = useGridKeys(view, onPress);
  const [hasFocus, setHasFocus] = useState(false);
  const { frame } = view;
  const { pivotColumns } = frame;
  const pivot = useMemo(
    () => (pivotColumns.length === 0 ? NO_PIVOT : { columns: pivotColumns, cell: state.pivotCellType }),
    [pivotColumns, state.pivotCellType],
  );
  // Another question starts at its top, as a new page would.
  const { query, groupBy, tabBy, tab, sortBy, sortDesc } = state;
  useEffect(() => {
    list.current?.scrollTo({ top: 0 });
  }, [list, query, groupBy, tabBy, tab, sortBy, sortDesc]);

  const pressAt = useCallback(
    (row: HealthRow) => {
      setActive(null);
      onPress(row);
    },
    [onPress, setActive],
  );
  const hasPivot = pivotColumns.length > 0 && !isPhone;
  const style = hasPivot
    ? {
        '--columns': `${FIXED_COLUMNS} repeat(${pivotColumns.length}, minmax(${PIVOT_COLUMN_PX}px, 1fr))`,
        '--min-width': `${PIVOT_FIXED_PX + pivotColumns.length * (PIVOT_COLUMN_PX + COLUMN_GAP_PX)}px`,
      }
    : {};
  return (
    <div
      role="treegrid"
      aria-label={messages.grid}
      aria-rowcount={frame.rowCount + 1}
      className={`${grid.grid} ${classes.grid} ${hasPivot ? classes.wide : ''}`}
      style={style as React.CSSProperties}
      onKeyDown={handleKey}
      onFocus={() => setHasFocus(true)}
      onBlur={() => setHasFocus(false)}
    >
      <HealthTableHead
        sortBy={sortBy}
        sortDesc={sortDesc}
        pivotColumns={hasPivot ? pivotColumns : []}
        onSort={onSort}
      />
      <Virtuoso
        ref={list}
        className={grid.body ?? ''}
        role="rowgroup"
        tabIndex={0}
        totalCount={frame.rowCount}
        fixedItemHeight={height}
        increaseViewportBy={OVERSCAN_PX}
        initialItemCount={Math.min(frame.rowCount, PAGE_ROWS)}
        rangeChanged={({ startIndex, endIndex }) => view.setVisibleRange(startIndex, endIndex + 1)}
        itemContent={(index) => (
          <Line
            row={view.getRow(index)}
            index={index}
            height={height}
            isPhone={isPhone}
            isActive={hasFocus && active === index}
            pivot={pivot}
            onPress={pressAt}
          />
        )}
      />
    </div>
  );
}
