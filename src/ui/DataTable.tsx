/**
 * The table of the product: columns that sort, pages, and only the rows on screen in the page, whatever their
 * number. It owns how a table looks and behaves; order and page are its caller's, in the query string.
 * With `total` the rows are one page of the server's; without it they are all, and are ordered and paged here.
 * On a hand-held screen each row becomes a card under its name.
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
import type { ReactNode } from 'react';
import { useMemo } from 'react';
import { TableVirtuoso, type ItemProps } from 'react-virtuoso';
import { AppLink } from './AppLink.tsx';
import classes from './DataTable.module.css';
import { messages } from './messages.ts';
import { moveBetweenRows } from './move-between-rows.ts';
import rowLink from './row-link.module.css';
import { SkeletonRows } from './Skeleton.tsx';
import { SortButton } from './SortButton.tsx';
import { TablePager } from './TablePager.tsx';
import { pressedSort, type DefaultSort, type TableState } from './table-state.ts';

export interface DataColumn<Row extends object> {
  /** Also the `sortBy` of the query string. */
  id: string;
  header: string;
  cell: (row: Row) => ReactNode;
  /** What the table orders by when it has all rows; a column without it, and without `isSortable`, doesn't sort. */
  sortValue?: (row: Row) => string | number | null;
  /** The server orders by it. */
  isSortable?: boolean;
  /** CSS width; the name's column takes what is left. */
  width?: string;
  align?: 'end';
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
  /** Where a row leads. */
  hrefOf?: (row: Row) => string | null;
  /** What pressing a row does, where it leads nowhere; null for a row that does nothing. */
  pressOf?: (row: Row) => (() => void) | null;
  emptyText?: string;
}

const features = tableFeatures({
  rowSortingFeature,
  rowPaginationFeature,
  sortedRowModel: createSortedRowModel(),
  paginatedRowModel: createPaginatedRowModel(),
});

/** Spec 1 §9: a row is taken for 35 px until it is measured, and ten are kept ready beyond each edge. */
const ROW_ESTIMATE_PX = 35;
const OVERSCAN_PX = 10 * ROW_ESTIMATE_PX;

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

interface Context {
  label: string;
}

const PARTS = {
  Table: ({ context, ...props }: React.ComponentProps<'table'> & { context: Context }) => (
    <table {...props} aria-label={context.label} className={classes.table} />
  ),
  TableRow: ({ item: _item, context: _context, ...props }: ItemProps<unknown> & { context: Context }) => (
    <tr {...props} className={`${rowLink.row} ${classes.row}`} />
  ),
};

export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const { label, columns, rows, rowId, state, defaultSort, onState, total } = props;
  const isOnePage = total !== undefined;
  const defs = useMemo(() => columnDefs(columns), [columns]);
  const data = useMemo(() => [...(rows ?? [])], [rows]);
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
  if (rows === undefined) return <SkeletonRows text={messages.loading} />;
  const shown = table.getRowModel().rows;
  const count = total ?? rows.length;
  if (count === 0) {
    return (
      <p className={classes.empty} role="status">
        {props.emptyText ?? messages.noData}
      </p>
    );
  }
  return (
    <div className={classes.root}>
      <div className={classes.scroller} onKeyDown={moveBetweenRows}>
        <TableVirtuoso
          tabIndex={-1}
          context={{ label }}
          data={shown}
          defaultItemHeight={ROW_ESTIMATE_PX}
          increaseViewportBy={OVERSCAN_PX}
          initialItemCount={Math.min(shown.length, 20)}
          computeItemKey={(_, row) => row.id}
          components={PARTS}
          fixedHeaderContent={() => (
            <tr>
              {columns.map((column) => (
                <HeadCell
                  key={column.id}
                  column={column}
                  state={state}
                  isSortable={column.sortValue !== undefined || column.isSortable === true}
                  onPress={() => onState(pressedSort(state, column.id, defaultSort))}
                />
              ))}
            </tr>
          )}
          itemContent={(_, row) =>
            columns.map((column, at) => (
              <td
                key={column.id}
                data-label={column.header}
                className={`${at === 0 ? classes.name : ''} ${column.align === 'end' ? classes.end : ''}`}
              >
                {at === 0 ? (
                  <RowName row={row.original} props={props}>
                    {column.cell(row.original)}
                  </RowName>
                ) : (
                  column.cell(row.original)
                )}
              </td>
            ))
          }
        />
      </div>
      <TablePager total={count} state={state} onState={onState} />
    </div>
  );
}
