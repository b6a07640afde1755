/** Keeps the cells of a CSV from being taken for formulas by a spreadsheet, as in snapshots (server/replication/snapshot/csv.ts). */

/** A cell, quoted or not, between its ends. */
const CELL = /(?<![^,\n])(?:"(?:[^"]|"")*"|[^",\n]*)(?=[,\n]|$)/g;
const FORMULA = /^[=+\-@\t\r]/;
/** What a column of numbers holds is no formula. */
const NUMBER = /^-?(?:\d+(?:\.\d+)?(?:e[+-]?\d+)?|Infinity)$/i;

function guarded(cell: string): string {
  const text = cell.startsWith('"') ? cell.slice(1, -1) : cell;
  if (!FORMULA.test(text) || NUMBER.test(text)) return cell;
  return cell.startsWith('"') ? `"'${text}"` : `'${text}`;
}

/** The same CSV, with an apostrophe in front of what would be a formula. */
export function guardFormulas(csv: string): string {
  return csv.replaceAll(CELL, guarded);
}
