/** What background jobs did (spec 2 §2 'Job history'). */
import { useMemo } from 'react';
import { useTable } from '../../../data/queries/use-table.ts';
import { JOB_RESOURCE_TYPES, JOB_STATUSES, RUN_DURATIONS } from '../../../domain/job/job.ts';
import { rangeLink, refusedRange } from '../../../domain/time/time-range.ts';
import { useDevice } from '../../../ui/Device.tsx';
import { SelectField } from '../../../ui/fields/SelectField.tsx';
import { TablePage } from '../../../ui/tables/TablePage.tsx';
import { TimeRangePicker } from '../../../ui/fields/TimeRangePicker.tsx';
import { TriStateFilter } from '../../../ui/fields/TriStateFilter.tsx';
import { useSearchState, type ChangeSearch } from '../../../ui/search/use-search-state.ts';
import { useTableState } from '../../../ui/tables/use-table-state.ts';
import { JobTable } from './JobTable.tsx';
import { messages } from './messages.ts';
import { conditionsOf, durationOf, filterLink, filterOf, rangeOf, type FilterName } from './url-state.ts';
import { jobsSearch, type JobsSearch } from './search-schema.ts';
import { NEWEST_FIRST, useJobs } from './use-jobs.ts';

interface FiltersProps {
  search: JobsSearch;
  change: ChangeSearch<JobsSearch>;
}

const DURATIONS = RUN_DURATIONS.map(({ label, durationMs }) => ({ label, value: String(durationMs) }));

function Filters({ search, change }: FiltersProps) {
  const names = useTable({ view: 'job_history_names', order: [{ column: 'name', isDescending: false }] });
  const filter = (name: FilterName, label: string, options: readonly string[]) => (
    <TriStateFilter
      label={label}
      options={options}
      value={filterOf(search, name)}
      onChange={(value) => change(filterLink(name, value))}
    />
  );
  return (
    <>
      {filter('name', messages.filters.name, names.kept?.value.rows.map(({ name }) => name) ?? [])}
      {filter('resource_type', messages.filters.resourceType, JOB_RESOURCE_TYPES)}
      {filter('status', messages.filters.status, JOB_STATUSES)}
      <SelectField
        label={messages.filters.duration}
        value={String(durationOf(search))}
        options={DURATIONS}
        onChange={(value) =>
          change({ pageIndex: undefined, runDuration: value === 'null' ? undefined : value })
        }
      />
      <TimeRangePicker
        value={rangeOf(search)}
        refused={refusedRange(search)}
        onChange={(range) => change({ pageIndex: undefined, ...rangeLink(range) })}
      />
    </>
  );
}

/** Filters are in the address. */
export function JobsPage() {
  const [search, change] = useSearchState(jobsSearch);
  const device = useDevice();
  const { state, setState } = useTableState('jobs', NEWEST_FIRST);
  const where = useMemo(() => conditionsOf(search, device.now()), [search, device]);
  const jobs = useJobs(where, state);
  return (
    <TablePage
      title={messages.title}
      lead={jobs.kept === null ? '' : messages.total(jobs.kept.value.total)}
      toolbar={<Filters search={search} change={change} />}
    >
      <JobTable jobs={jobs} state={state} defaultSort={NEWEST_FIRST} onState={setState} />
    </TablePage>
  );
}
