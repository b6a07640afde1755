/**
 * A table of settings of which many can be chosen, with the bar that does something to them under it. A row that is paused
 * says so, and so does one for which something waits in the outbox.
 */
import { useMemo, type ReactNode } from 'react';
import type { ThingTable } from '../../domain/bulk/things.ts';
import { PendingMark } from '../marks/PendingMark.tsx';
import { Tag } from '../marks/Tag.tsx';
import { messages } from '../messages.ts';
import { usePendingVerbs, type PendingVerb } from '../page/Bulk.tsx';
import classes from './CachedTable.module.css';
import { CachedTable } from './CachedTable.tsx';
import type { DataColumn } from './DataTable.tsx';
import { useChoosing } from './use-choosing.tsx';

interface Named {
  id: string;
  name?: string | null | undefined;
}

type ChoosableTableProps<Row extends Named> = Parameters<typeof CachedTable<Row>>[0] & {
  /** Whose rows these are; null where rows can't be chosen. */
  kind: ThingTable | null;
};

const nameOf = ({ id, name }: Named) => name ?? id;
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
      {pending !== undefined && (
        <span className={classes.pending}>
          <PendingMark state={pending.state} />
          {messages.pendingVerbs[pending.verb]}
        </span>
      )}
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
export function ChoosableTable<Row extends Named>({ kind, ...table }: ChoosableTableProps<Row>) {
  const { rows, columns } = table;
  const pending = usePendingVerbs(kind);
  const { choosing, bar } = useChoosing<Row>({ kind, rows, nameOf, isPage: table.total !== undefined });
  const marked = useMemo(() => withMarks(columns, pending), [columns, pending]);
  return (
    <>
      <CachedTable {...table} columns={marked} choosing={choosing} />
      {bar}
    </>
  );
}
