/** Connections (spec 2 §2): how checks, scrapers and notifications reach other systems. Secrets stay on the server. */
import { IconPlus } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import type { SettingsRow } from '../../../contract/http/table-views.ts';
import { useReachable } from '../../../data/device/use-reachable.ts';
import { useTable } from '../../../data/queries/use-table.ts';
import { may } from '../../../domain/access/matrix.ts';
import type { ConnectionType } from '../../../domain/settings/connection-fields.ts';
import { carriedValues, type ConnectionValues } from '../../../domain/settings/connection-row.ts';
import { CONNECTION_TYPES, connectionType } from '../../../domain/settings/connection-types.ts';
import { Button } from '../../../ui/actions/Button.tsx';
import type { DataColumn } from '../../../ui/tables/DataTable.tsx';
import { ChoosableTable } from '../../../ui/tables/ChoosableTable.tsx';
import { messages as ui } from '../../../ui/messages.ts';
import { Modal } from '../../../ui/overlays/Modal.tsx';
import { SearchBox } from '../../../ui/fields/SearchBox.tsx';
import { SkeletonRows } from '../../../ui/feedback/Skeleton.tsx';
import { TablePage } from '../../../ui/tables/TablePage.tsx';
import { useTableState } from '../../../ui/tables/use-table-state.ts';
import { CreatorCell } from '../CreatorCell.tsx';
import classes from '../settings.module.css';
import { ConnectionForm } from './ConnectionForm.tsx';
import { messages } from './messages.ts';
import { timeColumn } from '../time-column.tsx';

const words = messages.columns;
const NEWEST_FIRST = { sortBy: 'created_at', isDescending: true };
const titleOf = (type: unknown) =>
  typeof type === 'string' ? (connectionType(type)?.title ?? type) : ui.nothing;

const COLUMNS: readonly DataColumn<SettingsRow>[] = [
  {
    id: 'name',
    header: words.name,
    sortValue: ({ name }) => name ?? null,
    cell: ({ name, id }) => name ?? id,
  },
  {
    id: 'namespace',
    header: words.namespace,
    isPlain: true,
    sortValue: ({ namespace }) => namespace ?? null,
    cell: ({ namespace }) => namespace ?? ui.nothing,
  },
  {
    id: 'type',
    header: words.type,
    isPlain: true,
    sortValue: (row) => titleOf(row['type']),
    cell: (row) => titleOf(row['type']),
  },
  { id: 'created_by', header: words.createdBy, cell: (row) => <CreatorCell row={row} /> },
  timeColumn('created_at', words.createdAt),
  timeColumn('updated_at', words.updatedAt),
];

function TypeChoice({ onPick }: { onPick: (type: ConnectionType) => void }) {
  const [search, setSearch] = useState('');
  const found = CONNECTION_TYPES.filter(
    ({ title, isHidden }) => isHidden !== true && title.toLowerCase().includes(search.toLowerCase()),
  );
  return (
    <>
      <SearchBox
        label={messages.searchTypes}
        placeholder={messages.searchTypes}
        clearLabel={messages.clearSearch}
        seed=""
        seedId={0}
        onChange={setSearch}
      />
      <div className={classes.types}>
        {found.map((type) => (
          <Button key={type.type} onClick={() => onPick(type)}>
            {type.title}
          </Button>
        ))}
      </div>
    </>
  );
}

function NewConnection({ userId, onClose }: { userId: string; onClose: () => void }) {
  const [type, setType] = useState<ConnectionType | null>(null);
  // Of the forms that were left for another type.
  const [typed, setTyped] = useState<readonly { type: ConnectionType; values: ConnectionValues }[]>([]);
  const title = type === null ? messages.chooseType : messages.addTitle(type.title);
  return (
    <Modal title={title} size="small" onClose={onClose}>
      {type === null ? (
        <TypeChoice onPick={setType} />
      ) : (
        <ConnectionForm
          type={type}
          row={null}
          userId={userId}
          start={carriedValues(type, typed)}
          onCancel={(values) => {
            setTyped([...typed, { type, values }]);
            setType(null);
          }}
          onDone={onClose}
        />
      )}
    </Modal>
  );
}

/** The connection as the server has it now, its secrets masked: what a form needs of it is never kept here. */
function useConnection(id: string) {
  const where = [{ op: 'eq' as const, column: 'id', value: id }];
  const open = useTable({ view: 'connection', where, limit: 1 });
  const masked = useTable({ view: 'connection_secrets', where, limit: 1 });
  const [facts, secrets] = [open.kept?.value.rows[0], masked.kept?.value.rows[0]];
  const row = facts === undefined || secrets === undefined ? undefined : { ...secrets, ...facts };
  const error = open.error ?? masked.error;
  return { row, error, isLoading: row === undefined && error === null };
}

function EditConnection({ id, userId, onClose }: { id: string; userId: string; onClose: () => void }) {
  const { row, error, isLoading } = useConnection(id);
  const name = typeof row?.['type'] === 'string' ? row['type'] : '';
  const type = connectionType(name);
  return (
    <Modal title={messages.editTitle(row?.name ?? '')} size="small" onClose={onClose}>
      {isLoading && <SkeletonRows text={messages.loading} />}
      {error !== null && <p role="alert">{messages.errorText(error)}</p>}
      {row !== undefined && type === undefined && <p>{messages.unknownType(name)}</p>}
      {row !== undefined && type !== undefined && (
        <ConnectionForm type={type} row={row} userId={userId} onCancel={onClose} onDone={onClose} />
      )}
    </Modal>
  );
}

interface ConnectionsPageProps {
  reader: { id: string; roles: readonly string[] };
}

/** Changes need the server and the right to write connections. */
export function ConnectionsPage({ reader }: ConnectionsPageProps) {
  const canWrite = may(reader.roles, 'connections', 'write');
  const isReachable = useReachable();
  const { kept, error } = useTable({
    view: 'connections',
    order: [{ column: NEWEST_FIRST.sortBy, isDescending: true }],
  });
  const { state, setState } = useTableState('connections', NEWEST_FIRST);
  const [open, setOpen] = useState<{ id: string | null } | null>(null);
  const rows = useMemo(() => kept?.value.rows, [kept]);
  const close = () => setOpen(null);
  return (
    <TablePage
      title={messages.title}
      lead={kept === null ? '' : messages.total(kept.value.total)}
      actions={
        canWrite && (
          <Button
            look="primary"
            disabled={!isReachable}
            title={isReachable ? undefined : ui.needsServer}
            onClick={() => setOpen({ id: null })}
          >
            <IconPlus size={16} aria-hidden />
            {messages.add}
          </Button>
        )
      }
    >
      <ChoosableTable
        kind="connections"
        label={messages.title}
        columns={COLUMNS}
        rows={rows}
        rowId={({ id }) => id}
        state={state}
        defaultSort={NEWEST_FIRST}
        onState={setState}
        pressOf={({ id }) => (canWrite ? () => setOpen({ id }) : null)}
        kept={kept}
        problem={error === null ? null : messages.errorText(error)}
        failedTitle={messages.failed}
        emptyHint={messages.emptyHint}
      />
      {open?.id === null && <NewConnection userId={reader.id} onClose={close} />}
      {open !== null && open.id !== null && (
        <EditConnection id={open.id} userId={reader.id} onClose={close} />
      )}
    </TablePage>
  );
}
