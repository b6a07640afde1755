/** A row to insert: column names and values. */
export interface SeedRow {
  [column: string]: unknown;
}
