import { createColumnHelper, tableFeatures, useTable } from '@tanstack/react-table';
import { useState } from 'react';
import type { HistoryEntry } from '../../../contract/queries/check-queries.ts';
import { useQuery } from '../../../data/queries/use-query.ts';
import { parseDurationFilter } from '../../../domain/check/history-filter.ts';
import { formatDuration, formatSecond } from '../../../domain/time/format.ts';
import type { TimeRange } from '../../../domain/time/ranges.ts';
import { Age } from '../../../ui/marks/Age.tsx';
import { HealthMark } from '../../../ui/marks/HealthMark.tsx';
import { CacheNote } from '../../../ui/feedback/CacheNote.tsx';
import { messages as ui } from '../../../ui/messages.ts';
import { SkeletonRows } from '../../../ui/feedback/Skeleton.tsx';
import { StateNote } from '../../../ui/feedback/StateNote.tsx';
import classes from './drawer.module.css';
import { HistoryFilters } from './HistoryFilters.tsx';
import type { HistoryFilterState } from './HistoryFilters.tsx';
import { messages } from './messages.ts';
import { NotHere } from './NotHere.tsx';

const features = tableFeatures({});
const column = createColumnHelper<typeof features, HistoryEntry>();

function AgeCell({ entry }: { entry: HistoryEntry }) {
  return (
    <span className={classes.age}>
      <HealthMark state={entry.status ? 'healthy' : 'unhealthy'} />
      <span className="visually-hidden">{entry.status ? messages.passed : messages.failed}</span>
      <time dateTime={entry.time}>{formatSecond(Date.parse(entry.time))}</time>
      <span className={classes.ago}>
        <Age at={entry.time} />
      </span>
    </span>
  );
}

function MessageCell({ entry }: { entry: HistoryEntry }) {
  const text = [entry.message, entry.error].filter((part) => part !== null && part !== '').join(': ');
  if (text === '') return <span className={classes.dim}>{ui.nothing}</span>;
  return <span className={entry.status ? classes.dim : classes.failure}>{text}</span>;
}

const columns = column.columns([
  column.display({
    id: 'age',
    header: messages.columns.age,
    cell: ({ row }) => <AgeCell entry={row.original} />,
  }),
  column.display({
    id: 'duration',
    header: messages.columns.duration,
    cell: ({ row }) => (row.original.duration === null ? ui.nothing : formatDuration(row.original.duration)),
  }),
  column.display({
    id: 'message',
    header: messages.columns.message,
    cell: ({ row }) => <MessageCell entry={row.original} />,
  }),
]);

function HistoryTable({ entries }: { entries: HistoryEntry[] }) {
  const table = useTable({ features, columns, data: entries, getRowId: (entry) => entry.time });
  return (
    <table className={classes.table} aria-label={messages.historyTable}>
      <thead>
        {table.getHeaderGroups().map((group) => (
          <tr key={group.id}>
            {group.headers.map((header) => (
              <th key={header.id} scope="col">
                <table.FlexRender header={header} />
              </th>
            ))}
          </tr>
        ))}
      </thead>
      <tbody>
        {table.getRowModel().rows.map((row) => (
          <tr key={row.id} data-status={row.original.status ? 'healthy' : 'unhealthy'}>
            {row.getAllCells().map((cell) => (
              <td key={cell.id}>
                <table.FlexRender cell={cell} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const FIRST_FILTER: HistoryFilterState = { status: 'All', duration: 'All', page: 0, pageSize: 50 };

/** The check's runs, newest first; new ones come in by themselves. */
export function HistoryTab({ checkId, range }: { checkId: string; range: TimeRange }) {
  const [filter, setFilter] = useState(FIRST_FILTER);
  const parsed = parseDurationFilter(filter.duration);
  const { status, page, pageSize } = filter;
  const { kept, error } = useQuery(
    'check-history',
    parsed.ok ? { checkId, range, status, minMs: parsed.minMs, page, pageSize } : null,
  );
  return (
    <>
      <HistoryFilters filter={filter} parsed={parsed} total={kept?.value.total ?? 0} onChange={setFilter} />
      {kept !== null && <CacheNote {...kept} />}
      {kept === null && error !== null && <NotHere what={messages.tabs.history} error={error} />}
      {kept === null && error === null && parsed.ok && <SkeletonRows text={ui.loading} />}
      {kept !== null && kept.value.entries.length > 0 && <HistoryTable entries={kept.value.entries} />}
      {kept !== null && kept.value.entries.length === 0 && (
        <StateNote title={messages.noHistory}>
          <p>{messages.noHistoryHint}</p>
        </StateNote>
      )}
    </>
  );
}
