import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { Virtuoso } from 'react-virtuoso';
import type { InsightColumn, InsightRow } from '../../../contract/insight-view.ts';
import { Age } from '../../../ui/Age.tsx';
import { useDevice } from '../../../ui/Device.tsx';
import { moveBetweenRows } from '../../../ui/move-between-rows.ts';
import { PHONE, ROOMY, useMedia, useRowHeight } from '../../../ui/use-media.ts';
import {
  INSIGHT_CELLS,
  insightCell,
  SeverityTag,
  shortMessage,
  typeText,
  type InsightCell,
} from './insight-rows.tsx';
import classes from './insights.module.css';
import { messages } from './messages.ts';

const OVERSCAN_PX = 360;

export interface InsightTableProps {
  count: number;
  /** Null while the row is on its way. */
  rowAt: (index: number) => InsightRow | null;
  onRange: (start: number, end: number) => void;
  sort: { by: InsightColumn; isDescending: boolean };
  onSort: (column: InsightColumn) => void;
  onOpen: (id: string) => void;
  /** All are of one item: it is not named again in each row. */
  isOfOneItem: boolean;
}

function Name({
  row,
  onOpen,
  isOfOneItem,
}: { row: InsightRow } & Pick<InsightTableProps, 'onOpen' | 'isOfOneItem'>) {
  const message = shortMessage(row.summary ?? '');
  const name = isOfOneItem ? message || (row.analyzer ?? '') : insightCell(row, 'config');
  return (
    <>
      <button
        type="button"
        className={classes.link}
        data-row-link=""
        title={message}
        onClick={() => onOpen(row.id)}
      >
        {name}
      </button>
      {!isOfOneItem && <span className={classes.dim}>{typeText(row)}</span>}
    </>
  );
}

function Head({
  cells,
  sort,
  onSort,
}: Pick<InsightTableProps, 'sort' | 'onSort'> & { cells: readonly InsightCell[] }) {
  const Arrow = sort.isDescending ? IconArrowDown : IconArrowUp;
  return (
    <div role="row" aria-rowindex={1} className={classes.head}>
      {cells.map(({ id, align }) => {
        const isSorted = sort.by === id;
        const direction = sort.isDescending ? 'descending' : 'ascending';
        return (
          <div
            key={id}
            role="columnheader"
            aria-sort={isSorted ? direction : 'none'}
            className={`${classes.column} ${align === 'end' ? classes.end : ''}`}
          >
            {id === 'status' ? (
              messages.columns[id]
            ) : (
              <button type="button" onClick={() => onSort(id)}>
                {messages.columns[id]}
                {isSorted && <Arrow size={12} aria-hidden />}
              </button>
            )}
          </div>
        );
      })}
    </div>
  );
}

function PhoneLine(props: { row: InsightRow } & Pick<InsightTableProps, 'onOpen' | 'isOfOneItem'>) {
  const { row } = props;
  return (
    <>
      <div role="gridcell" className={classes.cell}>
        <Name {...props} />
      </div>
      <div role="gridcell" className={classes.side}>
        <SeverityTag severity={row.severity} />
      </div>
      <div role="gridcell" className={classes.sub}>
        {[row.type, row.analyzer].filter(Boolean).join(' · ')}
      </div>
      <div role="gridcell" className={classes.side}>
        <Age at={row.lastObserved} />
      </div>
    </>
  );
}

/** Insights in rows, of which the page holds what is on screen; a press opens one. */
export function InsightTable(props: InsightTableProps) {
  const { count, rowAt, onRange, sort, onSort } = props;
  const { density } = useDevice();
  const height = useRowHeight(density);
  const isPhone = useMedia(PHONE);
  const isRoomy = useMedia(ROOMY);
  const cells = INSIGHT_CELLS.filter(({ id }) => isRoomy || (id !== 'first_observed' && id !== 'status'));
  const style = { '--columns': cells.map(({ width }) => width).join(' ') } as React.CSSProperties;
  const line = (index: number) => {
    const row = rowAt(index);
    if (row === null) return <div role="row" aria-rowindex={index + 2} style={{ height }} />;
    return (
      <div
        role="row"
        aria-rowindex={index + 2}
        data-row-kind="insight"
        className={`${classes.row} ${isPhone ? classes.phone : ''}`}
        style={{ height }}
      >
        {isPhone ? (
          <PhoneLine {...props} row={row} />
        ) : (
          cells.map(({ id, align }, at) => (
            <div key={id} role="gridcell" className={`${classes.cell} ${align === 'end' ? classes.end : ''}`}>
              {at === 0 ? <Name {...props} row={row} /> : insightCell(row, id)}
            </div>
          ))
        )}
      </div>
    );
  };
  return (
    <div
      role="grid"
      aria-label={messages.label}
      aria-rowcount={count + 1}
      className={classes.grid}
      style={style}
      onKeyDown={moveBetweenRows}
    >
      <Head cells={cells} sort={sort} onSort={onSort} />
      <Virtuoso
        className={classes.body ?? ''}
        role="rowgroup"
        tabIndex={-1}
        totalCount={count}
        fixedItemHeight={height}
        increaseViewportBy={OVERSCAN_PX}
        initialItemCount={Math.min(count, 20)}
        rangeChanged={({ startIndex, endIndex }) => onRange(startIndex, endIndex + 1)}
        itemContent={line}
      />
    </div>
  );
}
