import { memo } from 'react';
import type { IncidentRow } from '../../../contract/collections.ts';
import type { LiveRow } from '../../../contract/live-query.ts';
import { links } from '../../../domain/links.ts';
import { Age } from '../../../ui/Age.tsx';
import { AppLink } from '../../../ui/AppLink.tsx';
import { PendingMark } from '../../../ui/PendingMark.tsx';
import rowLink from '../../../ui/row-link.module.css';
import { SortButton } from '../../../ui/SortButton.tsx';
import { useHeadFirst } from '../../../ui/use-head-first.ts';
import classes from './incidents.module.css';
import { messages as shared } from '../messages.ts';
import { messages } from './messages.ts';
import { SeverityMark } from '../SeverityMark.tsx';
import { StatusMenu } from './StatusMenu.tsx';
import { isSameTeam, Team } from './Team.tsx';
import type { Responding } from './use-list-responders.ts';
import type { ChangeStatus } from './use-quick-status.tsx';
import type { Sort } from '../url-state.ts';
import { wordFor } from '../words.ts';

const COLUMNS = ['id', 'type', 'severity', 'status', 'name', 'age', 'responders'] as const;

/** What both forms of the list are given. */
export interface ListProps {
  rows: readonly LiveRow<IncidentRow>[];
  responding: ReadonlyMap<string, Responding>;
  /** How much happened in each incident that its reader hasn't seen. */
  unread: ReadonlyMap<string, number>;
  /** Null for who may only read. */
  onStatus: ChangeStatus | null;
}

/** Something happened that its reader hasn't seen: a dot, and how much for who can't see it. */
export function UnreadDot({ count }: { count: number | undefined }) {
  if (count === undefined || count === 0) return null;
  const text = messages.unread(count);
  return (
    <span className={classes.unread} title={text} data-unread={count}>
      <span className="visually-hidden">{text}</span>
    </span>
  );
}

/** The number, or why there is none. */
export function IncidentNumber({ row }: { row: IncidentRow }) {
  if (row.incident_id !== '') return row.incident_id;
  return <span title={shared.unnumberedHint}>{shared.unnumbered}</span>;
}

/** What one line of either form shows. */
export interface LineProps {
  found: LiveRow<IncidentRow>;
  responding: Responding | undefined;
  unread: number | undefined;
  onStatus: ChangeStatus | null;
}

/** For lines that are drawn anew only when something of their own changed: the list around them changes often. */
export function isSameLine(before: LineProps, after: LineProps): boolean {
  return (
    before.found === after.found &&
    before.unread === after.unread &&
    before.onStatus === after.onStatus &&
    isSameTeam(before.responding, after.responding)
  );
}

/** Everything but who responds, which is known a moment later. */
const Facts = memo(function Facts({
  found: { row, pending },
  unread,
  onStatus,
}: Omit<LineProps, 'responding'>) {
  return (
    <>
      <td className={classes.number}>
        <IncidentNumber row={row} />
      </td>
      <td className={classes.type}>{wordFor('types', row.type)}</td>
      <td className={classes.severityCell}>
        <SeverityMark severity={row.severity} />
      </td>
      <td className={classes.statusCell}>
        <StatusMenu row={row} onChange={onStatus} />
      </td>
      <td className={classes.name}>
        <span className={classes.nameLine}>
          <UnreadDot count={unread} />
          <AppLink
            href={links.incident(row.id)}
            className={`${rowLink.link} ${classes.rowLink}`}
            data-row-link
          >
            {row.title}
          </AppLink>
          {pending !== 'none' && <PendingMark state={pending} />}
        </span>
      </td>
      <td className={classes.age}>
        <Age at={row.created_at} />
      </td>
    </>
  );
});

const Line = memo(function Line({ responding, ...facts }: LineProps) {
  const { id } = facts.found;
  return (
    <tr className={`${rowLink.row} ${classes.row}`} data-incident={id}>
      <Facts {...facts} />
      <td className={classes.teamCell}>
        <Team incidentId={id} responding={responding} />
      </td>
    </tr>
  );
}, isSameLine);

interface SortingProps {
  sort: Sort;
  onSort: (sort: Sort) => void;
}

/** A press sorts by the column, another turns the order around where there is another. */
function SortHead({ column, sort, onSort }: SortingProps & { column: 'severity' | 'age' }) {
  const next = column === 'severity' ? 'severity' : sort === 'newest' ? 'oldest' : 'newest';
  return (
    <SortButton
      text={messages.columns[column]}
      order={ariaSort(column, sort) ?? null}
      onPress={() => onSort(next)}
    />
  );
}

function ariaSort(column: string, sort: Sort): 'ascending' | 'descending' | undefined {
  if (column === 'severity' && sort === 'severity') return 'descending';
  // The newest has the smallest age.
  if (column === 'age' && sort === 'newest') return 'ascending';
  return column === 'age' && sort === 'oldest' ? 'descending' : undefined;
}

/** Incidents, one a row; the whole row follows its link. */
export function IncidentTable({
  sort,
  onSort,
  rows,
  responding,
  unread,
  onStatus,
}: ListProps & SortingProps) {
  const shown = useHeadFirst(rows);
  return (
    <table className={classes.table}>
      <thead>
        <tr>
          {COLUMNS.map((column) => (
            <th
              key={column}
              scope="col"
              className={column === 'age' ? classes.age : ''}
              aria-sort={ariaSort(column, sort)}
            >
              {column === 'severity' || column === 'age' ? (
                <SortHead column={column} sort={sort} onSort={onSort} />
              ) : (
                messages.columns[column]
              )}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {shown.map((found) => (
          <Line
            key={found.id}
            found={found}
            responding={responding.get(found.id)}
            unread={unread.get(found.id)}
            onStatus={onStatus}
          />
        ))}
      </tbody>
    </table>
  );
}
