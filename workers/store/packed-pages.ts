/**
 * How a packed collection is laid out, shared by its writer and its raw readers: pages of rows as JSON text
 * plus a log of changes that are not folded in yet. Sequences order the log; a later entry wins.
 */
export interface PackedPage {
  partition: string;
  page: number;
  /** Rows on this page. */
  count: number;
  /** JSON array of rows. */
  body: string;
}

export interface PackedDelta {
  sequence?: number;
  partition: string;
  /** JSON array of rows. */
  upserts: string;
  deletedIds: string[];
}

/** Rows to a page: about 200 KB of statuses, read in one go. */
export const PAGE_ROWS = 1000;

/** Adds pages, then the log (deletes, then upserts, entry by entry), to rows that were read before them. */
export function mergeInto<Row>(
  rows: Map<string, Row>,
  stored: { pages: readonly PackedPage[]; deltas: readonly PackedDelta[] },
  idOf: (row: Row) => string,
): void {
  for (const page of stored.pages) {
    for (const row of JSON.parse(page.body) as Row[]) rows.set(idOf(row), row);
  }
  const inOrder = stored.deltas.toSorted((a, b) => (a.sequence ?? 0) - (b.sequence ?? 0));
  for (const delta of inOrder) {
    for (const id of delta.deletedIds) rows.delete(id);
    for (const row of JSON.parse(delta.upserts) as Row[]) rows.set(idOf(row), row);
  }
}

/** Rows of one or many partitions after the log. */
export function mergePacked<Row>(
  pages: readonly PackedPage[],
  deltas: readonly PackedDelta[],
  idOf: (row: Row) => string,
): Map<string, Row> {
  const rows = new Map<string, Row>();
  mergeInto(rows, { pages, deltas }, idOf);
  return rows;
}

/** Cuts a partition's rows into pages. */
export function pagesOf<Row>(partition: string, rows: readonly Row[]): PackedPage[] {
  const pages: PackedPage[] = [];
  for (let start = 0; start < rows.length; start += PAGE_ROWS) {
    const slice = rows.slice(start, start + PAGE_ROWS);
    pages.push({ partition, page: pages.length, count: slice.length, body: JSON.stringify(slice) });
  }
  return pages;
}
