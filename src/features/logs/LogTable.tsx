/**
 * The lines, newest first; of any number of them the page holds what is on screen. A line is one line of text of a known
 * height; wrapped, each has its own.
 */
import { memo, useCallback } from 'react';
import { Virtuoso, type Components, type VirtuosoHandle } from 'react-virtuoso';
import type { LogViewState } from '../../data/queries/logs/use-log.ts';
import { useDevice, type Device } from '../../ui/Device.tsx';
import { PHONE, useMedia } from '../../ui/hooks/use-media.ts';
import { FixedRows, type FixedRowsHandle } from '../../ui/tables/FixedRows.tsx';
import { useRowKeys } from '../../ui/tables/row-keys.ts';
import { LogHead } from './LogHead.tsx';
import { LogLine } from './LogLine.tsx';
import classes from './logs.module.css';
import { messages } from './messages.ts';
import { useColumnWidths } from './use-column-widths.ts';

/** Spec 3 §2 'Log line': until it is measured. */
const ROW_ESTIMATE_PX = 62;
const OVERSCAN_ROWS = 10;
const FIRST_ROWS = 20;

const LINE_PX = { compact: 30, comfortable: 36 };
const TOUCH_LINE_PX = { compact: 44, comfortable: 48 };
/** Time, text and labels below each other. */
const PHONE_LINE_PX = { compact: 84, comfortable: 92 };

function useLineHeight(density: Device['density']): number {
  const isPhone = useMedia(PHONE);
  const isCoarse = useMedia('(pointer: coarse)');
  if (isPhone) return PHONE_LINE_PX[density];
  return (isCoarse ? TOUCH_LINE_PX : LINE_PX)[density];
}

interface LogTableProps {
  view: LogViewState;
  isWrapped: boolean;
  chosen: ReadonlySet<number>;
  onChoose: ((seq: number) => void) | null;
  onOpen: (seq: number) => void;
  /** Whether the newest line is on screen. */
  onTop: (isAtTop: boolean) => void;
}

const PARTS: Components = { List: (props) => <div {...props} role="rowgroup" /> };

interface RowsProps {
  count: number;
  row: (index: number) => React.ReactNode;
  onRange: (start: number, end: number) => void;
}

function WrappedRows({ count, row, onRange, list }: RowsProps & { list: React.Ref<VirtuosoHandle> }) {
  return (
    <Virtuoso
      ref={list}
      tabIndex={-1}
      className={classes.scroller ?? ''}
      components={PARTS}
      totalCount={count}
      defaultItemHeight={ROW_ESTIMATE_PX}
      increaseViewportBy={OVERSCAN_ROWS * ROW_ESTIMATE_PX}
      initialItemCount={Math.min(count, FIRST_ROWS)}
      rangeChanged={({ startIndex, endIndex }) => onRange(startIndex, endIndex + 1)}
      itemContent={row}
    />
  );
}

/** See the head of this file. Drawn anew only when an answer or a choice changed. */
export const LogTable = memo(function LogTable(props: LogTableProps) {
  const { view, isWrapped, chosen, onChoose, onOpen, onTop } = props;
  const { frame, getRow, setVisibleRange } = view;
  const { density } = useDevice();
  const height = useLineHeight(density);
  const { widths, resize } = useColumnWidths();
  const count = frame.rowCount;
  const { list, handleKey } = useRowKeys<FixedRowsHandle & VirtuosoHandle>({ count });
  const style = { '--time': `${widths.time}px`, '--labels': `${widths.labels}px` } as React.CSSProperties;
  const handleScroll = useCallback(
    (event: React.UIEvent) => onTop(event.target instanceof HTMLElement && event.target.scrollTop < 1),
    [onTop],
  );
  const row = (index: number) => {
    const shown = getRow(index);
    return (
      <LogLine
        index={index}
        row={shown}
        height={isWrapped ? null : height}
        isChosen={shown !== null && chosen.has(shown.seq)}
        onChoose={onChoose}
        onOpen={onOpen}
      />
    );
  };
  const rows = { count, row, onRange: setVisibleRange };
  return (
    <div
      role="table"
      aria-label={messages.table}
      aria-rowcount={count + 1}
      className={`${classes.table} ${isWrapped ? classes.wrapped : ''}`}
      style={style}
      onKeyDown={handleKey}
      onScrollCapture={handleScroll}
    >
      <LogHead widths={widths} resize={resize} />
      {isWrapped ? (
        <WrappedRows {...rows} list={list} />
      ) : (
        <FixedRows
          {...rows}
          ref={list}
          height={height}
          isTabStop={false}
          className={classes.scroller ?? ''}
        />
      )}
    </div>
  );
});
