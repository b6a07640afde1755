/** The list of one kind of settings resource (spec 2 §2 'Settings resources'). */
import { IconPlus } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import type { SettingsRow } from '../../../contract/http/table-views.ts';
import { useReachable } from '../../../data/device/use-reachable.ts';
import { useTable } from '../../../data/queries/use-table.ts';
import { may } from '../../../domain/access/matrix.ts';
import { RESOURCES, type ResourceKind } from '../../../domain/settings/resource-kinds.ts';
import { Button } from '../../../ui/actions/Button.tsx';
import { ChoosableTable } from '../../../ui/tables/ChoosableTable.tsx';
import { messages as ui } from '../../../ui/messages.ts';
import { Modal } from '../../../ui/overlays/Modal.tsx';
import { TablePage } from '../../../ui/tables/TablePage.tsx';
import { useSearchState } from '../../../ui/search/use-search-state.ts';
import { useTableState } from '../../../ui/tables/use-table-state.ts';
import { resourcesSearch } from '../search-schemas.ts';
import { messages } from './messages.ts';
import { resourceColumns, resourceEditHref, resourceHref } from './resource-columns.tsx';
import { ResourceForm } from './ResourceForm.tsx';

const NEWEST_FIRST = { sortBy: 'created_at', isDescending: true };

/** What rules did comes beside the rules: a backend of somebody else's may not tell. */
function useWithStatus(
  kind: ResourceKind,
  rows: readonly SettingsRow[] | undefined,
): readonly SettingsRow[] | undefined {
  const { kept } = useTable(kind === 'incident_rules' ? { view: 'incident_rule_status' } : null);
  const told = kept?.value.rows;
  return useMemo(() => {
    if (told === undefined) return rows;
    const byId = new Map(told.map((row) => [row.id, row]));
    return rows?.map((row) => ({ ...byId.get(row.id), ...row }));
  }, [rows, told]);
}

interface ResourcesPageProps {
  kind: ResourceKind;
  reader: { id: string; roles: readonly string[] };
  /** Where one of them is found, when not among the settings. */
  pathOf?: (id: string) => string;
}

/** `pathOf` is the address of a row's page. */
export function ResourcesPage({ kind, reader, pathOf }: ResourcesPageProps) {
  const facts = RESOURCES[kind];
  const canWrite = may(reader.roles, facts.area, 'write');
  const [search] = useSearchState(resourcesSearch);
  const isReachable = useReachable();
  const { kept, error } = useTable({
    view: kind,
    order: [{ column: NEWEST_FIRST.sortBy, isDescending: true }],
  });
  const rows = useWithStatus(kind, kept?.value.rows);
  const { state, setState } = useTableState(kind, NEWEST_FIRST);
  const columns = useMemo(
    () => resourceColumns(kind, pathOf ?? ((id) => resourceEditHref(kind, id))),
    [kind, pathOf],
  );
  // A link may ask for the form (links.addResource).
  const [isAdding, setIsAdding] = useState(canWrite && search.add === true);
  return (
    <TablePage
      title={facts.title}
      lead={kept === null ? '' : messages.total(kept.value.total)}
      actions={
        canWrite && (
          <Button
            look="primary"
            disabled={!isReachable}
            title={isReachable ? undefined : ui.needsServer}
            onClick={() => setIsAdding(true)}
          >
            <IconPlus size={16} aria-hidden />
            {messages.add(facts.singular)}
          </Button>
        )
      }
    >
      <ChoosableTable
        kind={kind}
        label={facts.title}
        columns={columns}
        rows={rows}
        rowId={({ id }) => id}
        state={state}
        defaultSort={NEWEST_FIRST}
        onState={setState}
        hrefOf={({ id }) => pathOf?.(id) ?? resourceHref(kind, id)}
        kept={kept}
        problem={error === null ? null : messages.errorText(error)}
        failedTitle={messages.failed}
        emptyHint={messages.emptyHints[kind]}
      />
      {isAdding && (
        <Modal title={messages.add(facts.singular)} size="medium" onClose={() => setIsAdding(false)}>
          <ResourceForm
            kind={kind}
            row={null}
            userId={reader.id}
            readOnly={null}
            onDone={() => setIsAdding(false)}
            onCancel={() => setIsAdding(false)}
          />
        </Modal>
      )}
    </TablePage>
  );
}
