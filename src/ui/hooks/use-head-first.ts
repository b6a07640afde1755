import { useDeferredValue, useMemo } from 'react';

/** More than a screen shows. */
const HEAD_ROWS = 24;
const NONE: readonly never[] = [];

/**
 * The first rows at once; what is new further down follows when nothing else waits for the page. Rows that are
 * drawn already are never older than the others, and never left out.
 */
export function useHeadFirst<Row extends { id: string }>(rows: readonly Row[]): readonly Row[] {
  const drawn = useDeferredValue(rows, NONE);
  return useMemo(() => {
    if (drawn === rows) return rows;
    const ids = new Set(drawn.map(({ id }) => id));
    return rows.filter(({ id }, at) => at < HEAD_ROWS || ids.has(id));
  }, [rows, drawn]);
}
