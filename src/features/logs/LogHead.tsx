import { useRef } from 'react';
import classes from './logs.module.css';
import { messages } from './messages.ts';
import { MIN_WIDTH_PX, type ColumnWidths } from './use-column-widths.ts';

const KEY_STEP_PX = 20;

interface LogHeadProps {
  widths: ColumnWidths;
  resize: (column: keyof ColumnWidths, byPx: number) => void;
}

/** The edge of a column, which is drawn, or moved by the arrow keys. `side`: which edge, seen from the column. */
function Edge({
  column,
  width,
  side,
  resize,
}: Pick<LogHeadProps, 'resize'> & {
  column: keyof ColumnWidths;
  width: number;
  side: 1 | -1;
}) {
  const from = useRef<number | null>(null);
  const step = (event: React.KeyboardEvent) => {
    const by = event.key === 'ArrowRight' ? KEY_STEP_PX : event.key === 'ArrowLeft' ? -KEY_STEP_PX : 0;
    if (by === 0) return;
    event.preventDefault();
    event.stopPropagation();
    resize(column, by * side);
  };
  return (
    <span
      role="separator"
      aria-orientation="vertical"
      aria-label={messages.resize(messages.columns[column])}
      aria-valuenow={width}
      aria-valuemin={MIN_WIDTH_PX}
      tabIndex={0}
      className={`${classes.edge} ${side === -1 ? classes.before : ''}`}
      onKeyDown={step}
      onPointerDown={(event) => {
        from.current = event.clientX;
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={(event) => {
        if (from.current === null) return;
        resize(column, (event.clientX - from.current) * side);
        from.current = event.clientX;
      }}
      onPointerUp={() => {
        from.current = null;
      }}
    />
  );
}

/** The names of the columns, with their edges. */
export function LogHead({ widths, resize }: LogHeadProps) {
  const { columns } = messages;
  return (
    <div role="row" aria-rowindex={1} className={classes.headRow}>
      <div role="columnheader">
        {columns.time}
        <Edge column="time" width={widths.time} side={1} resize={resize} />
      </div>
      <div role="columnheader">{columns.message}</div>
      <div role="columnheader">
        <Edge column="labels" width={widths.labels} side={-1} resize={resize} />
        {columns.labels}
      </div>
    </div>
  );
}
