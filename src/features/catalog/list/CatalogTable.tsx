/** The catalog's rows. They are links or buttons, so that a keyboard or a screen reader finds them as such. */
import type { CatalogColumn, CatalogGroupRow } from '../../../contract/catalog-view.ts';
import type { CatalogViewState } from '../../../data/queries/catalog/use-catalog-view.ts';
import { useGridColumns } from '../../../ui/tables/use-grid-columns.ts';
import type { PendingVerb } from '../../../ui/page/Bulk.tsx';
import type { KnownChoosing } from '../../../ui/tables/choosing/use-known-choosing.tsx';
import { PlaceholderRow, VirtualGrid, type RowShape } from '../../../ui/tables/VirtualGrid.tsx';
import classes from './CatalogTable.module.css';
import type { ListColumn } from './columns.ts';
import { GroupLine } from './GroupLine.tsx';
import { chosenOf, ItemLine } from './ItemLine.tsx';
import { messages } from './messages.ts';

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
  choosing: KnownChoosing;
  /** What was asked for items and is not done yet, by id. */
  asked: ReadonlyMap<string, PendingVerb>;
}

function Line(props: CatalogTableProps & RowShape) {
  const { view, index, height, columns, isPhone } = props;
  const row = view.getRow(index);
  const shape = { index, height, columns, isPhone };
  if (row === null) return <PlaceholderRow {...shape} />;
  if (row.kind === 'item') {
    const { mayChoose, isChosen, choose } = props.choosing;
    const choice = { isChosen: mayChoose ? isChosen(row.key) : null, onChoose: choose };
    return <ItemLine {...shape} {...choice} row={row} pending={props.asked.get(row.key)} />;
  }
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

/** Asks for the rows on screen alone. */
export function CatalogTable(props: CatalogTableProps) {
  const { view, sort, question, onSort } = props;
  const { ref, shown: columns, style } = useGridColumns(props.columns, sort?.by ?? null);
  return (
    <VirtualGrid
      label={messages.grid}
      role="treegrid"
      count={view.frame.rowCount}
      columns={columns.map(({ id, align }) => ({
        id,
        align,
        text: messages.columns[id],
        onSort: () => onSort(id),
      }))}
      sort={sort}
      question={question}
      onRange={view.setVisibleRange}
      onChoose={(index) => {
        const row = view.getRow(index);
        const thing = row?.kind === 'item' ? chosenOf(row) : null;
        if (thing !== null && props.choosing.mayChoose) props.choosing.choose(thing, false);
      }}
      row={(shape) => <Line {...props} {...shape} columns={columns} />}
      gridRef={ref}
      style={style}
      className={classes.grid ?? ''}
    />
  );
}
