/**
 * Any number of rows of one height, of which the page holds what is on screen and a little more. It owns the scrolling
 * and which rows are drawn; nothing is measured but its own place. Lists whose rows have heights of their own take
 * react-virtuoso, which is ten times as large (decisions/0036).
 */
import type { ReactNode, Ref } from 'react';
import { memo, useCallback, useEffect, useImperativeHandle, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useAfterPaint } from '../hooks/use-after-paint.ts';
import { firstRange, onScreen, rangeAt, rangeWithin, topShowing, type RowRange } from './row-range.ts';
import classes from './FixedRows.module.css';

/** What a list's keys and its question do to it. */
export interface FixedRowsHandle {
  scrollToTop: () => void;
  /** Calls `done` when the row is in the page. */
  scrollIntoView: (location: { index: number; done: () => void }) => void;
}

interface FixedRowsProps {
  ref: Ref<FixedRowsHandle>;
  count: number;
  /** Of each row, px. */
  height: number;
  row: (index: number) => ReactNode;
  /** The rows that are drawn, end excluded. */
  onRange: (start: number, end: number) => void;
  isTabStop: boolean;
  className: string;
}

/** Rows that are drawn change by a scroll at once: a browser that scrolls further meanwhile would show none. */
function useDrawnRange(height: number) {
  const scroller = useRef<HTMLDivElement>(null);
  const [range, setRange] = useState(() => firstRange(window.innerHeight, height));
  const look = useCallback(() => {
    if (scroller.current === null) return;
    const { scrollTop: top, clientHeight: seen } = scroller.current;
    const next = rangeAt({ top, seen }, height);
    setRange((before) => (before.start === next.start && before.end === next.end ? before : next));
  }, [height]);
  const attach = useCallback(
    (element: HTMLDivElement) => {
      scroller.current = element;
      const observer = new ResizeObserver(look);
      observer.observe(element);
      return () => {
        observer.disconnect();
        scroller.current = null;
      };
    },
    [look],
  );
  return { scroller, range, look, attach };
}

type Row = FixedRowsProps['row'];

/** What `row` made of some rows, from `start` on. */
interface Drawn {
  row: Row;
  start: number;
  rows: readonly ReactNode[];
}

const isSame = (one: Drawn, other: Drawn): boolean => one.row === other.row;

interface RowsProps extends RowRange {
  /** Those that may be on screen: the others follow a frame later, so that a key waits for fewer. */
  seenStart: number;
  seenEnd: number;
  row: Row;
}

const Rows = memo(function Rows({ start, end, seenStart, seenEnd, row }: RowsProps) {
  const drawn = useMemo(
    () => ({ row, start, rows: Array.from({ length: end - start }, (_, at) => row(start + at)) }),
    [start, end, row],
  );
  const painted = useAfterPaint(drawn, isSame);
  return drawn.rows.map((now, at) => {
    const index = start + at;
    const isSeen = index >= seenStart && index < seenEnd;
    return (
      <div key={index} data-index={index}>
        {isSeen ? now : (painted.rows[index - painted.start] ?? now)}
      </div>
    );
  });
});

/** See the head of this file. */
export function FixedRows(props: FixedRowsProps) {
  const { ref, count, height, row, onRange, isTabStop, className } = props;
  const { scroller, range, look, attach } = useDrawnRange(height);
  const { start, end } = rangeWithin(range, count);
  // A list that became shorter is about to be scrolled: each of its rows may be on screen then.
  const seen = end < range.end ? { start, end } : onScreen(range);
  useEffect(() => onRange(start, end), [onRange, start, end]);
  useImperativeHandle(
    ref,
    () => ({
      scrollToTop: () => scroller.current?.scrollTo({ top: 0 }),
      scrollIntoView: ({ index, done }) => {
        const element = scroller.current;
        if (element === null) return;
        const place = { top: element.scrollTop, seen: element.clientHeight };
        element.scrollTop = topShowing(index, place, height);
        flushSync(look);
        done();
      },
    }),
    [scroller, height, look],
  );
  return (
    <div
      ref={attach}
      role="rowgroup"
      tabIndex={isTabStop ? 0 : -1}
      data-row-scroller=""
      className={`${classes.scroller} ${className}`}
      onScroll={() => flushSync(look)}
    >
      <div className={classes.all} style={{ height: count * height, paddingTop: start * height }}>
        <Rows start={start} end={end} seenStart={seen.start} seenEnd={seen.end} row={row} />
      </div>
    </div>
  );
}
