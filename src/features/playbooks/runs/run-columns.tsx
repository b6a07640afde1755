/** The columns of the list of runs (spec 1 §2 'Playbook runs'). */
import type { RunListRow } from '../../../contract/http/playbooks/playbooks.ts';
import { Age } from '../../../ui/marks/Age.tsx';
import { RunStatus } from '../../../ui/marks/RunStatus.tsx';
import { messages as ui } from '../../../ui/messages.ts';
import type { DataColumn } from '../../../ui/tables/DataTable.tsx';
import { messages } from '../messages.ts';
import { PersonName } from '../PersonName.tsx';
import { playbookTitle } from '../playbook-title.ts';
import { resourceOf } from '../resource.ts';
import { RunDuration } from './RunDuration.tsx';

const words = messages.runs.columns;

export const RUN_COLUMNS: readonly DataColumn<RunListRow>[] = [
  { id: 'name', header: words.name, isSortable: true, cell: ({ playbooks }) => playbookTitle(playbooks) },
  {
    id: 'resource',
    header: words.resource,
    isSortable: true,
    isEmpty: (run) => resourceOf(run) === null,
    cell: (run) => resourceOf(run)?.name ?? ui.nothing,
  },
  {
    id: 'status',
    header: words.status,
    isPlain: true,
    priority: 1,
    isSortable: true,
    cell: ({ status }) => <RunStatus status={status} />,
  },
  {
    id: 'start_time',
    header: words.date,
    isSortable: true,
    priority: 2,
    isEmpty: (run) => (run.start_time ?? run.scheduled_time ?? null) === null,
    cell: (run) => <Age at={run.start_time ?? run.scheduled_time ?? null} />,
  },
  {
    id: 'duration',
    header: words.duration,
    align: 'end',
    isSortable: true,
    isEmpty: (run) => (run.start_time ?? null) === null,
    cell: (run) => <RunDuration run={run} />,
  },
  {
    id: 'created_at',
    header: words.createdAt,
    isSortable: true,
    cell: ({ created_at: at }) => <Age at={at ?? null} />,
  },
  {
    id: 'created_by',
    header: words.createdBy,
    isSortable: true,
    isEmpty: ({ created_by: by }) => by === null || by === undefined,
    cell: ({ created_by: by }) => <PersonName person={by} />,
  },
];
