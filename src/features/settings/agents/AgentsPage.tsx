/** Agents (spec 1 §2): other clusters' servers that push here, and whether they do. */
import { useMemo } from 'react';
import type { AgentRow } from '../../../contract/http/table-views.ts';
import { useTable } from '../../../data/queries/use-table.ts';
import { isRemoteAgent } from '../../../domain/settings/resource-source.ts';
import type { DataColumn } from '../../../ui/tables/DataTable.tsx';
import { useDevice } from '../../../ui/Device.tsx';
import { HealthLabel } from '../../../ui/marks/HealthMark.tsx';
import { CachedTable } from '../../../ui/tables/CachedTable.tsx';
import { messages as ui } from '../../../ui/messages.ts';
import { NotYetNote } from '../../../ui/feedback/NotYetNote.tsx';
import { TablePage } from '../../../ui/tables/TablePage.tsx';
import { useAge } from '../../../ui/hooks/use-ticking.ts';
import { agentsSearch } from '../search-schemas.ts';
import { useSearchState } from '../../../ui/search/use-search-state.ts';
import { useTableState } from '../../../ui/tables/use-table-state.ts';
import { CreatorCell } from '../CreatorCell.tsx';
import { messages } from '../messages.ts';
import { timeColumn } from '../time-column.tsx';

const words = messages.agents;
const NEWEST_FIRST = { sortBy: 'created_at', isDescending: true };
/** Spec 1 §9. */
const ONLINE_MS = 61_000;

function Status({ lastSeen }: { lastSeen: string | null }) {
  const device = useDevice();
  const seenMs = lastSeen === null ? Number.NaN : Date.parse(lastSeen);
  // Ages by the second: an agent that falls silent shows it while one looks.
  useAge(seenMs);
  if (Number.isNaN(seenMs)) return '';
  const isOnline = device.now() - seenMs < ONLINE_MS;
  return (
    <HealthLabel state={isOnline ? 'healthy' : 'unknown'} text={isOnline ? words.online : words.offline} />
  );
}

const counted = (
  id: 'config_count' | 'checks_count' | 'config_scrapper_count' | 'playbook_runs_count',
  header: string,
): DataColumn<AgentRow> => ({
  id,
  header,
  align: 'end',
  sortValue: (row) => row[id] ?? null,
  cell: (row) => row[id] ?? ui.nothing,
});

const COLUMNS: readonly DataColumn<AgentRow>[] = [
  {
    id: 'name',
    header: words.columns.name,
    sortValue: ({ name }) => name ?? null,
    cell: ({ name, id }) => name ?? id,
  },
  counted('config_count', words.columns.configs),
  counted('checks_count', words.columns.checks),
  counted('config_scrapper_count', words.columns.scrapers),
  counted('playbook_runs_count', words.columns.playbookRuns),
  {
    id: 'last_seen',
    header: words.columns.status,
    sortValue: (row) => row.last_seen ?? null,
    cell: (row) => <Status lastSeen={row.last_seen ?? null} />,
  },
  timeColumn('last_received', words.columns.lastPushed),
  timeColumn('created_at', words.columns.createdAt),
  timeColumn('updated_at', words.columns.updatedAt),
  { id: 'created_by', header: words.columns.createdBy, cell: (row) => <CreatorCell row={row} /> },
];

/** With an id in the address it shows that agent alone. */
export function AgentsPage() {
  const [search] = useSearchState(agentsSearch);
  const { kept, error } = useTable({ view: 'agents' });
  const { state, setState } = useTableState('agents', NEWEST_FIRST);
  const wantedId = search.id;
  const rows = useMemo(
    () =>
      kept?.value.rows.filter(({ id }) => isRemoteAgent(id) && (wantedId === undefined || id === wantedId)),
    [kept, wantedId],
  );
  return (
    <TablePage title={words.title} lead={rows === undefined ? '' : words.total(rows.length)}>
      <NotYetNote text={words.notYet} />
      <CachedTable
        label={words.title}
        columns={COLUMNS}
        rows={rows}
        rowId={({ id }) => id}
        state={state}
        defaultSort={NEWEST_FIRST}
        onState={setState}
        kept={kept}
        problem={error === null ? null : messages.errorText(error)}
        failedTitle={words.failed}
        emptyHint={words.emptyHint}
      />
    </TablePage>
  );
}
