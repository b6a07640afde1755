/** One line of the list: text in three cells, so that there is little to lay out. */
import { memo } from 'react';
import type { LogRow } from '../../contract/logs/log-view.ts';
import { formatInstant, formatSecond } from '../../domain/time/format.ts';
import { LevelMark } from './LevelMark.tsx';
import { LinePieces } from './LinePieces.tsx';
import classes from './logs.module.css';
import { messages } from './messages.ts';

const NAMED_CHARS = 60;

interface LogLineProps {
  index: number;
  /** Null while it is on its way. */
  row: LogRow | null;
  /** px; null where the line is as tall as its text. */
  height: number | null;
  isChosen: boolean;
  /** Null where lines can't be attached. */
  onChoose: ((seq: number) => void) | null;
  onOpen: (seq: number) => void;
}

type TimeProps = Omit<LogLineProps, 'index' | 'height' | 'row'> & { row: LogRow };

function Time({ row: { seq, atMs, level, pieces }, isChosen, onChoose, onOpen }: TimeProps) {
  const time = `${formatSecond(atMs)}.${String(Math.floor(atMs % 1000)).padStart(3, '0')}`;
  const start = pieces
    .map(({ text }) => text)
    .join('')
    .slice(0, NAMED_CHARS);
  return (
    <>
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
        data-row-link=""
        className={classes.open}
        aria-label={messages.details(time, messages.levels[level])}
        onClick={() => onOpen(seq)}
      >
        <LevelMark level={level} />
        <time dateTime={new Date(atMs).toISOString()} title={formatInstant(atMs)}>
          {time}
        </time>
      </button>
    </>
  );
}

function Label({ name, value }: { name: string; value: string }) {
  return (
    <span className={classes.label} title={`${name}: ${value}`}>
      <span className={classes.labelName}>{name}: </span>
      {value}
    </span>
  );
}

/** See the head of this file. Drawn anew only when it says something else. */
export const LogLine = memo(function LogLine({ index, row, height, ...choice }: LogLineProps) {
  const style = height === null ? undefined : { height };
  const place = { role: 'row', 'aria-rowindex': index + 2, style };
  if (row === null) return <div {...place} className={`${classes.row} ${classes.placeholder}`} />;
  const { level, pieces, isCut, labels } = row;
  return (
    <div {...place} data-level={level} className={`${classes.row} ${height === null ? '' : classes.fixed}`}>
      <div role="cell">
        <Time row={row} {...choice} />
      </div>
      <div role="cell" className={classes.messageCell}>
        <LinePieces pieces={pieces} />
        {isCut && <span className={classes.cut}> … {messages.cut}</span>}
      </div>
      <div role="cell" className={classes.labelsCell}>
        {labels.map(([name, value]) => (
          <Label key={name} name={name} value={value} />
        ))}
      </div>
    </div>
  );
});
