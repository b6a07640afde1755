/**
 * A table of which the page holds what is on screen, whatever the number of its rows and their heights: it scrolls below
 * its head, and has the keys of all lists. What stands in head and rows is its caller's, by index.
 */
import type { ReactNode } from 'react';
import { TableVirtuoso, type ItemProps, type TableVirtuosoHandle } from 'react-virtuoso';
import { useRowKeys } from './row-keys.ts';

/** Spec 1 §9: a row is taken for this until it is measured. */
const ROW_ESTIMATE_PX = 35;
const FIRST_ROWS = 20;
/** Kept ready beyond each edge, rows. */
const OVERSCAN_ROWS = 10;

interface Looks {
  label: string;
  tableClass: string;
  rowClass: string;
  /** Marks each row with its key, for who looks for it: `data-incident`. */
  rowAttributes?: (index: number) => Readonly<Record<`data-${string}`, string>>;
}

interface VirtualTableProps extends Looks {
  /** For who measures it. */
  scrollerRef?: React.RefCallback<HTMLElement | null>;
  scrollerClass: string;
  count: number;
  /** What a row is taken for until it is measured, px. */
  rowEstimate?: number;
  keyOf?: (index: number) => string;
  head: ReactNode;
  /** The cells of a row. */
  cells: (index: number) => ReactNode;
  /** The rows on screen, end excluded. */
  onRange?: (start: number, end: number) => void;
  /** A key of a row's own; true where it does something. */
  onKey?: ((key: string, index: number) => boolean) | undefined;
}

const PARTS = {
  Table: ({ context, ...props }: React.ComponentProps<'table'> & { context: Looks }) => (
    <table {...props} aria-label={context.label} className={context.tableClass} />
  ),
  TableRow: ({ item: _item, context, ...props }: ItemProps<unknown> & { context: Looks }) => (
    <tr {...props} {...context.rowAttributes?.(props['data-index'])} className={context.rowClass} />
  ),
};

/** See the head of this file. */
export function VirtualTable(props: VirtualTableProps) {
  const { scrollerRef, scrollerClass, count, keyOf, head, cells, onRange, rowEstimate, onKey, ...looks } =
    props;
  const rowPx = rowEstimate ?? ROW_ESTIMATE_PX;
  const { list, handleKey } = useRowKeys<TableVirtuosoHandle>({ count, onKey });
  return (
    <div ref={scrollerRef} className={scrollerClass} onKeyDown={handleKey}>
      <TableVirtuoso
        ref={list}
        tabIndex={-1}
        context={looks}
        totalCount={count}
        defaultItemHeight={rowPx}
        increaseViewportBy={OVERSCAN_ROWS * rowPx}
        initialItemCount={Math.min(count, FIRST_ROWS)}
        {...(keyOf === undefined ? {} : { computeItemKey: keyOf })}
        components={PARTS}
        rangeChanged={({ startIndex, endIndex }) => onRange?.(startIndex, endIndex + 1)}
        fixedHeaderContent={() => head}
        itemContent={cells}
      />
    </div>
  );
}
