/** Everything that feeds the catalog, the topology and the logs, in one list (spec 2 §2 'Integrations'). */
import { IconPlus } from '@tabler/icons-react';
import { lazy, Suspense, useMemo } from 'react';
import type { IntegrationRow } from '../../../contract/http/table-views.ts';
import { findAllOfTable } from '../../../data/queries/find-all.ts';
import { useTable } from '../../../data/queries/use-table.ts';
import type { SessionUser } from '../../../contract/session-user.ts';
import { useReachable } from '../../../data/device/use-reachable.ts';
import { may } from '../../../domain/access/matrix.ts';
import { Button } from '../../../ui/actions/Button.tsx';
import { useSearchState } from '../../../ui/search/use-search-state.ts';
import { integrationsSearch } from '../search-schemas.ts';
import { INTEGRATIONS } from '../../../domain/integration/integration-types.ts';
import { links } from '../../../domain/links.ts';
import { Age } from '../../../ui/marks/Age.tsx';
import { PersonName } from '../../../ui/marks/Avatar.tsx';
import type { DataColumn } from '../../../ui/tables/DataTable.tsx';
import { ChoosableTable } from '../../../ui/tables/ChoosableTable.tsx';
import { messages as ui } from '../../../ui/messages.ts';
import type { ChosenThing } from '../../../ui/page/Bulk.tsx';
import { TablePage } from '../../../ui/tables/TablePage.tsx';
import { useTableState } from '../../../ui/tables/use-table-state.ts';
import { JobStatus } from '../JobStatus.tsx';
import { messages } from './messages.ts';
import { isOwn, SourceText } from '../SourceText.tsx';
import { timeColumn } from '../time-column.tsx';

const words = messages;
const AddIntegration = lazy(async () => ({ default: (await import('./AddIntegration.tsx')).AddIntegration }));
const NEWEST_FIRST = { sortBy: 'created_at', isDescending: true };
const COLUMNS: readonly DataColumn<IntegrationRow>[] = [
  { id: 'name', header: words.columns.name, isSortable: true, cell: ({ name, id }) => name ?? id },
  {
    id: 'integration_type',
    header: words.columns.type,
    isPlain: true,
    isSortable: true,
    cell: ({ integration_type: type }) => words.types[type] ?? type,
  },
  {
    id: 'source',
    header: words.columns.source,
    isPlain: true,
    isEmpty: isOwn,
    cell: (row) => <SourceText row={row} />,
  },
  {
    id: 'job_status',
    header: words.columns.jobStatus,
    isPlain: true,
    isEmpty: ({ job_status: status }) => (status ?? null) === null,
    isSortable: true,
    cell: ({ job_status: status }) => <JobStatus status={status ?? null} />,
  },
  {
    id: 'job_time_start',
    header: words.columns.lastRun,
    width: '108px',
    isEmpty: ({ job_time_start: at }) => (at ?? null) === null,
    isSortable: true,
    cell: ({ job_time_start: at }) => <Age at={at ?? null} />,
  },
  {
    id: 'creator_name',
    header: words.columns.createdBy,
    isSortable: true,
    cell: ({ creator_name: name }) =>
      name === null || name === undefined ? ui.nothing : <PersonName name={name} />,
  },
  timeColumn('created_at', words.columns.createdAt, { isServers: true }),
  timeColumn('updated_at', words.columns.updatedAt, { isServers: true }),
];

/** The table that a row is of. */
function factsOf({
  integration_type: type,
}: Pick<IntegrationRow, 'integration_type'>): Omit<ChosenThing, 'id' | 'name'> {
  const table = INTEGRATIONS.get(type);
  return table === undefined ? {} : { table };
}

async function findAll(): Promise<readonly ChosenThing[] | null> {
  const found = await findAllOfTable('integration_choice');
  return found?.map((row) => ({ ...factsOf(row), id: row.id, name: row.name ?? row.id })) ?? null;
}

function AddButton({ onAdd }: { onAdd: () => void }) {
  const isReachable = useReachable();
  return (
    <Button
      look="primary"
      disabled={!isReachable}
      title={isReachable ? undefined : ui.needsServer}
      onClick={onAdd}
    >
      <IconPlus size={16} aria-hidden />
      {words.add}
    </Button>
  );
}

/** From the server, cached; a row leads to its page. `add` in the address opens the wizard. */
export function IntegrationsPage({ reader }: { reader: SessionUser }) {
  const [search, change] = useSearchState(integrationsSearch);
  const mayAdd = may(reader.roles, 'integrations', 'write');
  const setAdd = (add: string | undefined) => change({ add }, { isReplacing: false });
  const { state, setState } = useTableState('integrations', NEWEST_FIRST);
  const order = useMemo(
    () => [{ column: state.sortBy ?? NEWEST_FIRST.sortBy, isDescending: state.isDescending }],
    [state],
  );
  const { kept, error } = useTable({
    view: 'integrations',
    order,
    offset: state.pageIndex * state.pageSize,
    limit: state.pageSize,
  });
  return (
    <TablePage
      title={words.title}
      lead={kept === null ? '' : words.total(kept.value.total)}
      actions={mayAdd && <AddButton onAdd={() => setAdd('choose')} />}
    >
      <ChoosableTable
        kind="integrations"
        factsOf={factsOf}
        findAll={findAll}
        label={words.title}
        columns={COLUMNS}
        rows={kept?.value.rows}
        rowId={({ id }) => id}
        state={state}
        defaultSort={NEWEST_FIRST}
        onState={setState}
        total={kept?.value.total ?? 0}
        hrefOf={({ id, integration_type: type }) => links.integration(type, id)}
        kept={kept}
        problem={error === null ? null : messages.errorText(error)}
        failedTitle={words.failed}
        emptyHint={words.emptyHint}
      />
      {mayAdd && search.add !== undefined && (
        <Suspense>
          <AddIntegration reader={reader} add={search.add} onAdd={setAdd} />
        </Suspense>
      )}
    </TablePage>
  );
}
