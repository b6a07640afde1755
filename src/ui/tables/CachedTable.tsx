import { DataTable, type DataTableProps } from './DataTable.tsx';
import { CacheNote } from '../feedback/CacheNote.tsx';
import classes from './CachedTable.module.css';
import { messages } from '../messages.ts';
import { StateNote } from '../feedback/StateNote.tsx';

interface CachedTableProps<Row extends object> extends DataTableProps<Row> {
  /** Where the rows come from; null until there are any. */
  kept: {
    asOfMs: number;
    source: 'server' | 'device';
    isPartial: boolean;
    value: { rows: readonly unknown[]; total: number };
  } | null;
  /** Why there are no rows. */
  problem: string | null;
  failedTitle: string;
}

/** A table of what the server said, with how old it is, or why there is nothing to show. */
export function CachedTable<Row extends object>(props: CachedTableProps<Row>) {
  const { kept, problem, failedTitle, ...table } = props;
  // The server answers with so many at most; a table that pages through them all asks for each page.
  const { rows, total } = kept?.value ?? { rows: [], total: 0 };
  const isCut = props.total === undefined && kept?.source === 'server' && rows.length < total;
  if (kept === null && problem !== null) {
    return (
      <StateNote title={failedTitle} role="alert">
        <p>{problem}</p>
      </StateNote>
    );
  }
  return (
    <>
      {kept !== null && (
        <div className={classes.note}>
          <CacheNote {...kept} />
          {isCut && (
            <p role="note" className={classes.cut}>
              {messages.firstOf(rows.length, total)}
            </p>
          )}
        </div>
      )}
      <DataTable {...table} />
    </>
  );
}
