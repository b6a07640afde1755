import { IconCopy } from '@tabler/icons-react';
import { useState } from 'react';
import type { JobRow } from '../../../contract/http/table-views.ts';
import { jobDetails, jobResourceLink } from '../../../domain/job/job.ts';
import { links } from '../../../domain/links.ts';
import { formatDuration } from '../../../domain/time/format.ts';
import { Age } from '../../../ui/marks/Age.tsx';
import { AppLink } from '../../../ui/actions/AppLink.tsx';
import { IconButton } from '../../../ui/actions/Button.tsx';
import type { DataColumn } from '../../../ui/tables/DataTable.tsx';
import { CachedTable } from '../../../ui/tables/CachedTable.tsx';
import { messages as ui } from '../../../ui/messages.ts';
import type { DefaultSort, TableState } from '../../../ui/tables/table-state.ts';
import { useCopy } from '../../../ui/feedback/use-copy.ts';
import classes from '../settings.module.css';
import { JobStatus } from '../JobStatus.tsx';
import { JobDetailsDialog } from './JobDetailsDialog.tsx';
import { messages } from './messages.ts';
import type { useJobs } from './use-jobs.ts';

const words = messages.columns;

/** The agent of this server itself has the all-zero id. */
const LOCAL_AGENT = /^[0-]*$/;

function CopyId({ id }: { id: string }) {
  const copy = useCopy();
  return (
    <IconButton label={messages.copyId(id)} onClick={() => copy(id, 'id')}>
      <IconCopy size={14} aria-hidden />
    </IconButton>
  );
}

function ResourceCell({ job }: { job: JobRow }) {
  const { resource_type: type, resource_id: id, resource_name: name } = job;
  const text = name ?? id ?? '';
  const href = jobResourceLink(type ?? '', id ?? '');
  if (text === '') return ui.nothing;
  return (
    <span className={classes.resource}>
      {href === null ? <span>{text}</span> : <AppLink href={href}>{text}</AppLink>}
      {id !== null && id !== undefined && id !== '' && <CopyId id={id} />}
    </span>
  );
}

function AgentCell({ job: { agent } }: { job: JobRow }) {
  if (agent === null || agent === undefined || LOCAL_AGENT.test(agent.id)) return ui.nothing;
  return <AppLink href={links.agent(agent.id)}>{agent.name ?? agent.id}</AppLink>;
}

function statistics(job: JobRow): string {
  const parts = [
    (job.success_count ?? 0) > 0 ? messages.success(job.success_count ?? 0) : '',
    (job.error_count ?? 0) > 0 ? messages.errors(job.error_count ?? 0) : '',
  ];
  return parts.filter(Boolean).join(', ') || ui.nothing;
}

const COLUMNS: readonly DataColumn<JobRow>[] = [
  { id: 'name', header: words.name, isSortable: true, cell: ({ name }) => name ?? ui.nothing },
  {
    id: 'time_start',
    header: words.timestamp,
    isSortable: true,
    cell: (job) => <Age at={job.time_start ?? job.created_at ?? null} />,
  },
  {
    id: 'agent',
    header: words.agent,
    priority: 3,
    isEmpty: ({ agent }) => LOCAL_AGENT.test(agent?.id ?? ''),
    cell: (job) => <AgentCell job={job} />,
  },
  {
    id: 'resource_name',
    header: words.resource,
    isPlain: true,
    width: '180px',
    isEmpty: (job) => (job.resource_name ?? job.resource_id ?? '') === '',
    isSortable: true,
    cell: (job) => <ResourceCell job={job} />,
  },
  {
    id: 'status',
    header: words.status,
    isPlain: true,
    priority: 1,
    isSortable: true,
    cell: ({ status }) => <JobStatus status={status ?? null} />,
  },
  {
    id: 'duration_millis',
    header: words.duration,
    isSortable: true,
    align: 'end',
    cell: (job) =>
      job.duration_millis === null || job.duration_millis === undefined
        ? ui.nothing
        : formatDuration(job.duration_millis),
  },
  { id: 'statistics', header: words.statistics, cell: statistics },
];

interface JobTableProps {
  jobs: ReturnType<typeof useJobs>;
  state: TableState;
  defaultSort: DefaultSort;
  onState: (state: TableState) => void;
}

/** Runs of jobs; pressing one that has something to say shows it. */
export function JobTable({ jobs: { kept, error }, state, defaultSort, onState }: JobTableProps) {
  const [shown, setShown] = useState<JobRow | null>(null);
  return (
    <>
      <CachedTable
        label={messages.table}
        columns={COLUMNS}
        rows={kept?.value.rows}
        rowId={({ id }) => id}
        state={state}
        defaultSort={defaultSort}
        onState={onState}
        total={kept?.value.total ?? 0}
        pressOf={(job) => (jobDetails(job.details) === null ? null : () => setShown(job))}
        kept={kept}
        problem={error === null ? null : messages.errorText(error)}
        failedTitle={messages.failed}
        emptyHint={messages.emptyHint}
      />
      {shown !== null && <JobDetailsDialog job={shown} onClose={() => setShown(null)} />}
    </>
  );
}
