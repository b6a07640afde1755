/** Silences (spec 2 §2): what holds notifications back, and until when; from this device. */
import { IconPlus } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import type { Pending } from '../../../contract/live-query.ts';
import { findAllRows, textOf } from '../../../data/queries/find-all.ts';
import { useLiveQuery } from '../../../data/queries/use-live-query.ts';
import { useLiveRow } from '../../../data/queries/use-live-row.ts';
import { useReachable } from '../../../data/device/use-reachable.ts';
import { useAdminister } from '../../../data/session/use-administer.ts';
import { may } from '../../../domain/access/matrix.ts';
import { links } from '../../../domain/links.ts';
import { silenceOfRow } from '../../../domain/notification/silence-row.ts';
import { isEditable } from '../../../domain/settings/resource-source.ts';
import { AppLink } from '../../../ui/actions/AppLink.tsx';
import { Button, buttonClass } from '../../../ui/actions/Button.tsx';
import { useToasts } from '../../../ui/feedback/Toasts.tsx';
import { useDevice } from '../../../ui/Device.tsx';
import { SkeletonRows } from '../../../ui/feedback/Skeleton.tsx';
import { StateNote } from '../../../ui/feedback/StateNote.tsx';
import { Switch } from '../../../ui/fields/Switch.tsx';
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx';
import { Modal } from '../../../ui/overlays/Modal.tsx';
import { useSearchState } from '../../../ui/search/use-search-state.ts';
import { DataTable } from '../../../ui/tables/DataTable.tsx';
import type { TableState } from '../../../ui/tables/table-state.ts';
import type { AllOfList } from '../../../ui/tables/choosing/use-all-of-list.ts';
import { useChoosing } from '../../../ui/tables/choosing/use-choosing.tsx';
import { useTableState } from '../../../ui/tables/use-table-state.ts';
import { NotificationsFrame } from '../NotificationsFrame.tsx';
import { silencesSearch } from '../search-schemas.ts';
import { messages } from './messages.ts';
import { tableColumns, type SilenceLine } from './silence-columns.tsx';
import { SilenceForm } from './SilenceForm.tsx';
import { silenceValues } from './silence-form.ts';

const NEWEST_FIRST = { sortBy: 'created_at', isDescending: true };
/** As many as a window of this device's rows has. */
const MOST_PER_PAGE = 100;

function Remove({ id, onDone }: { id: string; onDone: () => void }) {
  const { isBusy, run } = useAdminister();
  const toasts = useToasts();
  const [problem, setProblem] = useState<string | null>(null);
  const remove = async () => {
    const answer = await run({ name: 'delete_row', table: 'notification_silences', key: id });
    if (!answer.ok) return setProblem(messages.errorText(answer.error));
    toasts.success(messages.removed);
    onDone();
  };
  return (
    <ConfirmDialog
      {...messages.deletion}
      isBusy={isBusy}
      problem={problem}
      onConfirm={() => void remove()}
      onClose={onDone}
    />
  );
}

function OneSilence({ id, mayWrite, onClose }: { id: string; mayWrite: boolean; onClose: () => void }) {
  const found = useLiveRow('resources', id);
  const isReachable = useReachable();
  const [isRemoving, setIsRemoving] = useState(false);
  const silence = useMemo(() => (found ? silenceOfRow(found.row) : null), [found]);
  const isOurs = silence !== null && isEditable({ source: silence.source });
  const source = isOurs ? null : messages.sourceLocked(silence?.source ?? '');
  return (
    <Modal title={messages.editTitle} size="medium" onClose={onClose}>
      {found === undefined && <SkeletonRows text={messages.loading} />}
      {found === null && <StateNote title={messages.gone} />}
      {silence !== null && (
        <SilenceForm
          silence={silence}
          first={silenceValues(silence)}
          lock={mayWrite ? source : messages.roleLocked}
          aside={
            mayWrite &&
            isOurs && (
              <Button disabled={!isReachable} onClick={() => setIsRemoving(true)}>
                {messages.form.remove}
              </Button>
            )
          }
          onDone={onClose}
          onCancel={onClose}
        />
      )}
      {isRemoving && <Remove id={id} onDone={onClose} />}
    </Modal>
  );
}

/** A page of those of this device, without those that are over unless they are asked for. */
function useSilences(
  showsAll: boolean,
  { sortBy, isDescending, pageIndex, pageSize }: TableState,
): { lines: SilenceLine[] | undefined; total: number; findAll: AllOfList['find'] } {
  const device = useDevice();
  // By the minute: a question that differs each time would never be answered.
  const [nowMs] = useState(() => Math.floor(device.now() / 60_000) * 60_000);
  const question = {
    collection: 'resources' as const,
    where: [
      { field: 'kind', op: 'eq' as const, value: 'silence' },
      ...(showsAll ? [] : [{ field: 'until', op: 'gte' as const, value: new Date(nowMs).toISOString() }]),
    ],
    search: '',
    sort: [{ field: sortBy ?? NEWEST_FIRST.sortBy, isDescending }],
    groupBy: null,
  };
  const { rows, isLoaded, total } = useLiveQuery({
    ...question,
    window: { start: pageIndex * pageSize, end: (pageIndex + 1) * pageSize },
  });
  const lines = useMemo(
    () =>
      rows.map(({ row, pending }): SilenceLine & { pending: Pending } => ({
        ...silenceOfRow(row),
        pending,
      })),
    [rows],
  );
  const findAll = async () => {
    const found = await findAllRows(question, ['description']);
    return found?.map((row) => ({ id: row.id, name: textOf(row, 'description') || row.id })) ?? null;
  };
  return { lines: isLoaded ? lines : undefined, total, findAll };
}

const nameOf = ({ id, description }: SilenceLine) => description || id;

/** Creating works without a network; changes and deletes need the server. */
export function SilencesPage({ roles }: { roles: readonly string[] }) {
  const mayWrite = may(roles, 'notifications', 'write');
  const [search, change] = useSearchState(silencesSearch);
  const { state: asked, setState } = useTableState('silences', NEWEST_FIRST);
  const pageSize = Math.min(asked.pageSize, MOST_PER_PAGE);
  const state = useMemo(() => ({ ...asked, pageSize }), [asked, pageSize]);
  const [removing, setRemoving] = useState<string | null>(null);
  const showsAll = search.show === 'all';
  const { lines, total, findAll } = useSilences(showsAll, state);
  const columns = useMemo(() => tableColumns(mayWrite ? setRemoving : null), [mayWrite]);
  const isPage = total > (lines?.length ?? 0);
  const { choosing, bar } = useChoosing({
    kind: 'notification_silences',
    rows: lines,
    nameOf,
    isPage,
    all: { count: total, find: findAll },
  });
  const stay = { isReplacing: false };
  return (
    <NotificationsFrame
      tab="silences"
      lead={lines === undefined ? '' : messages.total(total)}
      actions={
        mayWrite && (
          <AppLink href={links.addSilence()} className={buttonClass('primary')}>
            <IconPlus size={16} aria-hidden />
            {messages.add}
          </AppLink>
        )
      }
      toolbar={
        <Switch
          label={messages.showAll}
          isOn={showsAll}
          onChange={(isOn) => change({ show: isOn ? 'all' : undefined, pageIndex: undefined })}
        />
      }
    >
      <DataTable
        choosing={choosing}
        label={messages.label}
        columns={columns}
        rows={lines}
        rowId={({ id }) => id}
        state={state}
        defaultSort={NEWEST_FIRST}
        onState={setState}
        total={total}
        mostPerPage={MOST_PER_PAGE}
        pressOf={({ id }) =>
          () =>
            change({ id }, stay)
          }
        emptyHint={messages.emptyHint}
      />
      {bar}
      {search.id !== undefined && (
        <OneSilence
          key={search.id}
          id={search.id}
          mayWrite={mayWrite}
          onClose={() => change({ id: undefined }, stay)}
        />
      )}
      {removing !== null && <Remove id={removing} onDone={() => setRemoving(null)} />}
    </NotificationsFrame>
  );
}
