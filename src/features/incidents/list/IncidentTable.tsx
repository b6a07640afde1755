import { memo } from 'react';
import { links } from '../../../domain/links.ts';
import { Age } from '../../../ui/marks/Age.tsx';
import { AppLink } from '../../../ui/actions/AppLink.tsx';
import { PendingVerbMark } from '../../../ui/marks/PendingVerbMark.tsx';
import { PendingMark } from '../../../ui/marks/PendingMark.tsx';
import boxes from '../../../ui/tables/choosing/ChooseBox.module.css';
import rowLink from '../../../ui/tables/row-link.module.css';
import { SortButton } from '../../../ui/actions/SortButton.tsx';
import { VirtualTable } from '../../../ui/tables/VirtualTable.tsx';
import classes from './incidents.module.css';
import { messages } from './messages.ts';
import { SeverityMark } from '../SeverityMark.tsx';
import { StatusMenu } from './StatusMenu.tsx';
import { chosenOf, IncidentNumber, UnreadDot, type LineProps, type ListProps } from './line-parts.tsx';
import { Team } from './Team.tsx';
import type { Sort } from '../url-state.ts';
import { wordFor } from '../words.ts';

const COLUMNS = ['severity', 'id', 'type', 'status', 'name', 'age', 'responders'] as const;

/** Drawn anew only when something of its own changed: the list around it changes often. */
const Line = memo(function Line({
  found: { row, pending, team },
  unread,
  onStatus,
  tail,
  isCurrent,
  asked,
}: LineProps) {
  return (
    <>
      <td className={classes.severityCell}>
        <SeverityMark severity={row.severity} />
      </td>
      <td className={classes.number}>
        <IncidentNumber row={row} />
      </td>
      <td className={classes.type}>{wordFor('types', row.type)}</td>
      <td className={classes.statusCell}>
        <StatusMenu row={row} onChange={onStatus} />
      </td>
      <td className={classes.name}>
        <span className={classes.nameLine}>
          <UnreadDot count={unread} />
          <AppLink
            href={`${links.incident(row.id)}${tail}`}
            aria-current={isCurrent ? 'page' : undefined}
            className={`${rowLink.link} ${classes.rowLink}`}
            data-row-link
          >
            {row.title}
          </AppLink>
          {pending !== 'none' && <PendingMark state={pending} />}
          {asked !== undefined && <PendingVerbMark pending={asked} isShort />}
        </span>
      </td>
      <td className={classes.age}>
        <Age at={row.created_at} />
      </td>
      <td className={classes.teamCell}>
        <Team incidentId={row.id} team={team} />
      </td>
    </>
  );
});

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
  unread,
  onStatus,
  tail,
  currentId,
  choosing,
  asked,
}: ListProps & SortingProps) {
  const head = (
    <tr>
      {choosing.mayChoose && <th className={boxes.column}>{choosing.boxOfAll}</th>}
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
  );
  const cells = (index: number) => {
    const found = rows[index];
    if (found === undefined) return null;
    return (
      <>
        {choosing.mayChoose && <td className={boxes.column}>{choosing.box(chosenOf(found.row))}</td>}
        <Line
          found={found}
          unread={unread.get(found.id)}
          onStatus={onStatus}
          tail={tail}
          isCurrent={found.id === currentId}
          asked={asked.get(found.id)}
        />
      </>
    );
  };
  const handleKey = (key: string, index: number) => {
    const row = rows[index]?.row;
    if (row === undefined || !choosing.mayChoose || (key !== 'x' && key !== 'X')) return false;
    choosing.choose(chosenOf(row), key === 'X');
    return true;
  };
  const idAt = (index: number) => rows[index]?.id ?? '';
  return (
    <VirtualTable
      label={messages.title}
      tableClass={classes.table ?? ''}
      rowClass={`${rowLink.row} ${classes.row}`}
      rowAttributes={(index) => ({ 'data-incident': idAt(index) })}
      scrollerClass={classes.scroller ?? ''}
      count={rows.length}
      keyOf={idAt}
      head={head}
      cells={cells}
      onKey={handleKey}
    />
  );
}
