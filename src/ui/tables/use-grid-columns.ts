/** The columns of a grid that have room on this screen, names first; what has none is on the page of the row. */
import { useElementSize } from '@mantine/hooks';
import { useMemo } from 'react';
import { columnsWithoutRoom, type FoldableColumn } from './fold-columns.ts';

/** As in GridTable.module.css: between columns; at both ends of a row with its scrollbar. */
const GAP_PX = 16;
const ENDS_PX = 48;

export interface GridColumns<Column> {
  ref: React.RefCallback<HTMLDivElement | null>;
  shown: readonly Column[];
  style: React.CSSProperties;
}

/** `ref` and `style` are for the grid. The column that rows are ordered by stays as long as any. */
export function useGridColumns<Column extends FoldableColumn & { width: string }>(
  columns: readonly Column[],
  sortedBy: string | null,
): GridColumns<Column> {
  const { ref, width } = useElementSize<HTMLDivElement>();
  return useMemo(() => {
    const gone = columnsWithoutRoom(columns, {
      availablePx: (width === 0 ? window.innerWidth : width) - ENDS_PX,
      gapPx: GAP_PX,
      keptId: sortedBy,
    });
    const shown = columns.filter(({ id }) => !gone.has(id));
    const style = { '--columns': shown.map((column) => column.width).join(' ') };
    return { ref, shown, style: style as React.CSSProperties };
  }, [columns, width, sortedBy, ref]);
}
