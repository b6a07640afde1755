/**
 * The grid of windows: any number of rows under the names of their columns, of which the page holds what is on screen.
 * It owns the head, the height of rows, their form on a hand-held screen, the keys and the scrolling; what stands in a
 * row is its caller's, by index, since rows may still be on their way.
 */
import { useDidUpdate } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { useDevice } from '../Device.tsx';
import { PHONE, useMedia, useRowHeight } from '../hooks/use-media.ts';
import { FixedRows, type FixedRowsHandle } from './FixedRows.tsx';
import { GridHead, type GridColumn } from './GridHead.tsx';
import grid from './GridTable.module.css';
import { useRowKeys } from './row-keys.ts';

/** What every row of a grid is told. */
export interface RowShape {
  index: number;
  height: number;
  /** Rows take two lines. */
  isPhone: boolean;
}

interface VirtualGridProps {
  label: string;
  role: 'grid' | 'treegrid';
  count: number;
  columns: readonly GridColumn[];
  /** Null while the rows are in no column's order. */
  sort: { by: string; isDescending: boolean } | null;
  /** Before the name of the first column. */
  headLead?: ReactNode;
  /** Columns of another look, after the others. */
  headTail?: ReactNode;
  /** What the rows are an answer to; another one starts at its top. */
  question?: string;
  /** The rows that are drawn, end excluded. */
  onRange: (start: number, end: number) => void;
  row: (shape: RowShape) => ReactNode;
  /** The rows take the focus themselves: the grid is one tab stop, and a key may do something to a row. */
  onKey?: (key: string, index: number) => boolean;
  /** Takes a row in, or leaves it: `x` on it; with Shift all from the last one on. */
  onChoose?: (index: number, isRange: boolean) => void;
  /** Of `useGridColumns`, or a width of the caller's. */
  gridRef?: React.RefCallback<HTMLDivElement | null>;
  style?: React.CSSProperties;
  className?: string;
}

/** A row that is on its way. */
export function PlaceholderRow({ index, height }: Pick<RowShape, 'index' | 'height'>) {
  return <div role="row" aria-rowindex={index + 2} className={grid.placeholder} style={{ height }} />;
}

/** See the head of this file. */
export function VirtualGrid(props: VirtualGridProps) {
  const { count, columns, sort, headLead, headTail, question, onRange, row, onKey, onChoose } = props;
  const { label, role, gridRef, style, className = '' } = props;
  const { density } = useDevice();
  const isPhone = useMedia(PHONE);
  const height = useRowHeight(density);
  const isTabStop = onKey !== undefined;
  const { list, handleKey } = useRowKeys<FixedRowsHandle>({
    count,
    isTabStop,
    onKey(key, index) {
      const isChoice = onChoose !== undefined && (key === 'x' || key === 'X');
      if (isChoice) onChoose(index, key === 'X');
      return isChoice || onKey?.(key, index) === true;
    },
  });
  // Not at first: asking where a new list stands would lay the page out before all of it is there.
  useDidUpdate(() => {
    list.current?.scrollToTop();
  }, [list, question]);
  return (
    <div
      ref={gridRef}
      role={role}
      aria-label={label}
      aria-rowcount={count + 1}
      className={`${grid.grid} ${className}`}
      style={style}
      onKeyDown={handleKey}
    >
      <GridHead
        isSteady={!isTabStop}
        isPassedByTab={isTabStop}
        columns={columns}
        sort={sort}
        headLead={headLead}
      >
        {headTail}
      </GridHead>
      <FixedRows
        ref={list}
        className={`${grid.body} ${isTabStop ? '' : grid.steady}`}
        isTabStop={isTabStop}
        count={count}
        height={height}
        onRange={onRange}
        row={(index) => row({ index, height, isPhone })}
      />
    </div>
  );
}
