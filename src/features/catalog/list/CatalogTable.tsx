/**
 * The catalog as a grid of windows: whatever the number of items, only what is on screen is in the page. Rows are
 * links or buttons, so that a keyboard or a screen reader finds them as such; arrows move between them.
 */
import { useEffect, useRef } from 'react';
import { Virtuoso, type VirtuosoHandle } from 'react-virtuoso';
import type { CatalogColumn, CatalogGroupRow } from '../../../contract/catalog-view.ts';
import type { CatalogViewState } from '../../../data/queries/use-catalog-view.ts';
import { useDevice } from '../../../ui/Device.tsx';
import { GridHead } from '../../../ui/tables/GridHead.tsx';
import grid from '../../../ui/tables/GridTable.module.css';
import { moveBetweenRows } from '../../../ui/hooks/move-between-rows.ts';
import { useGridColumns } from '../../../ui/tables/use-grid-columns.ts';
import { PHONE, useMedia, useRowHeight } from '../../../ui/hooks/use-media.ts';
import classes from './CatalogTable.module.css';
import type { ListColumn } from './columns.ts';
import { GroupLine } from './GroupLine.tsx';
import { ItemLine } from './ItemLine.tsx';
import { messages } from './messages.ts';

/** Rows kept ready beyond each edge, px: spec 1 §9 says ten. */
const OVERSCAN_PX = 360;
const FIRST_ROWS = 20;

export interface CatalogTableProps {
  view: CatalogViewState;
  columns: readonly ListColumn[];
  /** Null while the best matches come first. */
  sort: { by: CatalogColumn; isDescending: boolean } | null;
  /** What the rows are an answer to; another one starts at its top. */
  question: string;
  onSort: (column: CatalogColumn) => void;
  onGroup: (row: CatalogGroupRow) => void;
  onPin: (type: string) => void;
  /** 30-day changes of a group where the server said them. */
  changesOf: (row: CatalogGroupRow) => { count: number; days: number };
}

function Line(props: CatalogTableProps & { index: number; height: number; isPhone: boolean }) {
  const { view, index, height, columns, isPhone } = props;
  const row = view.getRow(index);
  const shape = { index, height, columns, isPhone };
  if (row === null)
    return <div role="row" aria-rowindex={index + 2} className={grid.placeholder} style={{ height }} />;
  if (row.kind === 'item') return <ItemLine {...shape} row={row} />;
  return (
    <GroupLine
      {...shape}
      row={row}
      changes={props.changesOf(row)}
      onPress={props.onGroup}
      onPin={props.onPin}
    />
  );
}

export function CatalogTable(props: CatalogTableProps) {
  const { view, sort, question, onSort } = props;
  const device = useDevice();
  const isPhone = useMedia(PHONE);
  const height = useRowHeight(device.density);
  const list = useRef<VirtuosoHandle>(null);
  const { rowCount } = view.frame;
  useEffect(() => {
    list.current?.scrollTo({ top: 0 });
  }, [question]);
  const { ref, shown: columns, style } = useGridColumns(props.columns, sort?.by ?? null);
  return (
    <div
      ref={ref}
      role="treegrid"
      aria-label={messages.grid}
      aria-rowcount={rowCount + 1}
      className={`${grid.grid} ${classes.grid}`}
      style={style}
      onKeyDown={moveBetweenRows}
    >
      <GridHead
        isSteady
        columns={columns.map(({ id, align }) => ({
          id,
          align,
          text: messages.columns[id],
          onSort: () => onSort(id),
        }))}
        sort={sort}
      />
      <Virtuoso
        ref={list}
        className={`${grid.body} ${grid.steady}`}
        role="rowgroup"
        tabIndex={-1}
        totalCount={rowCount}
        fixedItemHeight={height}
        increaseViewportBy={OVERSCAN_PX}
        initialItemCount={Math.min(rowCount, FIRST_ROWS)}
        rangeChanged={({ startIndex, endIndex }) => view.setVisibleRange(startIndex, endIndex + 1)}
        itemContent={(index) => (
          <Line {...props} columns={columns} index={index} height={height} isPhone={isPhone} />
        )}
      />
    </div>
  );
}
