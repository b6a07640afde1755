/**
 * The grid of windows: any number of rows under the names of their columns, of which the page holds what is on screen.
 * It owns the head, the height of rows, their form on a hand-held screen, the keys and the scrolling; what stands in a
 * row is its caller's, by index, since rows may still be on their way.
 */
import type { ReactNode } from 'react';
import { useEffect } from 'react';
import { Virtuoso, type VirtuosoHandle } from 'react-virtuoso';
import { useDevice } from '../Device.tsx';
import { PHONE, useMedia, useRowHeight } from '../hooks/use-media.ts';
import { GridHead, type GridColumn } from './GridHead.tsx';
import grid from './GridTable.module.css';
import { useRowKeys } from './row-keys.ts';

/** Rows kept ready beyond each edge, px: spec 1 §9 says ten. */
const OVERSCAN_PX = 360;
const FIRST_ROWS = 15;

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
  /** Columns of another look, after the others. */
  headTail?: ReactNode;
  /** What the rows are an answer to; another one starts at its top. */
  question?: string;
  /** The rows on screen, end excluded. */
  onRange: (start: number, end: number) => void;
  row: (shape: RowShape) => ReactNode;
  /** The rows take the focus themselves: the grid is one tab stop, and a key may do something to a row. */
  onKey?: (key: string, index: number) => boolean;
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
  const { count, columns, sort, headTail, question, onRange, row, onKey } = props;
  const { label, role, gridRef, style, className = '' } = props;
  const { density } = useDevice();
  const isPhone = useMedia(PHONE);
  const height = useRowHeight(density);
  const isTabStop = onKey !== undefined;
  const { list, handleKey } = useRowKeys<VirtuosoHandle>({ count, isTabStop, onKey });
  useEffect(() => {
    list.current?.scrollTo({ top: 0 });
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
      <GridHead isSteady={!isTabStop} isPassedByTab={isTabStop} columns={columns} sort={sort}>
        {headTail}
      </GridHead>
      <Virtuoso
        ref={list}
        className={`${grid.body} ${isTabStop ? '' : grid.steady}`}
        role="rowgroup"
        tabIndex={isTabStop ? 0 : -1}
        totalCount={count}
        fixedItemHeight={height}
        increaseViewportBy={OVERSCAN_PX}
        initialItemCount={Math.min(count, FIRST_ROWS)}
        rangeChanged={({ startIndex, endIndex }) => onRange(startIndex, endIndex + 1)}
        itemContent={(index) => row({ index, height, isPhone })}
      />
    </div>
  );
}
