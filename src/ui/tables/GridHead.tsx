import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import grid from './GridTable.module.css';

/** A column of a grid, as its head names it. */
export interface GridColumn {
  id: string;
  text: string;
  align?: 'end' | undefined;
  title?: string | undefined;
  /** Null where the rows are never ordered by it. */
  onSort: (() => void) | null;
}

interface GridHeadProps {
  columns: readonly GridColumn[];
  /** Null while the rows are in no column's order. */
  sort: { by: string; isDescending: boolean } | null;
  /** Above what stands before the name in each row: the box that chooses all. */
  headLead?: ReactNode;
  /** Room is kept for the scrollbar of the rows. */
  isSteady?: boolean;
  /** The rows are the grid's one tab stop. */
  isPassedByTab?: boolean;
  /** Columns of another look, after the others. */
  children?: ReactNode;
}

/** The names of a grid's columns; a press orders by one, a second press turns the order. */
export function GridHead(props: GridHeadProps) {
  const { columns, sort, headLead, isSteady = false, isPassedByTab = false, children } = props;
  const Arrow = sort?.isDescending === true ? IconArrowDown : IconArrowUp;
  const direction = sort?.isDescending === true ? 'descending' : 'ascending';
  return (
    <div role="row" aria-rowindex={1} className={`${grid.head} ${isSteady ? grid.steady : ''}`}>
      {columns.map(({ id, text, align, title, onSort }, index) => {
        const isSorted = sort?.by === id;
        return (
          <div
            key={id}
            role="columnheader"
            aria-sort={isSorted ? direction : 'none'}
            className={`${grid.column} ${align === 'end' ? grid.end : ''} ${isSorted ? grid.sorted : ''}`}
          >
            {index === 0 && headLead}
            {onSort === null ? (
              text
            ) : (
              <button
                type="button"
                onClick={onSort}
                {...(isPassedByTab ? { tabIndex: -1 } : {})}
                {...(title === undefined ? {} : { title })}
              >
                {text}
                {isSorted && <Arrow size={12} aria-hidden />}
              </button>
            )}
          </div>
        );
      })}
      {children}
    </div>
  );
}
