import type { InsightColumn, InsightRow } from '../../../contract/insight-view.ts';
import { Age } from '../../../ui/marks/Age.tsx';
import grid from '../../../ui/tables/GridTable.module.css';
import rowLink from '../../../ui/tables/row-link.module.css';
import { useGridColumns } from '../../../ui/tables/use-grid-columns.ts';
import { PlaceholderRow, VirtualGrid, type RowShape } from '../../../ui/tables/VirtualGrid.tsx';
import { INSIGHT_CELLS, insightCell, SeverityTag, shortMessage, typeText } from './insight-rows.tsx';
import classes from './insights.module.css';
import { messages } from './messages.ts';

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
        className={`${rowLink.link} ${classes.link}`}
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
  const { ref, shown: cells, style } = useGridColumns(INSIGHT_CELLS, sort.by);
  const line = ({ index, height, isPhone }: RowShape) => {
    const row = rowAt(index);
    if (row === null) return <PlaceholderRow index={index} height={height} />;
    return (
      <div
        role="row"
        aria-rowindex={index + 2}
        data-row-kind="insight"
        className={`${grid.row} ${rowLink.row} ${classes.row} ${isPhone ? grid.phone : ''}`}
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
    <VirtualGrid
      label={messages.label}
      role="grid"
      count={count}
      columns={cells.map(({ id, align }) => ({
        id,
        align,
        text: messages.columns[id],
        onSort: id === 'status' ? null : () => onSort(id),
      }))}
      sort={sort}
      onRange={onRange}
      row={line}
      gridRef={ref}
      style={style}
    />
  );
}
