/** What waits in the event queue, and what fails there (spec 2 §2 'Event queue'). */
import { useState } from 'react';
import type { QueueRow } from '../../contract/http/server-rows.ts';
import { useTable } from '../../data/queries/use-table.ts';
import { useSession } from '../../data/session/use-session.ts';
import { may } from '../../domain/access/matrix.ts';
import { CopyButton } from '../../ui/feedback/CopyButton.tsx';
import type { DataColumn } from '../../ui/tables/DataTable.tsx';
import { CachedTable } from '../../ui/tables/CachedTable.tsx';
import { messages as ui } from '../../ui/messages.ts';
import { Modal } from '../../ui/overlays/Modal.tsx';
import { TablePage } from '../../ui/tables/TablePage.tsx';
import { useTableState } from '../../ui/tables/use-table-state.ts';
import { FailedEvents } from './FailedEvents.tsx';
import { messages } from './messages.ts';
import classes from './settings.module.css';
import { LAST_FAILED_FIRST } from './event-queue-order.ts';
import { timeColumn } from './time-column.tsx';

const words = messages.queue;

const number = (value: number | null | undefined) => (value === null || value === undefined ? null : value);
const counted = (id: 'pending' | 'failed' | 'average_attempts', header: string): DataColumn<QueueRow> => ({
  id,
  header,
  align: 'end',
  sortValue: (row) => number(row[id]),
  cell: (row) => number(row[id]) ?? ui.nothing,
});

const COLUMNS: readonly DataColumn<QueueRow>[] = [
  { id: 'name', header: words.columns.name, sortValue: ({ name }) => name, cell: ({ name }) => name },
  counted('pending', words.columns.pending),
  counted('failed', words.columns.failed),
  counted('average_attempts', words.columns.attempts),
  timeColumn('first_failure', words.columns.firstFailure),
  timeColumn('last_failure', words.columns.lastFailure),
];

/** From the server, cached. */
export function EventQueuePage() {
  const { kept, error } = useTable({ view: 'event_queue_summary' });
  const { state, setState } = useTableState('event-queue', LAST_FAILED_FIRST);
  const [shown, setShown] = useState<QueueRow | null>(null);
  const problem = shown?.most_common_error ?? '';
  const session = useSession();
  const mayRetry = session.kind === 'signed-in' && may(session.user.roles, 'properties', 'write');
  return (
    <TablePage title={words.title}>
      <CachedTable
        label={words.title}
        columns={COLUMNS}
        rows={kept?.value.rows}
        rowId={({ name }) => name}
        state={state}
        defaultSort={LAST_FAILED_FIRST}
        onState={setState}
        pressOf={(row) => ((row.most_common_error ?? '') === '' ? null : () => setShown(row))}
        kept={kept}
        problem={error === null ? null : messages.errorText(error)}
        failedTitle={words.failed}
        emptyHint={words.emptyHint}
      />
      {shown !== null && (
        <Modal title={words.mostCommon} onClose={() => setShown(null)}>
          <p>{shown.name}</p>
          <div className={classes.panel}>
            <pre className={classes.pre} tabIndex={0}>
              {problem}
            </pre>
            <CopyButton text={problem} />
          </div>
          <FailedEvents queue={shown.name} mayRetry={mayRetry} />
        </Modal>
      )}
    </TablePage>
  );
}
