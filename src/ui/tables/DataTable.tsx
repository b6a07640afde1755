/**
 * The table of the product: columns that sort, pages, and only the rows on screen in the page, whatever their
 * number. It owns how a table looks and behaves; order and page are its caller's, in the query string.
 * With `total` the rows are one page of the server's; without it they are all, and are ordered and paged here.
 * Columns that have no room fold into a line under the name. A row is one target: pressed anywhere, it opens.
 */
import {
  createPaginatedRowModel,
  createSortedRowModel,
  rowPaginationFeature,
  rowSortingFeature,
  tableFeatures,
  useTable,
  type ColumnDef,
} from '@tanstack/react-table';
import { useElementSize } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { useMemo } from 'react';
import { AppLink } from '../actions/AppLink.tsx';
import { choosingParts } from './choosing/choosing-parts.tsx';
import classes from './DataTable.module.css';
import { cellLimits, factsOf, foldedColumns, type FoldableColumn } from './fold-columns.ts';
import { messages } from '../messages.ts';
import rowLink from './row-link.module.css';
import { SkeletonRows } from '../feedback/Skeleton.tsx';
import { SortButton } from '../actions/SortButton.tsx';
import { StateNote } from '../feedback/StateNote.tsx';
import type { ListSelection } from './choosing/use-selection.ts';
import { TablePager } from './TablePager.tsx';
import { VirtualTable } from './VirtualTable.tsx';
import { pressedSort, type DefaultSort, type TableState } from './table-state.ts';

export interface DataColumn<Row extends object> extends FoldableColumn {
  header: string;
  cell: (row: Row) => ReactNode;
  /** What the table orders by when it has all rows; a column without it, and without `isSortable`, doesn't sort. */
  sortValue?: (row: Row) => string | number | null;
  /** The server orders by it. */
  isSortable?: boolean;
  /** True where the cell says nothing of that row; unless given, where it sorts by null or shows a dash. */
  isEmpty?: (row: Row) => boolean;
  align?: 'end';
  /** Gets the room that no other column needs, instead of the name. */
  fills?: true;
  /** Its values say themselves what they are: folded under the name they need no header beside them. */
  isPlain?: true;
}

export interface DataTableProps<Row extends object> {
  label: string;
  /** The first one names the row. */
  columns: readonly DataColumn<Row>[];
  /** Undefined until there are any. */
  rows: readonly Row[] | undefined;
  rowId: (row: Row) => string;
  state: TableState;
  defaultSort: DefaultSort;
  onState: (state: TableState) => void;
  total?: number;
  /** The most that one page of the caller's can hold. */
  mostPerPage?: number;
  /** Where a row leads. */
  hrefOf?: (row: Row) => string | null;
  /** What pressing a row does, where it leads nowhere; null for a row that does nothing. */
  pressOf?: (row: Row) => (() => void) | null;
  /** Why there may be nothing, and what to do next. */
  emptyHint: string;
  /** Rows can be chosen; `nameOf` says which one a box is of. */
  choosing?: { selection: ListSelection; nameOf: (row: Row) => string } | null;
}

const features = tableFeatures({
  rowSortingFeature,
  rowPaginationFeature,
  sortedRowModel: createSortedRowModel(),
  paginatedRowModel: createPaginatedRowModel(),
});

/** Of the column of boxes. */
const BOX_PX = 40;
/** So many rows tell whether a column is worth its room. */
const SAMPLE_ROWS = 50;

/** Texts as people order them. */
function compare(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return String(a).localeCompare(String(b), undefined, { numeric: true, sensitivity: 'base' });
}

function columnDefs<Row extends object>(
  columns: readonly DataColumn<Row>[],
): ColumnDef<typeof features, Row>[] {
  return columns.map((column) => ({
    id: column.id,
    header: column.header,
    accessorFn: (row) => column.sortValue?.(row) ?? undefined,
    sortUndefined: 'last' as const,
    cell: ({ row }) => column.cell(row.original),
    enableSorting: column.sortValue !== undefined || column.isSortable === true,
    sortFn: (a, b, id) => compare(a.getValue(id), b.getValue(id)),
  }));
}

function HeadCell<Row extends object>(props: {
  column: DataColumn<Row>;
  state: TableState;
  isSortable: boolean;
  onPress: () => void;
}) {
  const { column, state, isSortable, onPress } = props;
  const direction = state.isDescending ? 'descending' : 'ascending';
  const sorted = state.sortBy === column.id ? direction : null;
  return (
    <th
      scope="col"
      className={column.align === 'end' ? classes.end : undefined}
      style={column.width === undefined ? undefined : { width: column.width }}
      {...(sorted === null ? {} : { 'aria-sort': sorted })}
    >
      {isSortable ? <SortButton text={column.header} order={sorted} onPress={onPress} /> : column.header}
    </th>
  );
}

interface RowNameProps<Row extends object> {
  row: Row;
  props: Pick<DataTableProps<Row>, 'hrefOf' | 'pressOf'>;
  children: ReactNode;
}

function RowName<Row extends object>({ row, props, children }: RowNameProps<Row>) {
  const href = props.hrefOf?.(row) ?? null;
  if (href !== null) {
    return (
      <AppLink href={href} className={`${rowLink.link} ${classes.rowLink}`} data-row-link="">
        {children}
      </AppLink>
    );
  }
  const press = props.pressOf?.(row) ?? null;
  if (press === null) return children;
  return (
    <button type="button" className={`${rowLink.link} ${classes.rowLink}`} data-row-link="" onClick={press}>
      {children}
    </button>
  );
}

function isEmptyCell<Row extends object>(column: DataColumn<Row>, row: Row): boolean {
  if (column.isEmpty !== undefined) return column.isEmpty(row);
  const text = column.cell(row);
  return column.sortValue?.(row) === null || text === null || text === '' || text === messages.nothing;
}

interface FoldedProps<Row extends object> {
  row: Row;
  columns: readonly DataColumn<Row>[];
}

/** What a row says of itself in the columns that have no room; those that say nothing are left out. */
function FoldedFacts<Row extends object>({ row, columns }: FoldedProps<Row>) {
  const facts = factsOf(columns.filter((column) => !isEmptyCell(column, row)));
  if (facts.length === 0) return null;
  return (
    <span className={classes.facts}>
      {facts.map((column) => (
        <span key={column.id} className={classes.fact} data-fact="">
          {column.isPlain !== true && <span className={classes.factName}>{column.header} </span>}
          <span className={classes.factValue}>{column.cell(row)}</span>
        </span>
      ))}
    </span>
  );
}

/** Columns that say nothing of any row are the first to leave. */
function byWorth<Row extends object>(
  columns: readonly DataColumn<Row>[],
  rows: readonly Row[],
): DataColumn<Row>[] {
  return columns.map((column) =>
    rows.every((row) => isEmptyCell(column, row)) ? { ...column, priority: 4 as const } : column,
  );
}

function cellClass(
  column: { align?: 'end' },
  { isName, isFilling }: Record<'isName' | 'isFilling', boolean>,
) {
  const looks = [isName && classes.name, isFilling && classes.filling, column.align === 'end' && classes.end];
  return looks.filter((look) => typeof look === 'string').join(' ');
}

/** `rows` undefined means that they are on their way; with `total` the caller hands in one page. */
export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const { label, columns, rows, rowId, state, defaultSort, onState, total } = props;
  const isOnePage = total !== undefined;
  const defs = useMemo(() => columnDefs(columns), [columns]);
  const data = useMemo(() => [...(rows ?? [])], [rows]);
  const { ref, width } = useElementSize();
  const choosing = props.choosing ?? null;
  const room = choosing === null ? width : width - BOX_PX;
  const folded = useMemo(
    () => foldedColumns(byWorth(columns, data.slice(0, SAMPLE_ROWS)), room),
    [columns, data, room],
  );
  const shownColumns = columns.filter(({ id }) => !folded.has(id));
  const limits = cellLimits(shownColumns, room);
  const foldedOnes = columns.filter(({ id }) => folded.has(id));
  const filling = shownColumns.find(({ fills }) => fills === true) ?? shownColumns[0];
  const { sortBy, isDescending, pageIndex, pageSize } = state;
  const table = useTable({
    features,
    columns: defs,
    data,
    getRowId: rowId,
    manualSorting: isOnePage,
    manualPagination: isOnePage,
    autoResetPageIndex: false,
    ...(isOnePage ? { rowCount: total } : {}),
    state: {
      sorting: sortBy === null ? [] : [{ id: sortBy, desc: isDescending }],
      pagination: { pageIndex, pageSize },
    },
  });
  const shown = table.getRowModel().rows;
  if (rows === undefined) return <SkeletonRows text={messages.loading} />;
  const count = total ?? rows.length;
  if (count === 0) {
    return (
      <StateNote title={messages.noData} role="status">
        <p>{props.emptyHint}</p>
      </StateNote>
    );
  }
  const { headBox, boxOf, onKey } = choosingParts(choosing, {
    shown: shown.map(({ original }) => original),
    // A range goes over pages.
    order: () => table.getPrePaginatedRowModel().rows.map(({ id }) => id),
    rowId,
  });
  const head = (
    <tr>
      {headBox}
      {shownColumns.map((column) => (
        <HeadCell
          key={column.id}
          column={column}
          state={state}
          isSortable={column.sortValue !== undefined || column.isSortable === true}
          onPress={() => onState(pressedSort(state, column.id, defaultSort))}
        />
      ))}
    </tr>
  );
  const cellsOf = (row: Row) =>
    shownColumns.map((column, at) => (
      <td
        key={column.id}
        className={cellClass(column, { isName: at === 0, isFilling: column === filling })}
        style={column === filling ? undefined : { maxWidth: limits.get(column.id) }}
      >
        {at === 0 ? (
          <RowName row={row} props={props}>
            {column.cell(row)}
          </RowName>
        ) : (
          column.cell(row)
        )}
        {column === filling && <FoldedFacts row={row} columns={foldedOnes} />}
      </td>
    ));
  return (
    <div className={classes.root}>
      <VirtualTable
        label={label}
        tableClass={classes.table ?? ''}
        rowClass={`${rowLink.row} ${classes.row}`}
        scrollerRef={ref}
        scrollerClass={classes.scroller ?? ''}
        count={shown.length}
        keyOf={(index) => shown[index]?.id ?? ''}
        head={head}
        cells={(index) => {
          const row = shown[index]?.original;
          return row === undefined ? null : [boxOf(row), ...cellsOf(row)];
        }}
        onKey={onKey}
      />
      <TablePager
        total={count}
        state={state}
        onState={onState}
        {...(props.mostPerPage === undefined ? {} : { mostPerPage: props.mostPerPage })}
      />
    </div>
  );
}
