import { DataTable, type DataTableProps } from './DataTable.tsx';
import { KeptNote } from './KeptNote.tsx';
import classes from './KeptTable.module.css';
import { StateNote } from './StateNote.tsx';

interface KeptTableProps<Row extends object> extends DataTableProps<Row> {
  /** Where the rows come from; null until there are any. */
  kept: { asOfMs: number; source: 'server' | 'device'; isPartial: boolean } | null;
  /** Why there are no rows. */
  problem: string | null;
  failedTitle: string;
}

/** A table of what the server said, with how old it is, or why there is nothing to show. */
export function KeptTable<Row extends object>(props: KeptTableProps<Row>) {
  const { kept, problem, failedTitle, ...table } = props;
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
          <KeptNote {...kept} />
        </div>
      )}
      <DataTable {...table} />
    </>
  );
}
