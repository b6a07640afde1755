/** Walls: the paired screens with their last contact, and the boards that they show. */
import { IconDeviceTv, IconPencil, IconTrash } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import type { Board, Wall } from '../../../contract/http/walls.ts';
import { useReachable } from '../../../data/device/use-reachable.ts';
import { useTable } from '../../../data/queries/use-table.ts';
import { useAdminister } from '../../../data/session/use-administer.ts';
import { may } from '../../../domain/access/matrix.ts';
import { Button, IconButton } from '../../../ui/actions/Button.tsx';
import { useToasts } from '../../../ui/feedback/Toasts.tsx';
import { Age } from '../../../ui/marks/Age.tsx';
import { messages as ui } from '../../../ui/messages.ts';
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx';
import { useSearchState } from '../../../ui/search/use-search-state.ts';
import { ChoosableTable } from '../../../ui/tables/ChoosableTable.tsx';
import type { DataColumn } from '../../../ui/tables/DataTable.tsx';
import { TablePage } from '../../../ui/tables/TablePage.tsx';
import { useTableState } from '../../../ui/tables/use-table-state.ts';
import { messages } from '../messages.ts';
import { wallsSearch } from '../search-schemas.ts';
import { BoardList } from './BoardList.tsx';
import { PairForm } from './PairForm.tsx';
import { WallForm } from './WallForm.tsx';

const words = messages.walls;
const NO_BOARDS: readonly Board[] = [];
const DEFAULT_SORT = { sortBy: 'name', isDescending: false };

const COLUMNS: readonly DataColumn<Wall>[] = [
  { id: 'name', header: words.columns.name, sortValue: ({ name }) => name, cell: ({ name }) => name },
  {
    id: 'last_contact',
    header: words.columns.contact,
    sortValue: (row) => row.last_contact,
    cell: (row) => <Age at={row.last_contact} />,
  },
  {
    id: 'paired_at',
    header: words.columns.pairedAt,
    sortValue: (row) => row.paired_at,
    cell: (row) => <Age at={row.paired_at} />,
  },
  {
    id: 'paired_by',
    header: words.columns.pairedBy,
    isPlain: true,
    sortValue: (row) => row.paired_by_name,
    cell: (row) => row.paired_by_name ?? ui.nothing,
  },
];

function RevokeWall({ wall, onClose }: { wall: Wall; onClose: () => void }) {
  const { isBusy, run } = useAdminister();
  const toasts = useToasts();
  const [problem, setProblem] = useState<string | null>(null);
  const revoke = async () => {
    const answer = await run({ name: 'revoke_wall', id: wall.id });
    if (!answer.ok) return setProblem(messages.errorText(answer.error));
    toasts.success(words.revoked);
    onClose();
  };
  return (
    <ConfirmDialog
      title={words.revokeTitle}
      question={words.revokeQuestion(wall.name)}
      confirm={words.revokeConfirm}
      isBusy={isBusy}
      problem={problem}
      onConfirm={() => void revoke()}
      onClose={onClose}
    />
  );
}

type Dialog = { kind: 'revoke' | 'change'; wall: Wall };

/** The buttons of each row. */
function actionsColumn(
  onOpen: (dialog: Dialog) => void,
  may: { mayPair: boolean; isBlocked: boolean },
): DataColumn<Wall> {
  return {
    id: 'actions',
    priority: 1,
    header: words.columns.actions,
    align: 'end',
    cell: (wall) => (
      <>
        <IconButton
          label={words.edit(wall.name)}
          disabled={may.isBlocked}
          onClick={() => onOpen({ kind: 'change', wall })}
        >
          <IconPencil size={16} />
        </IconButton>
        {may.mayPair && (
          <IconButton
            label={words.revoke(wall.name)}
            disabled={may.isBlocked}
            onClick={() => onOpen({ kind: 'revoke', wall })}
          >
            <IconTrash size={16} />
          </IconButton>
        )}
      </>
    ),
  };
}

function Dialogs({
  dialog,
  boards,
  onClose,
}: {
  dialog: Dialog;
  boards: readonly Board[];
  onClose: () => void;
}) {
  const toasts = useToasts();
  const done = () => {
    toasts.success(words.changed);
    onClose();
  };
  if (dialog.kind === 'revoke') return <RevokeWall wall={dialog.wall} onClose={onClose} />;
  return <WallForm wall={dialog.wall} boards={boards} onDone={done} onClose={onClose} />;
}

function PairButton({ isReachable, onPress }: { isReachable: boolean; onPress: () => void }) {
  return (
    <Button
      look="primary"
      disabled={!isReachable}
      title={isReachable ? undefined : ui.needsServer}
      onClick={onPress}
    >
      <IconDeviceTv size={16} aria-hidden />
      {words.pair}
    </Button>
  );
}

/** Pairing and revoking need the server and the right to make accounts. */
export function WallsPage({ reader }: { reader: { roles: readonly string[] } }) {
  const mayPair = may(reader.roles, 'identities', 'write');
  const mayWrite = may(reader.roles, 'canaries', 'write');
  const isReachable = useReachable();
  const toasts = useToasts();
  const [{ pair }, setSearch] = useSearchState(wallsSearch);
  const { kept, error } = useTable({ view: 'walls' });
  const boards = useTable({ view: 'wall_boards' }).kept?.value.rows ?? null;
  const { state, setState } = useTableState('walls', DEFAULT_SORT);
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const [isTyping, setIsTyping] = useState(false);
  const columns = useMemo(
    () => (mayWrite ? [...COLUMNS, actionsColumn(setDialog, { mayPair, isBlocked: !isReachable })] : COLUMNS),
    [mayPair, mayWrite, isReachable],
  );
  const closePairing = () => {
    setIsTyping(false);
    setSearch({ pair: undefined });
  };
  const paired = (name: string) => {
    toasts.success(words.paired(name));
    closePairing();
  };
  const rows = kept?.value.rows;
  return (
    <TablePage
      title={words.title}
      lead={rows === undefined ? '' : words.total(rows.length)}
      actions={mayPair && <PairButton isReachable={isReachable} onPress={() => setIsTyping(true)} />}
      toolbar={<BoardList boards={boards} mayWrite={mayWrite} isReachable={isReachable} />}
    >
      <ChoosableTable
        kind="walls"
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
      {mayPair && (isTyping || pair !== undefined) && (
        <PairForm code={pair ?? ''} onDone={paired} onClose={closePairing} />
      )}
      {dialog !== null && (
        <Dialogs dialog={dialog} boards={boards ?? NO_BOARDS} onClose={() => setDialog(null)} />
      )}
    </TablePage>
  );
}
