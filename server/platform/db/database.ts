/**
 * The one door to the database, the same on PGlite and PostgreSQL. Rows come back as the database's own JSON
 * (times as ISO text with offset, bigint and numeric as numbers), so both engines answer byte for byte alike
 * and PGlite is spared its slow row decoding. SQL lives in *-query.ts files and migrations (style 42).
 */
import type { z } from 'zod';

/**
 * A parameter. Everything travels as text and takes the type that the statement gives it. An array becomes a
 * PostgreSQL array (`= any($1)`), any other object JSON; pass a JSON array as JSON text (`toJson`).
 */
export type SqlValue = string | number | boolean | null | Date | readonly SqlValue[] | object;

export interface Queryable {
  /**
   * Rows of a statement that returns rows (select, or insert/update/delete … returning), each parsed by the schema
   * (row-schema.ts). The statement runs as a CTE: its columns need distinct names, and it cannot itself start with a
   * `with` that writes.
   */
  rows<Row>(row: z.ZodType<Row>, sql: string, params?: readonly SqlValue[]): Promise<Row[]>;
  /** The single text value of a statement that returns one row with one text column; null for none. */
  text(sql: string, params?: readonly SqlValue[]): Promise<string | null>;
  /** Runs a statement without result; answers how many rows it touched. */
  run(sql: string, params?: readonly SqlValue[]): Promise<number>;
  /** Runs several statements without parameters (migrations). */
  script(sql: string): Promise<void>;
}

/** For whom a request is answered. */
export interface Caller {
  /** The same for all requests of one person. */
  id: string;
  /** Aborted when nobody waits for the answer any more. */
  signal?: AbortSignal | undefined;
}

export interface Transactions extends Queryable {
  readonly kind: 'pglite' | 'postgres';
  /** Commits when the function resolves, rolls back when it throws. Not nestable: inside, use `tx` only. */
  transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T>;
}

export interface Database extends Transactions {
  /** The folder of its files where this server runs it itself: then no other server is at it. */
  ownFolder?: string;
  /**
   * The database as requests of one caller have it, who may ask for anything: statements take two seconds at most,
   * a few run at once, by turns of callers, and they end with their request. A statement or transaction that keeps
   * others waiting may be taken back and run again, so its work has no effect but on the database.
   */
  asCaller(caller: Caller): Transactions;
  close(): Promise<void>;
}
