/**
 * The one door to the database, the same on PGlite and PostgreSQL. Rows come back as the database's own JSON
 * (times as ISO text with offset, bigint and numeric as numbers), so both engines answer byte for byte alike
 * and PGlite is spared its slow row decoding. SQL lives in *-query.ts files and migrations (style 42).
 */
export type SqlValue = string | number | boolean | null | Date | readonly SqlValue[] | object;

export interface Queryable {
  /** Rows of a statement that returns rows (select, or insert/update/delete … returning). */
  rows<Row>(sql: string, params?: readonly SqlValue[]): Promise<Row[]>;
  /** The single text value of a statement that returns one row with one text column; null for none. */
  text(sql: string, params?: readonly SqlValue[]): Promise<string | null>;
  /** Runs a statement without result; answers how many rows it touched. */
  run(sql: string, params?: readonly SqlValue[]): Promise<number>;
}

export interface Database extends Queryable {
  readonly kind: 'pglite' | 'postgres';
  /** Runs several statements without parameters (migrations). */
  script(sql: string): Promise<void>;
  /** Commits when the function resolves, rolls back when it throws. Not nestable. */
  transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}
