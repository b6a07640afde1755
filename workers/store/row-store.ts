/**
 * The port behind which every kind of local storage sits (design §4 'How the store is built'). One suite,
 * `row-store.test.ts`, holds every implementation to the same promises:
 * - What a call wrote is durable when it resolved.
 * - The same `apply` twice leaves what one left. One that was cut short may have left a part; whoever calls
 *   moves a cursor only after it resolved, and so repeats it.
 * - After `replaceAll` resolved there are exactly these rows. Cut short, there may be some of both: whoever
 *   calls takes its 'whole' mark away before and puts it back after (store-facts.ts).
 */
export interface RowChange<Row> {
  upserts: readonly Row[];
  deletedIds: readonly string[];
}

export interface RowStore<Row> {
  /** All rows, or those of one partition. No promise about the order. */
  loadAll(partition?: string): Promise<Row[]>;
  /** All rows, a part at a time as the store reads them: others have their turn in between, and may write. */
  loadParts(): AsyncGenerator<Row[], void>;
  /** Deletes first, then upserts. */
  apply(change: RowChange<Row>): Promise<void>;
  replaceAll(rows: readonly Row[]): Promise<void>;
  count(): Promise<number>;
  clear(): Promise<void>;
  /** Work that may wait for a quiet moment: folding logs, dropping tombstones. */
  tidy(): Promise<void>;
  close(): Promise<void>;
}

/** How rows of one collection are told apart, and which of them are read together. */
export interface RowShape<Row> {
  idOf: (row: Row) => string;
  /** The partition of a row by its id alone, so that a delete finds it without the row. */
  partitionOf: (id: string) => string;
}
