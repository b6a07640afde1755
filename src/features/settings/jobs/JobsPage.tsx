/** What background jobs did (spec 2 §2 'Job history'). */
import { useMemo } from 'react';
import { useTable } from '../../../data/queries/use-table.ts';
import { JOB_RESOURCE_TYPES, JOB_STATUSES, RUN_DURATIONS } from '../../../domain/job/job.ts';
import { refusedRange, withRange } from '../../../domain/time/time-range.ts';
import { useDevice } from '../../../ui/Device.tsx';
import { SelectField } from '../../../ui/fields/SelectField.tsx';
import { TablePage } from '../../../ui/tables/TablePage.tsx';
import { TimeRangePicker } from '../../../ui/fields/TimeRangePicker.tsx';
import { TriStateFilter } from '../../../ui/fields/TriStateFilter.tsx';
import { useTableState, type SearchProps } from '../../../ui/tables/use-table-state.ts';
import { JobTable } from './JobTable.tsx';
import { messages } from './messages.ts';
import {
  conditionsOf,
  parseDuration,
  parseFilter,
  rangeOf,
  withFilter,
  type FilterName,
} from './url-state.ts';
import { NEWEST_FIRST, useJobs } from './use-jobs.ts';

const DURATIONS = RUN_DURATIONS.map(({ label, durationMs }) => ({ label, value: String(durationMs) }));

function Filters({ search, onSearch }: SearchProps) {
  const names = useTable({ view: 'job_history_names', order: [{ column: 'name', isDescending: false }] });
  const filter = (name: FilterName, label: string, options: readonly string[]) => (
    <TriStateFilter
      label={label}
      options={options}
      value={parseFilter(search, name)}
      onChange={(value) => onSearch(withFilter(search, name, value), true)}
    />
  );
  const setDuration = (value: string) => {
    const { runDuration: _before, pageIndex: _page, ...rest } = search;
    onSearch(value === 'null' ? rest : { ...rest, runDuration: value }, true);
  };
  return (
    <>
      {filter('name', messages.filters.name, names.kept?.value.rows.map(({ name }) => name) ?? [])}
      {filter('resource_type', messages.filters.resourceType, JOB_RESOURCE_TYPES)}
      {filter('status', messages.filters.status, JOB_STATUSES)}
      <SelectField
        label={messages.filters.duration}
        value={String(parseDuration(search))}
        options={DURATIONS}
        onChange={setDuration}
      />
      <TimeRangePicker
        value={rangeOf(search)}
        refused={refusedRange(search)}
        onChange={(range) => {
          const { pageIndex: _page, ...rest } = search;
          onSearch(withRange(rest, range), true);
        }}
      />
    </>
  );
}

export function JobsPage(props: SearchProps) {
  const { search } = props;
  const device = useDevice();
  const { state, setState } = useTableState('jobs', props, NEWEST_FIRST);
  const where = useMemo(() => conditionsOf(search, device.now()), [search, device]);
  const jobs = useJobs(where, state);
  return (
    <TablePage
      title={messages.title}
      lead={jobs.kept === null ? '' : messages.total(jobs.kept.value.total)}
      toolbar={<Filters {...props} />}
    >
      <JobTable jobs={jobs} state={state} defaultSort={NEWEST_FIRST} onState={setState} />
    </TablePage>
  );
}
