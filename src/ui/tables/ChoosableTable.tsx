/**
 * A table of settings of which many can be chosen, with the bar that does something to them under it. A row that is paused
 * says so, and so does one for which something waits in the outbox.
 */
import { useMemo, type ReactNode } from 'react';
import type { BulkKind } from '../../domain/bulk/bulk-verbs.ts';
import { Tag } from '../marks/Tag.tsx';
import { messages } from '../messages.ts';
import { usePendingVerbs, type ChosenThing, type PendingVerb } from '../page/Bulk.tsx';
import { PendingVerbMark } from '../marks/PendingVerbMark.tsx';
import classes from './CachedTable.module.css';
import { CachedTable } from './CachedTable.tsx';
import type { DataColumn } from './DataTable.tsx';
import { useChoosing } from './choosing/use-choosing.tsx';

interface Named {
  id: string;
  name?: string | null | undefined;
}

type ChoosableTableProps<Row extends Named> = Parameters<typeof CachedTable<Row>>[0] & {
  /** Whose rows these are; null where rows can't be chosen. */
  kind: BulkKind | null;
  /** What a row is called, where not by its name; the same function from one time to the next, as the next one. */
  nameOf?: (row: Row) => string;
  /** What else of a row is needed to change it. */
  factsOf?: (row: Row) => Omit<ChosenThing, 'id' | 'name'>;
  /** Of a table that shows pages: all that match, on this page or not; null when they can't be told now. */
  findAll?: () => Promise<readonly ChosenThing[] | null>;
};

const ownName = ({ id, name }: Named) => name ?? id;
const isPaused = (row: object) => 'is_paused' in row && row.is_paused === true;

function Marked({
  row,
  pending,
  children,
}: {
  row: object;
  pending: PendingVerb | undefined;
  children: ReactNode;
}) {
  if (pending === undefined && !isPaused(row)) return children;
  return (
    <span className={classes.marked}>
      {children}
      {isPaused(row) && <Tag value={messages.paused} />}
      {pending !== undefined && <PendingVerbMark pending={pending} />}
    </span>
  );
}

/** The first column says what is so of the whole row. */
function withMarks<Row extends Named>(
  columns: readonly DataColumn<Row>[],
  pending: ReadonlyMap<string, PendingVerb>,
): DataColumn<Row>[] {
  return columns.map((column, at) =>
    at > 0
      ? column
      : {
          ...column,
          cell: (row) => (
            <Marked row={row} pending={pending.get(row.id)}>
              {column.cell(row)}
            </Marked>
          ),
        },
  );
}

/** See the head of this file. */
export function ChoosableTable<Row extends Named>({
  kind,
  nameOf = ownName,
  factsOf,
  findAll,
  ...table
}: ChoosableTableProps<Row>) {
  const { rows, columns, total } = table;
  const pending = usePendingVerbs(kind);
  const { choosing, bar } = useChoosing<Row>({
    kind,
    rows,
    nameOf,
    ...(factsOf === undefined ? {} : { factsOf }),
    isPage: total !== undefined,
    ...(total === undefined || findAll === undefined ? {} : { all: { count: total, find: findAll } }),
  });
  const marked = useMemo(() => withMarks(columns, pending), [columns, pending]);
  return (
    <>
      <CachedTable {...table} columns={marked} choosing={choosing} />
      {bar}
    </>
  );
}
