/**
 * A new list in ascending order of a number, equal ones in the order in which they came. The number is read once for
 * each row: a time that a comparison parses is parsed twenty times.
 */
export function sortedBy<Row>(rows: readonly Row[], numberOf: (row: Row) => number): Row[] {
  return rows
    .map((row) => ({ row, key: numberOf(row) }))
    .toSorted((a, b) => a.key - b.key)
    .map(({ row }) => row);
}
