/** What can be said of a row before the database sees it: values of the wrong kind, characters it can't store. */
import type { ModelColumn, ModelTable, ValueForm } from './model-query.ts';

export interface ColumnProblem {
  column: string | null;
  reason: string;
}

const SHOWN_CHARACTERS = 60;

/** A value as it may stand in a message. */
function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
}

const NOT_A_NUMBER = new Set(['NaN', 'Infinity', '-Infinity']);

/** For each form, whether a JSON value fits and what is wanted. A text in place of a number is a mistake. */
const FORMS: Readonly<Record<ValueForm, { fits: (value: unknown) => boolean; wanted: string }>> = {
  text: { fits: (value) => typeof value === 'string', wanted: 'a text' },
  boolean: { fits: (value) => typeof value === 'boolean', wanted: 'true or false' },
  whole: {
    fits: (value) => typeof value === 'number' && (Number.isInteger(value) || !Number.isFinite(value)),
    wanted: 'a whole number',
  },
  number: {
    fits: (value) => typeof value === 'number' || (typeof value === 'string' && NOT_A_NUMBER.has(value)),
    wanted: 'a number',
  },
  json: { fits: () => true, wanted: 'any JSON' },
  array: { fits: (value) => Array.isArray(value), wanted: 'an array' },
  other: { fits: (value) => typeof value === 'string', wanted: 'a text' },
};

function hasNul(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0');
  if (Array.isArray(value)) return value.some(hasNul);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([name, inner]) => name.includes('\0') || hasNul(inner));
}

function checkValue(column: ModelColumn, value: unknown): string | null {
  if (value === undefined || value === null) {
    return column.isNotNull && column.fallback === null ? 'is missing, and has no default' : null;
  }
  const { fits, wanted } = FORMS[column.form];
  if (!fits(value)) return `is ${shown(value)}; wanted is ${wanted} (${column.type})`;
  return null;
}

/** Everything wrong with a row that can be seen without the database. */
export function checkRow(
  table: ModelTable,
  row: Readonly<Record<string, unknown>>,
  text: string,
): ColumnProblem[] {
  const problems: ColumnProblem[] = [];
  // Looking into every text costs; a NUL character can only be there if it was written like this.
  const mayHaveNul = text.includes('\\u0000');
  for (const column of table.columns) {
    const value = row[column.name];
    const reason = checkValue(column, value);
    if (reason !== null) problems.push({ column: column.name, reason });
    else if (mayHaveNul && hasNul(value)) {
      problems.push({
        column: column.name,
        reason: 'holds a NUL character (\\u0000), which no database text can',
      });
    }
  }
  return problems;
}
