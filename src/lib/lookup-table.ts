/** A table that is asked by texts of others: `constructor` and what else every object has by itself are not in it. */
export function lookupTable<Value>(
  entries: Readonly<Record<string, Value>>,
): Readonly<Record<string, Value>> {
  const table = { ...entries };
  Object.setPrototypeOf(table, null);
  return table;
}
