/**
 * Rows as CSV for spreadsheets. A text that a spreadsheet would take for a formula gets an apostrophe in front;
 * objects are written as JSON.
 */
const FORMULA = /^[=+\-@\t\r]/;
const MUST_QUOTE = /[",\r\n]/;

function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  // A negative number is no formula; a text that begins with a minus may be one.
  const safe = typeof value !== 'number' && FORMULA.test(text) ? `'${text}` : text;
  return MUST_QUOTE.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The header from the columns, one line a row; an empty set still has its header. */
export function toCsv(
  columns: readonly string[],
  rows: readonly Readonly<Record<string, unknown>>[],
): string {
  const lines = rows.map((row) => columns.map((column) => cell(row[column])).join(','));
  return `${[columns.map(cell).join(','), ...lines].join('\r\n')}\r\n`;
}
