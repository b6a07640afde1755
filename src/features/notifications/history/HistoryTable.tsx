import type { ReactNode } from 'react';
import { Age } from '../../../ui/marks/Age.tsx';
import { PendingMark } from '../../../ui/marks/PendingMark.tsx';
import { messages as ui } from '../../../ui/messages.ts';
import type { FoldableColumn } from '../../../ui/tables/fold-columns.ts';
import grid from '../../../ui/tables/GridTable.module.css';
import rowLink from '../../../ui/tables/row-link.module.css';
import { useGridColumns } from '../../../ui/tables/use-grid-columns.ts';
import type { KnownChoosing } from '../../../ui/tables/choosing/use-known-choosing.tsx';
import { PlaceholderRow, VirtualGrid, type RowShape } from '../../../ui/tables/VirtualGrid.tsx';
import classes from './history.module.css';
import { messages } from './messages.ts';
import { StatusTag } from './StatusTag.tsx';
import { chosenOf, resourceName, type History, type HistoryRow, type Pending } from './use-history.ts';

const words = messages.columns;

interface HistoryColumn extends FoldableColumn {
  id: keyof typeof words;
  width: string;
}

/** As contract §19.11 has them, what names the row first; and who was told. */
const COLUMNS: readonly HistoryColumn[] = [
  { id: 'resource', width: 'minmax(240px, 2fr)' },
  { id: 'status', width: '132px', priority: 1 },
  { id: 'event', width: 'minmax(168px, 1fr)' },
  { id: 'recipient', width: 'minmax(140px, 0.8fr)', priority: 3 },
  { id: 'age', width: '72px', priority: 1 },
];
const NEWEST_FIRST = { by: 'age', isDescending: true };

interface LineProps {
  row: HistoryRow;
  pending: Pending;
  box: ReactNode;
  onOpen: (id: string) => void;
}

function Name({ row, pending, box, onOpen }: LineProps) {
  const kind = messages.kinds[row.resource_type ?? ''] ?? row.resource_type ?? '';
  return (
    <>
      {box}
      <button
        type="button"
        className={`${rowLink.link} ${classes.link}`}
        data-row-link=""
        title={row.title ?? ''}
        onClick={() => onOpen(row.id)}
      >
        {resourceName(row)}
      </button>
      {pending !== 'none' && <PendingMark state={pending} />}
      <span className={classes.dim}>{kind}</span>
    </>
  );
}

function Status({ row }: { row: HistoryRow }) {
  return (
    <>
      <StatusTag status={row.status} />
      {(row.count ?? 1) > 1 && <span className={classes.dim}>{messages.times(row.count ?? 1)}</span>}
    </>
  );
}

function cellOf(line: LineProps, id: HistoryColumn['id']) {
  const { row } = line;
  switch (id) {
    case 'resource':
      return <Name {...line} />;
    case 'status':
      return <Status row={row} />;
    case 'event':
      return <span>{row.source_event}</span>;
    case 'recipient':
      return <span>{row.recipient ?? ui.nothing}</span>;
    case 'age':
      return <Age at={row.created_at} />;
  }
}

function PhoneLine(line: LineProps) {
  const { row } = line;
  return (
    <>
      <div role="gridcell" className={classes.cell}>
        <Name {...line} />
      </div>
      <div role="gridcell" className={classes.side}>
        <Status row={row} />
      </div>
      <div role="gridcell" className={classes.sub}>
        {[row.source_event, row.recipient].filter(Boolean).join(' · ')}
      </div>
      <div role="gridcell" className={classes.side}>
        <Age at={row.created_at} />
      </div>
    </>
  );
}

interface HistoryTableProps {
  history: History;
  choosing: KnownChoosing;
  onOpen: (id: string) => void;
}

/** Notifications in rows, of which the page holds what is on screen; a press opens one. */
export function HistoryTable({ history, choosing, onOpen }: HistoryTableProps) {
  const { ref, shown, style } = useGridColumns(COLUMNS, 'age');
  const line = ({ index, height, isPhone }: RowShape) => {
    const found = history.rowAt(index);
    if (found === null) return <PlaceholderRow index={index} height={height} />;
    const props = { ...found, onOpen, box: choosing.box(chosenOf(found.row)) };
    return (
      <div
        role="row"
        aria-rowindex={index + 2}
        data-row-kind="notification"
        className={`${grid.row} ${rowLink.row} ${classes.row} ${isPhone ? grid.phone : ''}`}
        style={{ height }}
      >
        {isPhone ? (
          <PhoneLine {...props} />
        ) : (
          shown.map(({ id }) => (
            <div key={id} role="gridcell" className={classes.cell}>
              {cellOf(props, id)}
            </div>
          ))
        )}
      </div>
    );
  };
  return (
    <VirtualGrid
      label={messages.label}
      role="grid"
      count={history.count}
      columns={shown.map(({ id }) => ({ id, text: words[id], onSort: null }))}
      sort={NEWEST_FIRST}
      headLead={choosing.boxOfAll}
      onRange={history.setRange}
      row={line}
      onChoose={(index, isRange) => {
        const row = history.rowAt(index)?.row;
        if (row !== undefined && choosing.mayChoose) choosing.choose(chosenOf(row), isRange);
      }}
      gridRef={ref}
      style={style}
    />
  );
}
