/** Rules of notifications (spec 2 §2): who is told of what, and what each rule has done so far. */
import { IconPlus } from '@tabler/icons-react';
import { useReachable } from '../../../data/device/use-reachable.ts';
import { useTable } from '../../../data/queries/use-table.ts';
import type { RuleSummary } from '../../../contract/http/notifications/notification-views.ts';
import { may } from '../../../domain/access/matrix.ts';
import { Button } from '../../../ui/actions/Button.tsx';
import { SkeletonRows } from '../../../ui/feedback/Skeleton.tsx';
import { StateNote } from '../../../ui/feedback/StateNote.tsx';
import { messages as ui } from '../../../ui/messages.ts';
import { Modal } from '../../../ui/overlays/Modal.tsx';
import { useSearchState } from '../../../ui/search/use-search-state.ts';
import { ChoosableTable } from '../../../ui/tables/ChoosableTable.tsx';
import type { DataColumn } from '../../../ui/tables/DataTable.tsx';
import type { TableState } from '../../../ui/tables/table-state.ts';
import { useTableState } from '../../../ui/tables/use-table-state.ts';
import { NotificationsFrame } from '../NotificationsFrame.tsx';
import { rulesSearch } from '../search-schemas.ts';
import { useAllRules } from '../use-all-rules.ts';
import { messages } from './messages.ts';
import { RULE_COLUMNS } from './rule-columns.tsx';
import { RuleFacts } from './RuleFacts.tsx';
import { RuleForm, type Reader } from './RuleForm.tsx';

const NEWEST_FIRST = { sortBy: 'created_at', isDescending: true };
/** Who is told is a name of another table: the server orders by columns of its own. */
const PAGED_COLUMNS = RULE_COLUMNS.map((column): DataColumn<RuleSummary> => {
  const { sortValue: _sortValue, ...unsorted } = column;
  return column.id === 'recipient' ? unsorted : column;
});

interface OneRuleProps {
  id: string;
  /** As the list has it. */
  summary: RuleSummary | undefined;
  reader: Reader;
  onClose: () => void;
}

function OneRule({ id, summary, reader, onClose }: OneRuleProps) {
  const { kept, error } = useTable({
    view: 'notification_rule',
    where: [{ op: 'eq', column: 'id', value: id }],
    limit: 1,
  });
  const row = kept?.value.rows[0];
  const isGone = kept !== null && (row === undefined || (row.deleted_at ?? null) !== null);
  return (
    <Modal title={messages.editTitle} size="medium" onClose={onClose}>
      {kept === null && error === null && <SkeletonRows text={messages.loading} />}
      {kept === null && error !== null && summary === undefined && (
        <p role="alert">{messages.errorText(error)}</p>
      )}
      {kept === null && error !== null && summary !== undefined && (
        <RuleFacts rule={summary} problem={messages.errorText(error)} />
      )}
      {isGone && <StateNote title={messages.gone} />}
      {row !== undefined && !isGone && (
        <RuleForm row={row} reader={reader} onDone={onClose} onCancel={onClose} />
      )}
    </Modal>
  );
}

/** All rules where they fit into one answer, which is kept on this device; of more, the page that is asked for. */
function useRules({ sortBy, isDescending, pageIndex, pageSize }: TableState) {
  const all = useAllRules(true);
  const isPaged = all.kept !== null && all.kept.value.total > all.kept.value.rows.length;
  const isKnown = PAGED_COLUMNS.some(({ id, sortValue }) => id === sortBy && sortValue !== undefined);
  const page = useTable(
    isPaged
      ? {
          view: 'notification_rules',
          order: [
            { column: isKnown ? (sortBy ?? NEWEST_FIRST.sortBy) : NEWEST_FIRST.sortBy, isDescending },
            { column: 'id', isDescending: false },
          ],
          offset: pageIndex * pageSize,
          limit: pageSize,
        }
      : null,
  );
  // Without the server there is what this device has of them.
  return isPaged && page.error === null ? { ...page, isPaged } : { ...all, isPaged: false };
}

/** Changes need the server and the right to write notifications. */
export function RulesPage({ reader }: { reader: Reader }) {
  const mayWrite = may(reader.roles, 'notifications', 'write');
  const isReachable = useReachable();
  const [search, change] = useSearchState(rulesSearch);
  const { state, setState } = useTableState('notification-rules', NEWEST_FIRST);
  const { kept, error, isPaged } = useRules(state);
  const stay = { isReplacing: false };
  return (
    <NotificationsFrame
      tab="rules"
      lead={kept === null ? '' : messages.total(kept.value.total)}
      actions={
        mayWrite && (
          <Button
            look="primary"
            disabled={!isReachable}
            title={isReachable ? undefined : ui.needsServer}
            onClick={() => change({ add: true }, stay)}
          >
            <IconPlus size={16} aria-hidden />
            {messages.add}
          </Button>
        )
      }
    >
      <ChoosableTable
        kind="notifications"
        label={messages.label}
        columns={isPaged ? PAGED_COLUMNS : RULE_COLUMNS}
        rows={kept?.value.rows}
        rowId={({ id }) => id}
        state={state}
        defaultSort={NEWEST_FIRST}
        onState={setState}
        {...(isPaged && kept !== null ? { total: kept.value.total } : {})}
        pressOf={({ id }) =>
          () =>
            change({ id }, stay)
          }
        kept={kept}
        problem={error === null ? null : messages.errorText(error)}
        failedTitle={messages.failed}
        emptyHint={messages.emptyHint}
      />
      {search.id !== undefined && (
        <OneRule
          id={search.id}
          summary={kept?.value.rows.find(({ id }) => id === search.id)}
          reader={reader}
          onClose={() => change({ id: undefined }, stay)}
        />
      )}
      {search.add === true && mayWrite && (
        <Modal title={messages.add} size="medium" onClose={() => change({ add: undefined }, stay)}>
          <RuleForm
            row={null}
            reader={reader}
            onDone={() => change({ add: undefined }, stay)}
            onCancel={() => change({ add: undefined }, stay)}
          />
        </Modal>
      )}
    </NotificationsFrame>
  );
}
