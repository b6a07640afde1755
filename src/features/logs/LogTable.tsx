/** The lines, newest first; of any number of them the page holds what is on screen. */
import { memo } from 'react';
import type { LogRow } from '../../contract/logs/log-view.ts';
import type { LogViewState } from '../../data/queries/logs/use-log.ts';
import { formatInstant, formatSecond } from '../../domain/time/format.ts';
import { Tag } from '../../ui/marks/Tag.tsx';
import { VirtualTable } from '../../ui/tables/VirtualTable.tsx';
import { LevelMark } from './LevelMark.tsx';
import { LinePieces } from './LinePieces.tsx';
import { LogHead } from './LogHead.tsx';
import classes from './logs.module.css';
import { messages } from './messages.ts';
import { useColumnWidths } from './use-column-widths.ts';

/** Spec 3 §2 'Log line'. */
const ROW_ESTIMATE_PX = 62;
const NAMED_CHARS = 60;

interface CellsProps {
  row: LogRow | null;
  isChosen: boolean;
  /** Null where lines can't be attached. */
  onChoose: ((seq: number) => void) | null;
  onOpen: (seq: number) => void;
}

const LogCells = memo(function LogCells({ row, isChosen, onChoose, onOpen }: CellsProps) {
  if (row === null) return <td className={classes.placeholder} colSpan={3} />;
  const { seq, atMs, level, pieces, isCut, labels } = row;
  const time = `${formatSecond(atMs)}.${String(Math.floor(atMs % 1000)).padStart(3, '0')}`;
  const start = pieces
    .map(({ text }) => text)
    .join('')
    .slice(0, NAMED_CHARS);
  return (
    <>
      <td className={classes.timeCell}>
        {onChoose !== null && (
          <input
            type="checkbox"
            className={classes.choose}
            checked={isChosen}
            aria-label={messages.select(start)}
            onChange={() => onChoose(seq)}
          />
        )}
        <button
          type="button"
          className={classes.open}
          aria-label={messages.details(time)}
          onClick={() => onOpen(seq)}
        >
          <LevelMark level={level} />
          <span className="visually-hidden">{messages.levels[level]} </span>
          <time dateTime={new Date(atMs).toISOString()} title={formatInstant(atMs)}>
            {time}
          </time>
        </button>
      </td>
      <td className={classes.messageCell}>
        <LinePieces pieces={pieces} />
        {isCut && <span className={classes.cut}> … {messages.cut}</span>}
      </td>
      <td className={classes.labelsCell}>
        <span className={classes.labels}>
          {labels.map(([name, value]) => (
            <Tag key={name} name={name} value={value} />
          ))}
        </span>
      </td>
    </>
  );
});

interface LogTableProps {
  view: LogViewState;
  isWrapped: boolean;
  chosen: ReadonlySet<number>;
  onChoose: ((seq: number) => void) | null;
  onOpen: (seq: number) => void;
  /** Whether the newest line is on screen. */
  onTop: (isAtTop: boolean) => void;
}

/** See the head of this file. Drawn anew only when an answer or a choice changed. */
export const LogTable = memo(function LogTable(props: LogTableProps) {
  const { view, isWrapped, chosen, onChoose, onOpen, onTop } = props;
  const { frame, getRow, setVisibleRange } = view;
  const { widths, resize } = useColumnWidths();
  const style = { '--time': `${widths.time}px`, '--labels': `${widths.labels}px` } as React.CSSProperties;
  return (
    <div className={`${classes.table} ${isWrapped ? classes.wrapped : ''}`} style={style}>
      <VirtualTable
        label={messages.table}
        tableClass={classes.rows ?? ''}
        rowClass={classes.row ?? ''}
        scrollerClass={classes.scroller ?? ''}
        rowAttributes={(index) => ({ 'data-level': getRow(index)?.level ?? 'unknown' })}
        count={frame.rowCount}
        rowEstimate={isWrapped ? ROW_ESTIMATE_PX : ROW_ESTIMATE_PX / 2}
        head={<LogHead widths={widths} resize={resize} />}
        cells={(index) => {
          const row = getRow(index);
          return (
            <LogCells
              row={row}
              isChosen={row !== null && chosen.has(row.seq)}
              onChoose={onChoose}
              onOpen={onOpen}
            />
          );
        }}
        onRange={(start, end) => {
          setVisibleRange(start, end);
          onTop(start === 0);
        }}
      />
    </div>
  );
});
