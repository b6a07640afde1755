/** Shared tablets: which there are, sharing this device, revoking one (docs/tablet.md). */
import { IconDeviceTablet, IconTrash } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import type { SharedTablet } from '../../../contract/http/tablets.ts';
import { tabletHere } from '../../../data/device/platform-tablet.ts';
import { useReachable } from '../../../data/device/use-reachable.ts';
import { useTable } from '../../../data/queries/use-table.ts';
import { useAdminister } from '../../../data/session/use-administer.ts';
import { may } from '../../../domain/access/matrix.ts';
import { Button, IconButton } from '../../../ui/actions/Button.tsx';
import { useToasts } from '../../../ui/feedback/Toasts.tsx';
import { Age } from '../../../ui/marks/Age.tsx';
import { messages as ui } from '../../../ui/messages.ts';
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx';
import { ChoosableTable } from '../../../ui/tables/ChoosableTable.tsx';
import type { DataColumn } from '../../../ui/tables/DataTable.tsx';
import { TablePage } from '../../../ui/tables/TablePage.tsx';
import { useTableState } from '../../../ui/tables/use-table-state.ts';
import { messages } from '../messages.ts';
import { ShareForm } from './ShareForm.tsx';

const words = messages.tablets;
const DEFAULT_SORT = { sortBy: 'name', isDescending: false };

const COLUMNS: readonly DataColumn<SharedTablet>[] = [
  { id: 'name', header: words.columns.name, sortValue: ({ name }) => name, cell: ({ name }) => name },
  {
    id: 'sessions',
    header: words.columns.sessions,
    sortValue: (row) => row.sessions,
    cell: (row) => row.sessions,
  },
  {
    id: 'last_contact_at',
    header: words.columns.contact,
    sortValue: (row) => row.last_contact_at,
    cell: (row) => <Age at={row.last_contact_at} />,
  },
  {
    id: 'made_at',
    header: words.columns.madeAt,
    sortValue: (row) => row.made_at,
    cell: (row) => <Age at={row.made_at} />,
  },
  {
    id: 'made_by',
    header: words.columns.madeBy,
    isPlain: true,
    sortValue: (row) => row.made_by_name,
    cell: (row) => row.made_by_name ?? ui.nothing,
  },
];

function Revoke({ tablet, onClose }: { tablet: SharedTablet; onClose: () => void }) {
  const { isBusy, run } = useAdminister();
  const toasts = useToasts();
  const [problem, setProblem] = useState<string | null>(null);
  const revoke = async () => {
    const answer = await run({ name: 'revoke_tablet', id: tablet.id });
    if (!answer.ok) return setProblem(messages.errorText(answer.error));
    toasts.success(words.revoked);
    onClose();
  };
  return (
    <ConfirmDialog
      title={words.revokeTitle}
      question={words.revokeQuestion(tablet.name)}
      confirm={words.revokeConfirm}
      isBusy={isBusy}
      problem={problem}
      onConfirm={() => void revoke()}
      onClose={onClose}
    />
  );
}

/** The button of each row. */
function actionsColumn(
  onRevoke: (tablet: SharedTablet) => void,
  isBlocked: boolean,
): DataColumn<SharedTablet> {
  return {
    id: 'actions',
    priority: 1,
    header: words.columns.actions,
    align: 'end',
    cell: (tablet) => (
      <IconButton label={words.revoke(tablet.name)} disabled={isBlocked} onClick={() => onRevoke(tablet)}>
        <IconTrash size={16} />
      </IconButton>
    ),
  };
}

/** Sharing and revoking need the server and the right to make accounts. */
export function TabletsPage({ reader }: { reader: { roles: readonly string[] } }) {
  const mayShare = may(reader.roles, 'identities', 'write');
  const isReachable = useReachable();
  const { kept, error } = useTable({ view: 'tablets' });
  const { state, setState } = useTableState('tablets', DEFAULT_SORT);
  const [revoked, setRevoked] = useState<SharedTablet | null>(null);
  const [isSharing, setIsSharing] = useState(false);
  const here = tabletHere();
  const columns = useMemo(
    () => (mayShare ? [...COLUMNS, actionsColumn(setRevoked, !isReachable)] : COLUMNS),
    [mayShare, isReachable],
  );
  const rows = kept?.value.rows;
  return (
    <TablePage
      title={words.title}
      lead={rows === undefined ? '' : words.total(rows.length)}
      actions={
        mayShare &&
        here === null && (
          <Button
            look="primary"
            disabled={!isReachable}
            title={isReachable ? undefined : ui.needsServer}
            onClick={() => setIsSharing(true)}
          >
            <IconDeviceTablet size={16} aria-hidden />
            {words.share}
          </Button>
        )
      }
      toolbar={here !== null && <p>{words.here(here)}</p>}
    >
      <ChoosableTable
        kind="tablets"
        label={words.table}
        columns={columns}
        rows={rows}
        rowId={({ id }) => id}
        state={state}
        defaultSort={DEFAULT_SORT}
        onState={setState}
        kept={kept}
        problem={error === null ? null : messages.errorText(error)}
        failedTitle={words.failed}
        emptyHint={words.emptyHint}
      />
      {isSharing && <ShareForm onClose={() => setIsSharing(false)} />}
      {revoked !== null && <Revoke tablet={revoked} onClose={() => setRevoked(null)} />}
    </TablePage>
  );
}
