import { IconAlertTriangle } from '@tabler/icons-react';
import type { RuleSummary } from '../../../contract/http/notifications/notification-views.ts';
import { formatDuration } from '../../../domain/time/format.ts';
import { Age } from '../../../ui/marks/Age.tsx';
import { PersonName } from '../../../ui/marks/Avatar.tsx';
import { messages as ui } from '../../../ui/messages.ts';
import type { DataColumn } from '../../../ui/tables/DataTable.tsx';
import { messages } from './messages.ts';
import classes from './rules.module.css';

const words = messages.columns;

function Events({ row }: { row: RuleSummary }) {
  const [first = messages.noEvents, ...others] = row.events ?? [];
  return (
    <span className={classes.events} title={row.events?.join(', ')}>
      {(row.error ?? '') !== '' && (
        <span className={classes.rests} title={`${messages.restMark} – ${row.error ?? ''}`}>
          <IconAlertTriangle size={15} aria-hidden />
          <span className="visually-hidden">{messages.restMark}</span>
        </span>
      )}
      {first}
      {others.length > 0 && <span className={classes.note}>{messages.moreEvents(others.length)}</span>}
    </span>
  );
}

/** Who is told, in a word. */
export const recipientText = ({ person, team }: RuleSummary): string =>
  person?.name ?? team?.name ?? (person || team ? ui.nothing : messages.services);

/** On a phone a count of nothing is not worth its line. */
const counted = (id: 'pending' | 'failed' | 'sent', header: string): DataColumn<RuleSummary> => ({
  id,
  header,
  align: 'end',
  width: '80px',
  isEmpty: (row) => (row[id] ?? 0) === 0,
  sortValue: (row) => row[id] ?? null,
  cell: (row) => row[id] ?? ui.nothing,
});

const time = (id: 'created_at' | 'updated_at', header: string): DataColumn<RuleSummary> => ({
  id,
  header,
  width: '92px',
  priority: 3,
  sortValue: (row) => row[id] ?? null,
  cell: (row) => <Age at={row[id] ?? null} />,
});

/** As contract §19.11 has them, and who is told. */
export const RULE_COLUMNS: readonly DataColumn<RuleSummary>[] = [
  {
    id: 'events',
    header: words.events,
    width: '184px',
    sortValue: ({ events }) => events?.[0] ?? null,
    cell: (row) => <Events row={row} />,
  },
  {
    id: 'title',
    header: words.title,
    width: '150px',
    priority: 1,
    fills: true,
    isPlain: true,
    sortValue: ({ title }) => title ?? null,
    cell: ({ title }) => title ?? ui.nothing,
  },
  {
    id: 'filter',
    header: words.filter,
    width: '120px',
    sortValue: ({ filter }) => filter ?? null,
    cell: ({ filter }) =>
      (filter ?? '') === '' ? ui.nothing : <span className={classes.filter}>{filter}</span>,
  },
  {
    id: 'recipient',
    header: words.recipient,
    width: '112px',
    priority: 1,
    isPlain: true,
    sortValue: recipientText,
    cell: recipientText,
  },
  counted('pending', words.pending),
  counted('failed', words.failed),
  { ...counted('sent', words.sent), priority: 1 },
  {
    id: 'avg_duration_ms',
    header: words.average,
    align: 'end',
    width: '124px',
    sortValue: (row) => row.avg_duration_ms ?? null,
    cell: ({ avg_duration_ms: ms }) => (ms === null || ms === undefined ? ui.nothing : formatDuration(ms)),
  },
  {
    id: 'repeat_interval',
    header: words.interval,
    width: '128px',
    sortValue: (row) => row.repeat_interval ?? null,
    cell: (row) => row.repeat_interval ?? ui.nothing,
  },
  time('created_at', words.createdAt),
  time('updated_at', words.updatedAt),
  {
    id: 'created_by',
    header: words.createdBy,
    width: '112px',
    priority: 3,
    cell: ({ created_by: creator }) =>
      creator === null || creator === undefined || typeof creator === 'string' ? (
        ui.nothing
      ) : (
        <PersonName name={creator.name ?? creator.id} image={creator.avatar} />
      ),
  },
];
