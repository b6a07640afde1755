/** What playbooks did (spec 1 §2 'Playbook runs'): pages of the server's, the last seen ones also without a network. */
import { IconPencil, IconPlayerPlay, IconX } from '@tabler/icons-react';
import { useMemo, useState, type ReactNode } from 'react';
import type { ErrorFacts } from '../../../contract/errors.ts';
import type { RunListRow } from '../../../contract/http/playbooks/playbooks.ts';
import type { TableCondition } from '../../../contract/http/table-question.ts';
import { findAllOfTable } from '../../../data/queries/find-all.ts';
import { useTable } from '../../../data/queries/use-table.ts';
import { may } from '../../../domain/access/matrix.ts';
import { links } from '../../../domain/links.ts';
import { rangeLink, refusedRange } from '../../../domain/time/time-range.ts';
import { Button } from '../../../ui/actions/Button.tsx';
import { useDevice } from '../../../ui/Device.tsx';
import { SelectField } from '../../../ui/fields/SelectField.tsx';
import { TimeRangePicker } from '../../../ui/fields/TimeRangePicker.tsx';
import type { ChosenThing } from '../../../ui/page/Bulk.tsx';
import { usePlaybooks } from '../../../ui/page/Playbooks.tsx';
import { useSearchState, type ChangeSearch } from '../../../ui/search/use-search-state.ts';
import { ChoosableTable } from '../../../ui/tables/ChoosableTable.tsx';
import { TablePage } from '../../../ui/tables/TablePage.tsx';
import { useTableState } from '../../../ui/tables/use-table-state.ts';
import { runStatusText } from '../../../domain/playbook/run.ts';
import { EditPlaybook } from '../list/EditPlaybook.tsx';
import { messages } from '../messages.ts';
import { ResourceName } from '../PersonName.tsx';
import { playbookTitle } from '../playbook-title.ts';
import { runsSearch, STATUS_NAMES, type RunsSearch } from '../search-schemas.ts';
import { ResourceLabel } from '../start/ResourceLabel.tsx';
import { aboutOf, conditionsOf, NEWEST_FIRST, orderOf, rangeOf, viewOf } from './question.ts';
import { PlaybookFilter } from './PlaybookFilter.tsx';
import { RUN_COLUMNS } from './run-columns.tsx';

const words = messages.runs;
const ALL = { value: '', label: words.filters.all };
const STATUSES = [ALL, ...STATUS_NAMES.map((value) => ({ value, label: runStatusText(value) }))];

interface NarrowedProps {
  children: ReactNode;
  /** What the way out of it is called. */
  out: string;
  onOut: () => void;
}

function Narrowed({ children, out, onOut }: NarrowedProps) {
  return (
    <Button onClick={onOut}>
      {children}
      <IconX size={14} aria-hidden />
      <span className="visually-hidden">{out}</span>
    </Button>
  );
}

/** What the list is narrowed to by its link, and the way out of that. */
function About({ search, change }: FiltersProps) {
  const about = aboutOf(search);
  const { agent } = search;
  return (
    <>
      {about !== null && (
        <Narrowed
          out={words.filters.anything}
          onOut={() =>
            change({ pageIndex: undefined, config: undefined, component: undefined, check: undefined })
          }
        >
          {words.filters.on} <ResourceLabel resource={about} />
        </Narrowed>
      )}
      {agent !== undefined && (
        <Narrowed
          out={words.filters.anywhere}
          onOut={() => change({ pageIndex: undefined, agent: undefined })}
        >
          {words.filters.at} <ResourceName id={agent} />
        </Narrowed>
      )}
    </>
  );
}

interface FiltersProps {
  search: RunsSearch;
  change: ChangeSearch<RunsSearch>;
}

function Filters({ search, change }: FiltersProps) {
  return (
    <>
      <PlaybookFilter
        value={search.playbook ?? ''}
        onChange={(value) => change({ pageIndex: undefined, playbook: value || undefined })}
      />
      <SelectField
        label={words.filters.status}
        value={search.status ?? ''}
        options={STATUSES}
        onChange={(value) =>
          change({ pageIndex: undefined, status: STATUS_NAMES.find((status) => status === value) })
        }
      />
      <About search={search} change={change} />
      <TimeRangePicker
        value={rangeOf(search)}
        refused={refusedRange(search)}
        onChange={(range) => change({ pageIndex: undefined, ...rangeLink(range) })}
      />
    </>
  );
}

interface Reader {
  id: string;
  roles: readonly string[];
}

/** What can be done with the playbook that the list is narrowed to. */
function PlaybookActions({ playbookId, reader }: { playbookId: string; reader: Reader }) {
  const { run } = usePlaybooks();
  const [isEditing, setIsEditing] = useState(false);
  const mayEdit = may(reader.roles, 'playbooks', 'write') && may(reader.roles, 'connections', 'write');
  return (
    <>
      {mayEdit && (
        <Button onClick={() => setIsEditing(true)}>
          <IconPencil size={15} aria-hidden />
          {words.edit}
        </Button>
      )}
      {run !== null && (
        <Button look="primary" onClick={() => run({ playbookId })}>
          <IconPlayerPlay size={15} aria-hidden />
          {words.run}
        </Button>
      )}
      {isEditing && (
        <EditPlaybook playbookId={playbookId} userId={reader.id} onClose={() => setIsEditing(false)} />
      )}
    </>
  );
}

/** A server without our extras has no durations to order by. */
function problemText(error: ErrorFacts | null, view: ReturnType<typeof viewOf>): string | null {
  if (error === null) return null;
  const isUnknown = view === 'playbook_runs_timed' && error.code === 'not_found';
  return isUnknown ? words.noDurations : messages.errorText(error);
}

const nameOf = ({ playbooks }: Pick<RunListRow, 'playbooks'>) => playbookTitle(playbooks);

async function findAll(where: readonly TableCondition[]): Promise<readonly ChosenThing[] | null> {
  const found = await findAllOfTable('playbook_run_choice', where);
  return found?.map((row) => ({ id: row.id, name: nameOf(row) })) ?? null;
}

/** See the head of this file. */
export function RunsPage({ reader }: { reader: Reader }) {
  const [search, change] = useSearchState(runsSearch);
  const device = useDevice();
  const { state, setState } = useTableState('playbook-runs', NEWEST_FIRST);
  const where = useMemo(() => conditionsOf(search, device.now()), [search, device]);
  const { pageIndex, pageSize } = state;
  const { kept, error } = useTable({
    view: viewOf(state),
    where,
    order: orderOf(state),
    offset: pageIndex * pageSize,
    limit: pageSize,
  });
  return (
    <TablePage
      title={words.title}
      lead={kept === null ? '' : words.total(kept.value.total)}
      actions={
        search.playbook !== undefined && <PlaybookActions playbookId={search.playbook} reader={reader} />
      }
      toolbar={<Filters search={search} change={change} />}
    >
      <ChoosableTable
        kind="playbook_runs"
        nameOf={nameOf}
        findAll={() => findAll(where)}
        label={words.table}
        columns={RUN_COLUMNS}
        rows={kept?.value.rows}
        rowId={({ id }) => id}
        state={state}
        defaultSort={NEWEST_FIRST}
        onState={setState}
        total={kept?.value.total ?? 0}
        hrefOf={({ id }) => links.playbookRun(id)}
        kept={kept}
        problem={problemText(error, viewOf(state))}
        failedTitle={words.failed}
        emptyHint={words.emptyHint}
      />
    </TablePage>
  );
}
