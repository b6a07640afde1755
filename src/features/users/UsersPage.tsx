/** Users administration (spec 3 §2): who may sign in, with which role. */
import { IconPencil, IconTrash, IconUserPlus } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useAdminister } from '../../data/session/use-administer.ts';
import { useReachable } from '../../data/device/use-reachable.ts';
import { useTable } from '../../data/queries/use-table.ts';
import { displayedRole } from '../../domain/access/displayed-role.ts';
import { may } from '../../domain/access/matrix.ts';
import { Age } from '../../ui/marks/Age.tsx';
import { Button, IconButton } from '../../ui/actions/Button.tsx';
import { ConfirmDialog } from '../../ui/overlays/ConfirmDialog.tsx';
import { CopyButton } from '../../ui/feedback/CopyButton.tsx';
import { DataTable, type DataColumn } from '../../ui/tables/DataTable.tsx';
import { CacheNote } from '../../ui/feedback/CacheNote.tsx';
import { TablePage } from '../../ui/tables/TablePage.tsx';
import { messages as ui } from '../../ui/messages.ts';
import { Modal } from '../../ui/overlays/Modal.tsx';
import { StateNote } from '../../ui/feedback/StateNote.tsx';
import { Tag } from '../../ui/marks/Tag.tsx';
import { useToasts } from '../../ui/feedback/Toasts.tsx';
import type { ChosenThing } from '../../ui/page/Bulk.tsx';
import { useChoosing } from '../../ui/tables/choosing/use-choosing.tsx';
import { useTableState } from '../../ui/tables/use-table-state.ts';
import { PersonName } from '../../ui/marks/Avatar.tsx';
import { messages } from './messages.ts';
import { UserForm } from './UserForm.tsx';
import { stateOf, userOf, type User } from './user-schema.ts';
import classes from './users.module.css';

const words = messages.columns;
const DEFAULT_SORT = { sortBy: 'name', isDescending: false };

const COLUMNS: readonly DataColumn<User>[] = [
  {
    id: 'name',
    header: words.name,
    sortValue: ({ name }) => name,
    cell: ({ name }) => <PersonName name={name} />,
  },
  {
    id: 'email',
    header: words.email,
    width: '220px',
    isPlain: true,
    sortValue: ({ email }) => email,
    cell: ({ email }) => email,
  },
  {
    id: 'roles',
    header: words.roles,
    isPlain: true,
    sortValue: ({ roles }) => displayedRole(roles),
    cell: ({ roles }) => displayedRole(roles) ?? messages.noRole,
  },
  {
    id: 'state',
    header: words.state,
    isPlain: true,
    sortValue: (user) => messages.states[stateOf(user)],
    cell: (user) => <Tag value={messages.states[stateOf(user)]} />,
  },
  {
    id: 'created_at',
    header: words.createdAt,
    sortValue: ({ createdAt }) => createdAt,
    cell: ({ createdAt }) => <Age at={createdAt} />,
  },
];

function useUsers() {
  const identities = useTable({ view: 'identities' });
  const roles = useTable({ view: 'people_roles' });
  const logins = useTable({ view: 'last_logins' });
  const users = useMemo(() => {
    const byId = new Map(roles.kept?.value.rows.map((row) => [row.id, row.roles ?? []]));
    const known = new Map(logins.kept?.value.rows.map((row) => [row.id, (row.last_login ?? null) !== null]));
    // What has no address is a wall, which has a page of its own.
    const accounts = identities.kept?.value.rows.filter(({ traits }) => (traits.email ?? '') !== '');
    return accounts?.map((row) =>
      userOf(row, { roles: byId.get(row.id) ?? [], hasSignedIn: known.get(row.id) ?? null }),
    );
  }, [identities, roles, logins]);
  return { users, kept: identities.kept, error: identities.error };
}

function Invitation({ link, onClose }: { link: string; onClose: () => void }) {
  return (
    <Modal title={messages.invited.title} size="very-small" onClose={onClose}>
      <p>{messages.invited.hint}</p>
      <p className={classes.link}>
        <code aria-label={messages.invited.link}>{link}</code>
      </p>
      <div className={classes.linkActions}>
        <CopyButton text={link} label={messages.invited.copy} />
        <Button look="primary" onClick={onClose}>
          {messages.invited.done}
        </Button>
      </div>
    </Modal>
  );
}

function DeleteUser({ user, onClose }: { user: User; onClose: () => void }) {
  const { isBusy, run } = useAdminister();
  const toasts = useToasts();
  const [problem, setProblem] = useState<string | null>(null);
  const remove = async () => {
    const answer = await run({ name: 'delete_user', id: user.id });
    if (!answer.ok) return setProblem(messages.errorText(answer.error));
    toasts.success(messages.deleted);
    onClose();
  };
  return (
    <ConfirmDialog
      title={messages.deletion.title}
      question={`${messages.deletion.question} (${user.name})`}
      confirm={messages.deletion.confirm}
      isBusy={isBusy}
      problem={problem}
      onConfirm={() => void remove()}
      onClose={onClose}
    />
  );
}

function actionsColumn(onOpen: (dialog: Dialog) => void, isBlocked: boolean): DataColumn<User> {
  const button = (user: User, kind: 'edit' | 'delete') => (
    <IconButton
      label={kind === 'edit' ? messages.edit(user.name) : messages.remove(user.name)}
      disabled={isBlocked}
      onClick={() => onOpen({ kind, id: user.id })}
    >
      {kind === 'edit' ? <IconPencil size={16} /> : <IconTrash size={16} />}
    </IconButton>
  );
  return {
    id: 'actions',
    priority: 1,
    header: words.actions,
    align: 'end',
    cell: (user) => (
      <>
        {button(user, 'edit')}
        {button(user, 'delete')}
      </>
    ),
  };
}

type Dialog =
  | { kind: 'invite' }
  | { kind: 'edit' | 'delete'; id: string }
  | { kind: 'invited'; link: string };

const nameOf = ({ name }: User) => name;
const factsOf = ({
  firstName,
  lastName,
  email,
  roles,
  isActive,
}: User): Omit<ChosenThing, 'id' | 'name'> => ({
  person: { firstName, lastName, email, role: displayedRole(roles) ?? 'viewer', isActive },
});

interface DialogsProps {
  dialog: Dialog;
  users: readonly User[];
  onChange: (next: Dialog | null) => void;
}

function Dialogs({ dialog, users, onChange }: DialogsProps) {
  const toasts = useToasts();
  const close = () => onChange(null);
  const done = (name: string, link: string | null) => {
    if (link === null) toasts.success(messages.updated(name));
    onChange(link === null ? null : { kind: 'invited', link });
  };
  if (dialog.kind === 'invite') return <UserForm user={null} onDone={done} onDelete={null} onClose={close} />;
  if (dialog.kind === 'invited') return <Invitation link={dialog.link} onClose={close} />;
  const user = users.find(({ id }) => id === dialog.id);
  if (user === undefined) return null;
  if (dialog.kind === 'delete') return <DeleteUser user={user} onClose={close} />;
  const remove = () => onChange({ kind: 'delete', id: user.id });
  return <UserForm user={user} onDone={done} onDelete={remove} onClose={close} />;
}

interface UsersPageProps {
  reader: { roles: readonly string[] };
}

/** Changes need the server and the right to write identities. */
export function UsersPage({ reader }: UsersPageProps) {
  const canWrite = may(reader.roles, 'identities', 'write');
  const isReachable = useReachable();
  const { users, kept, error } = useUsers();
  const { state, setState } = useTableState('users', DEFAULT_SORT);
  const { choosing, bar } = useChoosing({ kind: 'users', rows: users, nameOf, factsOf, isPage: false });
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const columns = useMemo(
    () => (canWrite ? [...COLUMNS, actionsColumn(setDialog, !isReachable)] : COLUMNS),
    [canWrite, isReachable],
  );
  return (
    <TablePage
      title={messages.title}
      lead={users === undefined ? '' : messages.total(users.length)}
      actions={
        canWrite && (
          <Button
            look="primary"
            disabled={!isReachable}
            title={isReachable ? undefined : ui.needsServer}
            onClick={() => setDialog({ kind: 'invite' })}
          >
            <IconUserPlus size={16} aria-hidden />
            {messages.invite}
          </Button>
        )
      }
    >
      {kept !== null && <CacheNote {...kept} />}
      {kept === null && error !== null ? (
        <StateNote title={messages.failed} role="alert">
          <p>{messages.errorText(error)}</p>
        </StateNote>
      ) : (
        <>
          <DataTable
            choosing={choosing}
            label={messages.table}
            columns={columns}
            rows={users}
            rowId={({ id }) => id}
            state={state}
            defaultSort={DEFAULT_SORT}
            onState={setState}
            pressOf={({ id }) => (canWrite ? () => setDialog({ kind: 'edit', id }) : null)}
            emptyHint={messages.emptyHint}
          />
          {bar}
        </>
      )}
      {dialog !== null && <Dialogs dialog={dialog} users={users ?? []} onChange={setDialog} />}
    </TablePage>
  );
}
